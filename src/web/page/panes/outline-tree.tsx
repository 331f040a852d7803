import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { hasChildren, type OutlineLine, stepInOutline, visibleLines } from "./outline.js";
import { useVirtualRows } from "./virtual-rows.js";

const LINE_HEIGHT = 19;
/** How much further right a line is than the one that it belongs to, in pixels. */
const STEP = 16;

/** How a line looks besides its place. */
export interface LineLook {
  readonly classes?: string;
  readonly title?: string;
  readonly content: ComponentChildren;
}

interface Props {
  /** Of the tree; those of its lines begin with `line`, and end with their indices. */
  readonly id: string;
  readonly line: string;
  readonly label: string;
  readonly classes?: string;
  readonly lines: readonly OutlineLine[];
  readonly closed: ReadonlySet<number>;
  /** Index of the selected line; -1 if there is none. */
  readonly selected: number;
  /** Depth of the outermost lines, and how far right they are, in pixels. */
  readonly outermost: number;
  readonly indent: number;
  readonly look: (index: number) => LineLook;
  readonly onChoose: (index: number) => void;
  readonly onToggle: (index: number, isClosed: boolean) => void;
  /** Called where a menu is asked for. */
  readonly onMenu?: (index: number, x: number, y: number) => void;
  /** Called if the selected line is below a closed one. */
  readonly onHidden?: () => void;
}

/** An outline whose lines are chosen, opened and closed by keys and the mouse. */
export function OutlineTree(props: Props): VNode {
  const { id, line, label, classes = "rows", lines, closed, selected, outermost, indent, look } = props;
  const { onChoose, onToggle, onMenu, onHidden } = props;
  const list = useRef<HTMLDivElement>(null);
  const visible = useMemo(() => visibleLines(lines, closed), [lines, closed]);
  const rows = useVirtualRows(list, visible.length, LINE_HEIGHT);
  const position = visible.indexOf(selected);
  useEffect(() => {
    if (position >= 0) rows.scrollTo(position);
    else if (selected >= 0) onHidden?.();
  }, [selected, position]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / LINE_HEIGHT) - 1);
    const step = stepInOutline(event.key, { lines, closed, visible, selected, page });
    if (step !== undefined) {
      if ("select" in step) onChoose(step.select);
      else onToggle(step.toggle, step.isClosed);
    } else if (onMenu !== undefined && (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))) {
      const row = document.getElementById(`${line}-${selected}`)?.getBoundingClientRect();
      if (row !== undefined) onMenu(selected, row.left + 40, row.bottom);
    } else return;
    event.preventDefault();
  };
  const row = (index: number, start: number) => {
    const isParent = hasChildren(lines, index);
    const level = (lines[index]?.depth ?? 0) - outermost;
    const { classes = "", title, content } = look(index);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
      // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and says which one is active
      <div
        key={index}
        id={`${line}-${index}`}
        class={`row ${classes}${index === selected ? " selected" : ""}`}
        style={{ top: `${start}px`, paddingLeft: `${indent + level * STEP}px` }}
        title={title}
        role="treeitem"
        aria-level={level + 1}
        aria-selected={index === selected}
        aria-expanded={isParent ? !closed.has(index) : undefined}
        onClick={() => onChoose(index)}
        onDblClick={() => isParent && onToggle(index, !closed.has(index))}
        onContextMenu={(event) => {
          if (onMenu === undefined) return;
          event.preventDefault();
          onChoose(index);
          onMenu(index, event.clientX, event.clientY);
        }}
      >
        <span
          class="twisty"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            if (isParent) onToggle(index, !closed.has(index));
          }}
        >
          {isParent ? (closed.has(index) ? "▸" : "▾") : ""}
        </span>
        {content}
      </div>
    );
  };
  return (
    <div
      ref={list}
      class="scroller"
      id={id}
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={position >= 0 ? `${line}-${selected}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div class={classes} role="presentation" style={{ height: `${rows.height}px` }}>
        {rows.items.map(({ index: at, start }) => {
          const index = visible[at];
          return index === undefined ? null : row(index, start);
        })}
      </div>
    </div>
  );
}

/** The same set with a member, or without it. */
export function withMember<Member>(set: ReadonlySet<Member>, member: Member, isIn: boolean): ReadonlySet<Member> {
  const next = new Set(set);
  if (isIn) next.add(member);
  else next.delete(member);
  return next;
}
