import { are } from "../common/counted.js";
import type { Conversation, Direction } from "../network/conversation.js";
import type { ConversationObserver } from "../session/observer.js";

/** First bytes of each side that are compared: more than two different sessions have in common, with their keys. */
const COMPARED_BYTES = 256;
/** Most conversations of a capture that are compared. */
const MOST_COMPARED = 10_000;

/** A capture, with what its conversations begin with. */
interface Recorded {
  readonly name: string;
  readonly beginnings: Set<string>;
}

/** Watches the beginning of a conversation; calls back with its text once it has been dissected. */
function beginningOf({ client, server, transport }: Conversation, done: (text: string) => void): Watched {
  const sides = { c2s: "", s2c: "" };
  const take = (direction: Direction, bytes: Uint8Array) => {
    const left = COMPARED_BYTES - sides[direction].length / 2;
    if (left > 0) sides[direction] += Buffer.from(bytes.subarray(0, left)).toString("hex");
  };
  return {
    bytes: take,
    datagram: take,
    dissected: () => {
      // Addresses may have been translated on the way.
      const ports = [client.port, server.port].sort((a, b) => a - b).join(" ");
      if (sides.c2s !== "" && sides.s2c !== "")
        done(`${transport} ${ports} ${[sides.c2s, sides.s2c].sort().join(" ")}`);
    },
  };
}

type Watched = Required<Pick<ConversationObserver, "bytes" | "datagram" | "dissected">>;

/** Notices captures that have the same session, such as those recorded at both ends. */
export class RepeatedSessions {
  readonly #captures: Recorded[] = [];

  /** Begins with the next capture. */
  begin(name: string): void {
    this.#captures.push({ name, beginnings: new Set() });
  }

  /** Returns what watches a conversation of the capture. */
  opened(conversation: Conversation): Watched {
    return beginningOf(conversation, (text) => {
      const beginnings = this.#captures.at(-1)?.beginnings;
      if (beginnings !== undefined && beginnings.size < MOST_COMPARED) beginnings.add(text);
    });
  }

  /** Says so if the capture has conversations of an earlier one. */
  remark(): string | undefined {
    const last = this.#captures.at(-1);
    if (last === undefined || last.beginnings.size === 0) return undefined;
    for (const { name, beginnings } of this.#captures.slice(0, -1)) {
      const count = [...last.beginnings].filter((text) => beginnings.has(text)).length;
      if (count === 0) continue;
      const all = last.beginnings.size;
      const some =
        count === all
          ? all === 1
            ? "its conversation"
            : `all ${all} conversations`
          : `${count} of ${all} conversations`;
      return `${last.name}: ${some} ${are(all)} in ${name}, too: it is the same session`;
    }
    return undefined;
  }
}
