import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { VaultRow } from "../../session-api.js";
import { hasChildren, stepInOutline, visibleLines } from "../panes/outline.js";
import { useVirtualRows } from "../panes/virtual-rows.js";

const LINE_HEIGHT = 19;

interface Props {
  readonly rows: readonly VaultRow[];
  readonly onChoose: (id: string) => void;
}

/** The vault as a tree. A node that belongs to several is in it several times. */
export function VaultTree({ rows, onChoose }: Props): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState(-1);
  const [closedIds, setClosedIds] = useState<ReadonlySet<string>>(new Set());
  const closed = useMemo(
    () => new Set(rows.flatMap(({ id }, index) => (closedIds.has(id) && hasChildren(rows, index) ? [index] : []))),
    [rows, closedIds],
  );
  const visible = useMemo(() => visibleLines(rows, closed), [rows, closed]);
  const lines = useVirtualRows(list, visible.length, LINE_HEIGHT);
  const position = visible.indexOf(selected);
  const id = rows[selected]?.id;
  useEffect(() => {
    if (position >= 0) lines.scrollTo(position);
  }, [position]);
  // At another moment, the node is elsewhere, or not there at all.
  const chosen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (chosen.current !== undefined && chosen.current !== id) {
      setSelected(rows.findIndex((row) => row.id === chosen.current));
    }
  }, [rows]);
  const choose = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    chosen.current = row.id;
    setSelected(index);
    onChoose(row.id);
  };
  const toggle = (index: number, isClosed: boolean) => {
    const row = rows[index];
    if (row === undefined) return;
    const next = new Set(closedIds);
    if (isClosed) next.add(row.id);
    else next.delete(row.id);
    setClosedIds(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / LINE_HEIGHT) - 1);
    const step = stepInOutline(event.key, { lines: rows, closed, visible, selected, page });
    if (step === undefined) return;
    event.preventDefault();
    if ("select" in step) choose(step.select);
    else toggle(step.toggle, step.isClosed);
  };
  return (
    <div
      ref={list}
      class="scroller"
      id="vault"
      role="tree"
      tabIndex={0}
      aria-label="Tree of the vault"
      aria-activedescendant={position >= 0 ? `node-${selected}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div class="rows mono" role="presentation" style={{ height: `${lines.height}px` }}>
        {lines.items.map(({ index: at, start }) => {
          const index = visible[at] ?? 0;
          const row = rows[index];
          if (row === undefined) return null;
          const isParent = hasChildren(rows, index);
          const text = [row.title, row.mark === "" ? "" : `[${row.mark}]`].filter((part) => part !== "").join(" ");
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and says which one is active
            <div
              key={index}
              id={`node-${index}`}
              class={index === selected ? "row selected" : "row"}
              style={{ top: `${start}px`, paddingLeft: `${8 + row.depth * 16}px` }}
              title={text}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={index === selected}
              aria-expanded={isParent ? !closed.has(index) : undefined}
              onClick={() => choose(index)}
              onDblClick={() => isParent && toggle(index, !closed.has(index))}
            >
              <span
                class="twisty"
                aria-hidden="true"
                onClick={(event) => {
                  event.stopPropagation();
                  if (isParent) toggle(index, !closed.has(index));
                }}
              >
                {isParent ? (closed.has(index) ? "▸" : "▾") : ""}
              </span>
              <strong>{row.id}</strong> {row.title}
              {row.title !== "" && row.mark !== "" && " "}
              {row.mark !== "" && <span class="warning">[{row.mark}]</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}
