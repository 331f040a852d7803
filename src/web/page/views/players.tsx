import type { VNode } from "preact";
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { PlayerRow, SessionLineRow, SessionPartRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import { ShowMore, STEP } from "../show-more.js";
import { useAnswer } from "../use-answer.js";

/** Who played, how far they came, and how it ended. */
export function PlayersView(): VNode {
  const [most, setMost] = useState(STEP);
  const answer = useAnswer(() => api().players(), []);
  if (answer === undefined) return <p class="hint">Reading…</p>;
  const { rows, leftOut } = answer;
  if (rows.length === 0) return <p class="hint">Nobody has played.</p>;
  const count = rows.reduce((sum, { parts }) => sum + parts.length, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded" aria-label="Players" tabIndex={0}>
      <table class="players">
        <thead>
          <tr>
            <th scope="col" class="figure">
              Seconds
            </th>
            <th scope="col">What happened</th>
            <th scope="col">Outcome</th>
            <th scope="col">Messages</th>
          </tr>
        </thead>
        {firstOf(rows, most).map(({ who, parts }, index) => (
          <tbody key={index}>
            <tr>
              <th scope="rowgroup" colSpan={4} class="who">
                {who}
              </th>
            </tr>
            {parts.map((part) => (
              <Part key={part.stream} part={part} />
            ))}
          </tbody>
        ))}
      </table>
      <ShowMore shown={Math.min(most, count)} count={count} onMore={() => setMost(most + STEP)} />
      {leftOut > 0 && <p class="hint">{leftOut} more conversations are left out: there are too many to show.</p>}
    </section>
  );
}

/** The players of the first conversations. */
function firstOf(rows: readonly PlayerRow[], most: number): PlayerRow[] {
  let left = most;
  const found: PlayerRow[] = [];
  for (const row of rows) {
    if (left <= 0) break;
    found.push({ ...row, parts: row.parts.slice(0, left) });
    left -= row.parts.length;
  }
  return found;
}

function Part({ part }: { readonly part: SessionPartRow }): VNode {
  const { stream, client, protocol, hue, seconds, lines } = part;
  return (
    <>
      <tr class="part">
        <td class="figure">{seconds.toFixed(6)}</td>
        <td colSpan={3}>
          <span class={`hue-${hue}`}>{protocol}</span>{" "}
          <span class="faint">
            stream {stream}, {client}
          </span>
        </td>
      </tr>
      {lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </>
  );
}

const CLASSES = { asked: "warning", done: "", failed: "error" };

function Line({ line }: { readonly line: SessionLineRow }): VNode {
  const { seconds, what, outcome, result, numbers } = line;
  return (
    <tr>
      <td class="figure">{seconds.toFixed(6)}</td>
      <td class={outcome === undefined ? "step faint" : "step"}>{what}</td>
      <td class={outcome === undefined ? "" : CLASSES[outcome]}>{result}</td>
      <td>
        {numbers.map((number) => (
          <Fragment key={number}>
            <MessageLink number={number} />{" "}
          </Fragment>
        ))}
      </td>
    </tr>
  );
}
