import type { Message } from "../dissect/message.js";
import { BoundedMap, keyOf, OTHERS, partsOf } from "../stats/index.js";
import { numbered } from "./filter-text.js";
import type { Finding } from "./finding.js";
import { Group } from "./group.js";
import { partyOf } from "./party.js";

/** The messages that state one version of something. */
interface Stated {
  readonly group: Group;
  /** True if a server has stated it. */
  isServers: boolean;
}

/** Finds ends that are of another version than the rest. */
export class Versions {
  readonly #versions: BoundedMap<Stated>;

  constructor(most: number) {
    this.#versions = new BoundedMap(() => ({ group: new Group(), isServers: false }), most);
  }

  take(message: Message): void {
    const { nodes, protocol, direction, number } = message;
    const { version } = nodes?.context ?? {};
    if (version === undefined) return;
    // Protocols are named after their dissectors: "moul.auth".
    const [dissector = ""] = protocol.split(".", 1);
    const stated = this.#versions.of(keyOf(dissector, version.of, version.value));
    if (direction === "s2c") stated.isServers = true;
    stated.group.add(number, direction === "s2c" ? "the server" : partyOf(message));
  }

  get findings(): Finding[] {
    const all = this.#versions.entries().flatMap(([key, stated]) => {
      const [protocol = "", of = "", value = ""] = partsOf(key, 3);
      return protocol === OTHERS ? [] : [{ protocol, of, value, ...stated }];
    });
    return all.flatMap(({ protocol, of, value, group }) => {
      const rivals = all.filter((other) => other.protocol === protocol && other.of === of);
      // What the server has counts, or else what most have.
      const [right] = rivals.toSorted(
        (a, b) => Number(b.isServers) - Number(a.isServers) || b.group.count - a.group.count,
      );
      if (right === undefined || right.value === value) return [];
      const { numbers, count, examples } = group;
      return {
        kind: "version",
        protocol,
        message: "",
        what: `${of} ${value}, where ${right.isServers ? "the server has" : "most have"} ${right.value}`,
        count,
        examples,
        filter: numbered(numbers),
        shown: numbers.length,
      };
    });
  }
}
