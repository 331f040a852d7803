import { PacketOrder } from "../../src/export/packet-order.js";
import { defaultLimits, type Limits } from "../../src/limits.js";
import type { Conversation } from "../../src/network/conversation.js";
import { captured, conversation, understood } from "./made-captures.js";
import { text } from "./packets.js";

/** Conversations whose packets arrive one after the other, and whose plaintext is settled when the test says so. */
export class Play {
  readonly slow = conversation(0, { clientIsKnown: false });
  readonly quick = conversation(1, { clientIsKnown: false });
  #frame = 0;

  constructor(readonly order: PacketOrder) {}

  /** Something arrives that is not settled yet. */
  comes(talk: Conversation, said: string, seconds: number): () => void {
    const origin = { frame: ++this.#frame, seconds, nanoseconds: 0 };
    const bytes = text(said);
    this.order.network.bytes(talk, "c2s", bytes, origin);
    return () => {
      // Valid only during the call.
      const fleeting = bytes.slice();
      this.order.plaintext.bytes(talk, "c2s", fleeting, origin);
      fleeting.fill(0);
    };
  }

  /** Something arrives that the network holds back; the returned function releases it, and it is settled at once. */
  isHeld(talk: Conversation, said: string, seconds: number): () => void {
    const origin = { frame: ++this.#frame, seconds, nanoseconds: 0 };
    const bytes = text(said);
    this.order.network.held(talk, "c2s", bytes.length, origin);
    return () => {
      this.order.network.bytes(talk, "c2s", bytes, origin);
      this.order.plaintext.bytes(talk, "c2s", bytes, origin);
    };
  }

  /** Something arrives that is settled at once. */
  goes(talk: Conversation, said: string, seconds: number): void {
    this.comes(talk, said, seconds)();
  }
}

/** What is written, one line per packet: text and time; finally how many packets were late. */
export async function written(play: (play: Play) => void, limits: Partial<Limits> = {}): Promise<readonly string[]> {
  let left = "";
  const { bytes } = captured((capture) => {
    const order = new PacketOrder(capture, { ...defaultLimits, ...limits });
    play(new Play(order));
    left = `late ${order.late}`;
  });
  const { lines, times } = await understood(bytes);
  const said = lines.flatMap((line) => / c2s (.+) #(\d+)$/.exec(line)?.slice(1, 3).join(" ") ?? []);
  return [...said.map((line) => line.replace(/\d+$/, (frame) => times[Number(frame) - 1] ?? "")), left];
}
