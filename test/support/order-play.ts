import type { ConversationOrder } from "../../src/export/conversation-order.js";
import { PacketNames } from "../../src/export/packet-names.js";
import { PacketOrder } from "../../src/export/packet-order.js";
import { defaultLimits, type Limits } from "../../src/limits.js";
import { captured, conversation, understood } from "./made-captures.js";
import { text } from "./packets.js";

/** Conversations whose packets arrive one after the other, and whose plaintext is settled when the test says so. */
export class Play {
  readonly slow: ConversationOrder;
  readonly quick: ConversationOrder;
  #frame = 0;

  constructor(readonly order: PacketOrder) {
    this.slow = order.opened(conversation(0, { clientIsKnown: false }));
    this.quick = order.opened(conversation(1, { clientIsKnown: false }));
  }

  /** Something arrives that is not settled yet. */
  comes(talk: ConversationOrder, said: string, seconds: number): () => void {
    const origin = { frame: ++this.#frame, seconds, nanoseconds: 0 };
    const bytes = text(said);
    talk.bytes("c2s", bytes, origin);
    return () => {
      // Valid only during the call.
      const fleeting = bytes.slice();
      talk.plaintext.bytes("c2s", fleeting, origin);
      fleeting.fill(0);
    };
  }

  /** Something arrives that the network holds back; the returned function releases it, and it is settled at once. */
  isHeld(talk: ConversationOrder, said: string, seconds: number): () => void {
    const origin = { frame: ++this.#frame, seconds, nanoseconds: 0 };
    const bytes = text(said);
    talk.outOfOrder("c2s", bytes.length, origin);
    return () => {
      talk.bytes("c2s", bytes, origin);
      talk.plaintext.bytes("c2s", bytes, origin);
    };
  }

  /** Something arrives that is settled at once. */
  goes(talk: ConversationOrder, said: string, seconds: number): void {
    this.comes(talk, said, seconds)();
  }
}

/** What is written, one line per packet: text and time; finally how many packets were late. */
export async function written(play: (play: Play) => void, limits: Partial<Limits> = {}): Promise<readonly string[]> {
  let left = "";
  const { bytes } = captured((capture) => {
    const order = new PacketOrder(capture, new PacketNames(), { ...defaultLimits, ...limits });
    play(new Play(order));
    left = `late ${order.late}`;
  });
  const { lines, times } = await understood(bytes);
  const said = lines.flatMap((line) => / c2s (.+) #(\d+)$/.exec(line)?.slice(1, 3).join(" ") ?? []);
  return [...said.map((line) => line.replace(/\d+$/, (frame) => times[Number(frame) - 1] ?? "")), left];
}
