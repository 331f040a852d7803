import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { VaultNodePage, VaultRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { useVirtualRows } from "../panes/virtual-rows.js";
import { api } from "../session.js";
import * as state from "../state.js";
import { useAnswer } from "../use-answer.js";

const LINE_HEIGHT = 19;

/** The vault as it was after the selected message, and a node of it. */
export function VaultView(): VNode {
  const [isAtEnd, setAtEnd] = useState(true);
  const [chosen, setChosen] = useState("");
  const selected = state.detail.value?.row.number ?? 0;
  const at = isAtEnd ? Number.MAX_SAFE_INTEGER : selected;
  const rows = useAnswer<readonly VaultRow[]>(() => api().vault(at), [at]) ?? [];
  const page = useAnswer(() => api().vaultNode(chosen, at), [chosen, at]);
  return (
    <section class="split" aria-label="Vault">
      <div class="half">
        <div class="view-tools">
          <label>
            <input type="checkbox" checked={!isAtEnd} onChange={() => setAtEnd(!isAtEnd)} /> as it was after the
            selected message (#{selected})
          </label>
          <span class="faint">{rows.length} lines</span>
        </div>
        <VaultTree rows={rows} chosen={chosen} onChoose={setChosen} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys */}
      <article class="half scroller padded" tabIndex={0} aria-label="Node">
        {page === undefined ? (
          <p class="hint">Choose a node to see its fields and its history.</p>
        ) : (
          <NodePage page={page} />
        )}
      </article>
    </section>
  );
}

interface TreeProps {
  readonly rows: readonly VaultRow[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function VaultTree({ rows, chosen, onChoose }: TreeProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const lines = useVirtualRows(list, rows.length, LINE_HEIGHT);
  const at = rows.findIndex(({ id }) => id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const next = rows[at + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    lines.scrollTo(at + step);
  };
  return (
    <div ref={list} class="scroller" role="tree" tabIndex={0} aria-label="Tree of the vault" onKeyDown={onKeyDown}>
      <div class="rows mono" role="presentation" style={{ height: `${lines.height}px` }}>
        {lines.items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { id, depth, title, mark } = row;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
            <div
              key={index}
              class={id === chosen ? "row selected" : "row"}
              style={{ top: `${start}px`, paddingLeft: `${8 + depth * 16}px` }}
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={id === chosen}
              onClick={() => onChoose(id)}
            >
              <strong>{id}</strong> {title} {mark !== "" && <span class="warning">[{mark}]</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function NodePage({ page }: { readonly page: VaultNodePage }): VNode {
  const { id, title, fields, parents, history } = page;
  return (
    <>
      <h2>
        {id} {title}
      </h2>
      <table>
        <caption>Fields</caption>
        <tbody>
          {fields.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {parents.length > 0 && <p>Belongs to {parents.join(", ")}.</p>}
      <h3>History</h3>
      <ol class="chat">
        {history.map(({ number, what, changes }, index) => (
          <li key={index}>
            <MessageLink number={number} /> {what}
            {changes.map((change) => (
              <div key={change} class="faint">
                {change}
              </div>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
