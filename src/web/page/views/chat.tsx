import type { VNode } from "preact";
import type { ChatRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import { useAnswer } from "../use-answer.js";

/** What was said, each message once. */
export function ChatView(): VNode {
  const rows = useAnswer<readonly ChatRow[]>(() => api().chat(), []);
  if (rows === undefined || rows.length === 0) return <p class="hint">Nobody has said anything.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded" aria-label="Chat" tabIndex={0}>
      <ol class="chat">
        {rows.map(({ number, time, from, to, channel, text }) => (
          <li key={number}>
            <MessageLink number={number} /> <span class="faint">{time.slice(11, 19)}</span> <strong>{from}</strong>
            {channel !== "age" && (
              <span class="faint">
                {" "}
                ({channel}
                {to === "" ? "" : ` to ${to}`})
              </span>
            )}
            : {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
