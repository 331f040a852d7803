import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Detail, TreeLine } from "../../session-api.js";
import { filterBy, findNext, goTo } from "../session.js";
import * as state from "../state.js";
import { ContextMenu, type MenuItem } from "./context-menu.js";
import { MarkedText, plainText } from "./marked-text.js";
import { hasChildren, stepInOutline, visibleLines, withoutParentsOf } from "./outline.js";
import { useVirtualRows } from "./virtual-rows.js";

const LINE_HEIGHT = 19;

/** The field tree of the selected message. */
export function TreePane(): VNode {
  const shown = state.shownDetail.value;
  return (
    <section class="pane tree-pane" aria-label="Fields">
      {shown === undefined ? <p class="hint">Select a message to see its fields.</p> : <Tree shown={shown} />}
    </section>
  );
}

function Tree({ shown }: { readonly shown: Detail }): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number; readonly line: TreeLine }>();
  useEffect(() => setClosed(new Set()), [shown]);
  const visible = useMemo(() => visibleLines(shown.lines, closed), [shown, closed]);
  const rows = useVirtualRows(list, visible.length, LINE_HEIGHT);
  const selected = state.selectedLine.value;
  const position = visible.indexOf(selected);
  useEffect(() => {
    if (position >= 0) rows.scrollTo(position);
    else if (selected >= 0) setClosed(withoutParentsOf(shown.lines, closed, selected));
  }, [selected, position]);
  const toggle = (index: number, isClosed: boolean) => {
    const next = new Set(closed);
    if (isClosed) next.add(index);
    else next.delete(index);
    setClosed(next);
  };
  const choose = (index: number) => {
    state.selectedLine.value = index;
    const source = shown.lines[index]?.source;
    if (source !== undefined) state.shownSource.value = source;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / LINE_HEIGHT) - 1);
    const step = stepInOutline(event.key, { lines: shown.lines, closed, visible, selected, page });
    if (step !== undefined) {
      if ("select" in step) choose(step.select);
      else toggle(step.toggle, step.isClosed);
    } else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      const line = shown.lines[selected];
      const row = document.getElementById(`line-${selected}`)?.getBoundingClientRect();
      if (line !== undefined && row !== undefined) setMenu({ x: row.left + 40, y: row.bottom, line });
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <header class="pane-head">
        <MarkedText text={shown.heading} />
        <Links shown={shown} />
      </header>
      <div
        ref={list}
        class="scroller"
        id="tree"
        role="tree"
        tabIndex={0}
        aria-label="Field tree"
        aria-activedescendant={selected >= 0 ? `line-${selected}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div class="rows" role="presentation" style={{ height: `${rows.height}px` }}>
          {rows.items.map(({ index: at, start }) => {
            const index = visible[at] ?? 0;
            const line = shown.lines[index];
            if (line === undefined) return null;
            const isParent = hasChildren(shown.lines, index);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
              // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and says which one is active
              <div
                key={index}
                id={`line-${index}`}
                class={`row line ${line.kind}${index === selected ? " selected" : ""}`}
                style={{ top: `${start}px`, paddingLeft: `${line.depth * 16 - 12}px` }}
                role="treeitem"
                aria-level={line.depth}
                aria-selected={index === selected}
                aria-expanded={isParent ? !closed.has(index) : undefined}
                onClick={() => choose(index)}
                onDblClick={() => isParent && toggle(index, !closed.has(index))}
                onContextMenu={(event) => {
                  event.preventDefault();
                  choose(index);
                  setMenu({ x: event.clientX, y: event.clientY, line });
                }}
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
                <MarkedText text={line.text} />
                {line.namedIn !== undefined && (
                  <button
                    type="button"
                    class="link"
                    tabIndex={-1}
                    title={`The name was learnt from message ${line.namedIn}`}
                    onClick={() => void goTo(line.namedIn ?? 0)}
                  >
                    #{line.namedIn}
                  </button>
                )}
              </div>
            );
          })}
        </div>
      </div>
      {menu !== undefined && (
        <ContextMenu x={menu.x} y={menu.y} items={menuFor(menu.line)} onClose={() => setMenu(undefined)} />
      )}
    </>
  );
}

function Links({ shown }: { readonly shown: Detail }): VNode {
  const { answers, milliseconds, answeredBy } = shown;
  return (
    <span class="links">
      {answers !== undefined && (
        <button type="button" class="link" onClick={() => void goTo(answers)}>
          answers #{answers}
          {milliseconds === undefined ? "" : ` after ${milliseconds.toFixed(3)} ms`}
        </button>
      )}
      {answeredBy !== undefined && (
        <button type="button" class="link" onClick={() => void goTo(answeredBy)}>
          answered by #{answeredBy}
        </button>
      )}
    </span>
  );
}

function menuFor({ path, value, text, namedIn }: TreeLine): MenuItem[] {
  const items: MenuItem[] = [];
  const name = path.replace(/\[\d+\]/g, "");
  if (name !== "" && value !== undefined) {
    const condition = `${name} == ${value}`;
    items.push({ title: `Filter for ${short(condition)}`, run: () => void filterBy(condition, false) });
    items.push({ title: "Add to the current filter", run: () => void filterBy(condition, true) });
    items.push({ title: "Not this value", run: () => void filterBy(`not ${condition}`, true) });
    items.push({
      title: "Find next with this value",
      run: () => {
        state.findText.value = value.replace(/^"|"$/g, "");
        state.isFindOpen.value = true;
        void findNext(false);
      },
    });
  }
  if (name !== "") items.push({ title: `Filter for messages with ${name}`, run: () => void filterBy(name, false) });
  if (namedIn !== undefined) items.push({ title: `Go to #${namedIn}, which named it`, run: () => void goTo(namedIn) });
  items.push({ title: "Copy the line", run: () => void navigator.clipboard.writeText(plainText(text)) });
  return items;
}

function short(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 48)}…`;
}
