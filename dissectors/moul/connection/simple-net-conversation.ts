import {
  type Candidate,
  type ConversationDissector,
  type Direction,
  type Step,
  unencrypted,
  type Window,
} from "moul-dissect/dissector";
import type { StructType } from "moul-dissect/schema";
import {
  csrNet,
  SIMPLE_NET_HEADER_BYTES,
  SimpleNet_Connect,
  SimpleNetChannel,
  unknownSimpleNetMessage,
} from "../messages/simpleNet/simpleNet.js";

/** Name of the protocol. */
export const SIMPLE_NET = "moul.simpleNet";
/** The port on which game clients listen. Source: pnNetBase/pnNbConst.h (2011), kNetDefaultSimpleNetPort. */
export const SIMPLE_NET_PORT = 14620;
/** Longest message that is taken for one after lost bytes: a console command has at most a few hundred. */
const LONGEST_COMMAND = 4096;
/** Bits of the channel, the message id and the upper half of the byte count. */
const HEAD_BITS = 80;

/** A connection in the clear from a tool to a game client that it controls. Source: pnSimpleNet/pnSimpleNet.cpp (2011). */
export class SimpleNetConversation implements ConversationDissector {
  readonly protocol = SIMPLE_NET;
  readonly encryptionState = unencrypted;
  readonly isSettled = true;
  #isConnected: boolean;

  /** @param beginsWithPacket true if the connect packet comes first */
  constructor(beginsWithPacket: boolean) {
    this.#isConnected = !beginsWithPacket;
  }

  next(direction: Direction, { view, start, end }: Window): Step {
    if (direction === "c2s" && !this.#isConnected) return { step: "message", type: SimpleNet_Connect };
    if (end - start < SIMPLE_NET_HEADER_BYTES) return { step: "more", bytes: SIMPLE_NET_HEADER_BYTES };
    const channel = view.getUint32(start, true);
    const id = view.getUint32(start + 4, true);
    const length = view.getUint32(start + 8, true);
    const head = unknownSimpleNetMessage;
    const name = channel === SimpleNetChannel.Csr ? (csrNet.nameOf(id) ?? `CsrNet_${id}`) : `SimpleNet_${id}`;
    if (length < SIMPLE_NET_HEADER_BYTES) {
      const reason = `the byte count of ${length} does not even cover the header of ${SIMPLE_NET_HEADER_BYTES} bytes`;
      return { step: "malformed", name, head, reason };
    }
    if (channel !== SimpleNetChannel.Csr) {
      return { step: "unknown", name, head, length, reason: `the messages of channel ${channel} are not documented` };
    }
    const type = csrNet.get(id);
    if (type !== undefined) return { step: "message", type, length };
    return { step: "unknown", name, head, length, reason: `${id} is not a known message of the channel Csr` };
  }

  candidate(_direction: Direction, { view, start, end }: Window): Candidate | "more" | undefined {
    if (end - start < SIMPLE_NET_HEADER_BYTES) return "more";
    const type = csrNet.get(view.getUint32(start + 4, true));
    const length = view.getUint32(start + 8, true);
    const isKnown = view.getUint32(start, true) === SimpleNetChannel.Csr && type !== undefined;
    if (!isKnown || length < type.struct.minimumWidth || length > LONGEST_COMMAND) return undefined;
    return { type, length, bits: HEAD_BITS };
  }

  decoded(direction: Direction, _type: StructType<unknown>): void {
    if (direction === "c2s") this.#isConnected = true;
  }
}
