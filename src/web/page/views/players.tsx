import type { VNode } from "preact";
import type { StepRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import { useAnswer } from "../use-answer.js";

/** Who played, and how far they came. */
export function PlayersView(): VNode {
  const steps = useAnswer<readonly StepRow[]>(() => api().steps(), []) ?? [];
  const names = [...new Set(steps.map(({ who }) => who))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded" aria-label="Players" tabIndex={0}>
      {names.length === 0 && <p class="hint">Nobody has played.</p>}
      <div class="tables">
        {names.map((name) => (
          <table key={name}>
            <caption>{name}</caption>
            <thead>
              <tr>
                <th scope="col">Seconds</th>
                <th scope="col">Server</th>
                <th scope="col">Step</th>
                <th scope="col">Outcome</th>
                <th scope="col">Messages</th>
              </tr>
            </thead>
            <tbody>
              {steps
                .filter(({ who }) => who === name)
                .map(({ seconds, protocol, hue, step, outcome, asked, answered }) => (
                  <tr key={`${asked} ${step}`}>
                    <td class="figure">{seconds.toFixed(3)}</td>
                    <td class={`hue-${hue}`}>{protocol}</td>
                    <td>{step}</td>
                    <td class={outcome.startsWith("failed") ? "error" : outcome === "asked" ? "warning" : ""}>
                      {outcome === "asked" ? "no answer" : outcome}
                    </td>
                    <td>
                      <MessageLink number={asked} />
                      {answered !== undefined && answered !== asked && <MessageLink number={answered} />}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        ))}
      </div>
    </section>
  );
}
