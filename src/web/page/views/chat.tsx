import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import { ShowMore, STEP } from "../show-more.js";
import { useAnswer } from "../use-answer.js";

/** What was said, each message once. */
export function ChatView(): VNode {
  const [most, setMost] = useState(STEP);
  const log = useAnswer(() => api().chat(most), [most]);
  if (log === undefined) return <p class="hint">Reading…</p>;
  const { rows, count, leftOut } = log;
  if (count === 0) return <p class="hint">Nobody has said anything.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded" aria-label="Chat" tabIndex={0}>
      <ol class="chat">
        {rows.map(({ number, time, from, to, channel, text }) => (
          <li key={number}>
            <MessageLink number={number} />
            <time class="faint" dateTime={time} title={time}>
              {time.slice(11, 19)}
            </time>
            <span class="said-by">
              <strong>{from}</strong>
              {channel !== "age" && (
                <span class="faint">
                  {" "}
                  ({channel}
                  {to === "" ? "" : ` to ${to}`})
                </span>
              )}
              : {text === "" ? <span class="faint">(nothing)</span> : text}
            </span>
          </li>
        ))}
      </ol>
      <ShowMore shown={rows.length} count={count} onMore={() => setMost(most + STEP)} />
      {leftOut > 0 && <p class="hint">{leftOut} more lines are left out; moul-dissect chat prints them all.</p>}
    </section>
  );
}
