import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { FilterBar } from "./bars/filter-bar.js";
import { FindBar } from "./bars/find-bar.js";
import { StatusBar } from "./bars/status-bar.js";
import { Help } from "./help.js";
import { handleKey } from "./keys.js";
import { OpenButton, OpenPanel, openFiles } from "./open-panel.js";
import { BytesPane } from "./panes/bytes-pane.js";
import { EmptyList } from "./panes/empty-list.js";
import { MessageList } from "./panes/message-list.js";
import { TreePane } from "./panes/tree-pane.js";
import * as state from "./state.js";
import { ChatView } from "./views/chat.js";
import { ObjectsView } from "./views/objects.js";
import { PlayersView } from "./views/players.js";
import { ReferenceView } from "./views/reference.js";
import { SequenceView } from "./views/sequence.js";
import { StatesView } from "./views/states.js";
import { StatisticsView } from "./views/statistics.js";
import { TimelineView } from "./views/timeline.js";
import { VaultView } from "./views/vault.js";

const components = {
  messages: MessageList,
  timeline: TimelineView,
  sequence: SequenceView,
  players: PlayersView,
  chat: ChatView,
  vault: VaultView,
  states: StatesView,
  objects: ObjectsView,
  statistics: StatisticsView,
  reference: ReferenceView,
} satisfies Record<state.ViewId, () => VNode>;

/** The views beside which the selected message is of interest. */
const withPanes: ReadonlySet<state.ViewId> = new Set(["messages", "timeline", "sequence"]);

export function App(): VNode {
  useEffect(() => {
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
  const [isDropping, setDropping] = useState(false);
  const view = state.view.value;
  const View = components[view];
  const { phase, messages = 0 } = state.progress.value ?? {};
  const isEmpty = messages === 0 && phase !== "reading";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped anywhere; the button does the same
    <div
      class="app"
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (event.relatedTarget === null) setDropping(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        openFiles(event.dataTransfer?.files ?? []);
      }}
    >
      {state.isOpen.value ? (
        <>
          <header class="top">
            <OpenButton title="Open…" />
            <nav class="views" aria-label="Views">
              {state.views.map(({ id, title }) => (
                <button
                  key={id}
                  type="button"
                  class="tab"
                  aria-current={id === view ? "page" : undefined}
                  onClick={() => {
                    state.view.value = id;
                  }}
                >
                  {title}
                </button>
              ))}
            </nav>
            <FilterBar />
            <FindBar />
          </header>
          <main class={withPanes.has(view) ? "main with-panes" : "main"}>
            <div class="view">{isEmpty && view !== "messages" && view !== "reference" ? <EmptyList /> : <View />}</div>
            {withPanes.has(view) && (
              <div class="panes">
                <TreePane />
                <BytesPane />
              </div>
            )}
          </main>
        </>
      ) : (
        <OpenPanel />
      )}
      <StatusBar />
      {isDropping && <p class="drop-here">Drop captures, key files and .sdl files here.</p>}
      <Help />
    </div>
  );
}
