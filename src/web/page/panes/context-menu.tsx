import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface MenuItem {
  readonly title: string;
  readonly run: () => void;
}

interface MenuProps {
  readonly x: number;
  readonly y: number;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** A menu at a place of the window; Escape or a click elsewhere closes it. */
export function ContextMenu({ x, y, items, onClose }: MenuProps): VNode {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    menu.current?.querySelector("button")?.focus();
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && menu.current?.contains(event.target) === true) return;
      onClose();
    };
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    if (event.key === "Escape" || event.key === "Tab") onClose();
    else if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === "ArrowUp") buttons[(at - 1 + buttons.length) % buttons.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const left = Math.min(x, window.innerWidth - 320);
  const top = Math.min(y, window.innerHeight - 28 * items.length - 8);
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      tabIndex={-1}
      style={{ left: `${left}px`, top: `${top}px` }}
      onKeyDown={onKeyDown}
    >
      {items.map(({ title, run }) => (
        <button
          key={title}
          type="button"
          role="menuitem"
          onClick={() => {
            onClose();
            run();
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
