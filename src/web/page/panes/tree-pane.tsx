import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Detail, TreeLine } from "../../session-api.js";
import { copy } from "../copy.js";
import { filterBy, findNext, goTo } from "../session.js";
import * as state from "../state.js";
import { ContextMenu, type MenuItem } from "./context-menu.js";
import { MarkedText, plainText } from "./marked-text.js";
import { withoutParentsOf } from "./outline.js";
import { type LineLook, OutlineTree, withMember } from "./outline-tree.js";

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
  const { lines } = shown;
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number; readonly line: TreeLine }>();
  useEffect(() => setClosed(new Set()), [shown]);
  const selected = state.selectedLine.value;
  return (
    <>
      <header class="pane-head">
        <MarkedText text={shown.heading} />
        <Links shown={shown} />
      </header>
      <OutlineTree
        id="tree"
        line="line"
        label="Field tree"
        lines={lines}
        closed={closed}
        selected={selected}
        outermost={1}
        indent={4}
        look={(index) => lookOf(lines[index])}
        onChoose={(index) => {
          state.selectedLine.value = index;
          const source = lines[index]?.source;
          if (source !== undefined) state.shownSource.value = source;
        }}
        onToggle={(index, isClosed) => setClosed(withMember(closed, index, isClosed))}
        onMenu={(index, x, y) => {
          const line = lines[index];
          if (line !== undefined) setMenu({ x, y, line });
        }}
        onHidden={() => setClosed(withoutParentsOf(lines, closed, selected))}
      />
      {menu !== undefined && (
        <ContextMenu x={menu.x} y={menu.y} items={menuFor(menu.line)} onClose={() => setMenu(undefined)} />
      )}
    </>
  );
}

function lookOf(line: TreeLine | undefined): LineLook {
  if (line === undefined) return { content: null };
  const { kind, text, namedIn } = line;
  const content = (
    <>
      <MarkedText text={text} />
      {namedIn !== undefined && (
        <button
          type="button"
          class="link"
          tabIndex={-1}
          title={`The name was learnt from message ${namedIn}`}
          onClick={() => void goTo(namedIn)}
        >
          #{namedIn}
        </button>
      )}
    </>
  );
  return { classes: `line ${kind}`, content };
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

function menuFor({ name, value, sought = "", text, namedIn }: TreeLine): MenuItem[] {
  const items: MenuItem[] = [];
  if (name !== "" && value !== undefined) {
    const condition = `${name} == ${value}`;
    items.push({ title: `Filter for ${short(condition)}`, run: () => void filterBy(condition, false) });
    items.push({ title: "Add to the current filter", run: () => void filterBy(condition, true) });
    items.push({ title: "Not this value", run: () => void filterBy(`not ${condition}`, true) });
    items.push({
      title: "Find next with this value",
      run: () => {
        state.findText.value = sought;
        state.isFindOpen.value = true;
        void findNext(false);
      },
    });
  }
  if (name !== "") items.push({ title: `Filter for messages with ${name}`, run: () => void filterBy(name, false) });
  if (namedIn !== undefined) items.push({ title: `Go to #${namedIn}, which named it`, run: () => void goTo(namedIn) });
  items.push({ title: "Copy the line", run: () => copy(plainText(text)) });
  return items;
}

function short(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 48)}…`;
}
