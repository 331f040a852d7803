import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../common/counted.js";
import type { VaultNodePage, VaultRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import * as state from "../state.js";
import { useAnswer } from "../use-answer.js";
import { VaultTree } from "./vault-tree.js";

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
          <span class="faint">{counted(rows.length, "line")}</span>
        </div>
        {rows.length === 0 && <p class="hint">Nothing was said about the vault.</p>}
        <VaultTree rows={rows} onChoose={setChosen} />
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

function NodePage({ page }: { readonly page: VaultNodePage }): VNode {
  const { id, title, fields, parents, history } = page;
  return (
    <>
      <h2>
        {id} {title}
      </h2>
      {fields.length === 0 && <p class="faint">Its fields were never shown.</p>}
      <table hidden={fields.length === 0}>
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
