import { numbered } from "./filter-text.js";
import type { Finding } from "./finding.js";
import { Group } from "./group.js";
import type { RequestBook } from "./requests.js";

/** The requests without a reply, by kind. */
export function unansweredIn({ unanswered }: RequestBook): Finding[] {
  const groups = new Map<string, { readonly protocol: string; readonly message: string; readonly group: Group }>();
  for (const { number, protocol, name, asked, stream } of unanswered.requests) {
    const key = `${protocol} ${name}`;
    const known = groups.get(key) ?? { protocol, message: name, group: new Group() };
    groups.set(key, known);
    known.group.add(number, asked.text === "" ? `stream ${stream}` : asked.text);
  }
  return [...groups.values()].map(({ protocol, message, group }) => {
    const { numbers, count, examples } = group;
    const filter = numbered(numbers);
    return { kind: "unanswered", protocol, message, what: "", count, examples, filter, shown: numbers.length };
  });
}
