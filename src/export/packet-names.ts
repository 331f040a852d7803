import type { Conversation, Direction, Origin } from "../network/conversation.js";

/** Most names in a comment, and most packets of a direction whose names are kept until they are written. */
const MOST_NAMES = 50;
const MOST_PACKETS = 1000;

/** A message, and the packet that completes it. */
interface Completed {
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly origin: Origin;
}

/** The names of messages by the packets that complete them, for comments that name what is in a packet. */
export class PacketNames {
  readonly #names = new WeakMap<Conversation, Readonly<Record<Direction, Map<number, string[]>>>>();

  /** @param title of a message; undefined if it has none */
  see({ conversation, direction, origin }: Completed, title: string | undefined): void {
    if (title === undefined) return;
    let ofConversation = this.#names.get(conversation);
    if (ofConversation === undefined) {
      ofConversation = { c2s: new Map(), s2c: new Map() };
      this.#names.set(conversation, ofConversation);
    }
    const byFrame = ofConversation[direction];
    const names = byFrame.get(origin.frame);
    if (names !== undefined) {
      names.push(title);
      return;
    }
    // Some packets are never written.
    const [oldest] = byFrame.keys();
    if (byFrame.size >= MOST_PACKETS && oldest !== undefined) byFrame.delete(oldest);
    byFrame.set(origin.frame, [title]);
  }

  /** The names of the messages that a packet completes, as one text; undefined if there are none. */
  take(conversation: Conversation, direction: Direction, frame: number): string | undefined {
    const byFrame = this.#names.get(conversation)?.[direction];
    const names = byFrame?.get(frame);
    if (names === undefined) return undefined;
    byFrame?.delete(frame);
    const more = names.length > MOST_NAMES ? [`and ${names.length - MOST_NAMES} more`] : [];
    return [...names.slice(0, MOST_NAMES), ...more].join(", ");
  }
}
