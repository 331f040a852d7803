import type { Dissector } from "../../src/dissector/dissector.js";
import type { Direction } from "../../src/network/conversation.js";
import type { DissectedMessage } from "../../src/pipeline/dissected-message.js";
import { dissectPackets } from "./dissecting.js";
import { TcpTalk } from "./packets.js";

/** What one side sends, in one piece. */
export interface Said {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  /** True if the capture lacks it. */
  readonly isLost?: boolean;
}

/** Has a dissector dissect one TCP connection with these pieces; returns its messages. */
export function dissectConversation(dissector: Dissector, said: readonly Said[]): DissectedMessage[] {
  const talk = new TcpTalk(["192.0.2.1", 50000], ["192.0.2.2", 14617], [1000, 2000]);
  const packets = talk.handshake();
  for (const { direction, bytes, isLost } of said) {
    const packet = talk.send(direction === "c2s" ? 0 : 1, bytes);
    if (isLost !== true) packets.push(packet);
  }
  packets.push(talk.fin(0), talk.fin(1));
  const { messages, errors } = dissectPackets(packets, { dissectors: [dissector] });
  const [first] = errors;
  if (first !== undefined) throw first.error;
  return messages;
}
