import type { Message } from "../dissect/message.js";
import { BoundedMap, keyOf, OTHERS, partsOf } from "../stats/index.js";
import { all, quoted } from "./filter-text.js";
import type { Finding, FindingKind } from "./finding.js";
import { Group } from "./group.js";
import { partyOf } from "./party.js";
import type { KnownRequest } from "./requests.js";

/** Messages that report errors: failed requests, refused players, players thrown out. */
export class Failures {
  readonly #groups: BoundedMap<{ readonly kind: FindingKind; readonly group: Group }>;
  #kind: FindingKind = "failed";

  constructor(most: number) {
    this.#groups = new BoundedMap(() => ({ kind: this.#kind, group: new Group() }), most);
  }

  take(message: Message, request: KnownRequest | undefined): void {
    const { nodes, protocol, name, number } = message;
    const { error, trouble } = nodes?.context ?? {};
    if (error === undefined) return;
    this.#kind = trouble ?? "failed";
    const asked = request?.asked.text ?? "";
    const text = trouble === undefined ? asked : [asked, partyOf(message)].filter((part) => part !== "").join(", ");
    this.#groups.of(keyOf(protocol, name, error)).group.add(number, text);
  }

  get findings(): Finding[] {
    const entries = this.#groups.entries().map(([key, one]) => {
      const [protocol = "", message = "", what = ""] = partsOf(key, 3);
      return { protocol, message, what, ...one };
    });
    return entries.flatMap(({ protocol, message, what, kind, group }) => {
      if (protocol === OTHERS) return [];
      const isAmbiguous = entries.some(
        (other) => other.message === message && other.what === what && other.protocol !== protocol,
      );
      const filter = all(
        `message == ${quoted(message)}`,
        `error == ${quoted(what)}`,
        ...(isAmbiguous ? [`protocol == ${quoted(protocol)}`] : []),
      );
      const { count, examples } = group;
      return { kind, protocol, message, what, count, examples, filter, shown: count };
    });
  }
}
