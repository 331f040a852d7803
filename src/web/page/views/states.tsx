import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { StateRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import * as state from "../state.js";
import { useAnswer } from "../use-answer.js";

/** The states of objects after the selected message. */
export function StatesView(): VNode {
  const [isAtEnd, setAtEnd] = useState(true);
  const selected = state.detail.value?.row.number ?? 0;
  const at = isAtEnd ? Number.MAX_SAFE_INTEGER : selected;
  const rows = useAnswer<readonly StateRow[]>(() => api().states(at), [at]) ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded states" aria-label="States" tabIndex={0}>
      <p>
        <label>
          <input type="checkbox" checked={!isAtEnd} onChange={() => setAtEnd(!isAtEnd)} /> as they were after the
          selected message (#{selected})
        </label>
      </p>
      {rows.length === 0 && <p class="hint">Nothing was said about states.</p>}
      {rows.map(({ key, object, set, version, number, variables }) => (
        <table key={key}>
          <caption>
            {object} <span class="label">{set}</span> {version} <MessageLink number={number} />
          </caption>
          <colgroup>
            <col class="name-column" />
            <col />
            <col class="number-column" />
            <col class="other-column" />
          </colgroup>
          <tbody>
            {variables.length === 0 && (
              <tr>
                <td colSpan={4} class="faint">
                  The values are not known: open the shard's .sdl files together with the capture.
                </td>
              </tr>
            )}
            {variables.map(({ name, value, number: since, other }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>
                  <MessageLink number={since} />
                </td>
                <td>
                  {other !== undefined && (
                    <>
                      {other.by === "client" ? "sent" : "relayed"}: {other.value} <MessageLink number={other.number} />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}
