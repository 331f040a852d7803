import type { Limits } from "../limits.js";
import type { Conversation } from "../network/conversation.js";
import { ConversationOrder, type Ending } from "./conversation-order.js";
import type { PacketNames } from "./packet-names.js";
import { PlaceQueue } from "./place-queue.js";
import type { PlaintextCapture } from "./plaintext-capture.js";

/**
 * Writes plaintext in the order in which its packets were captured. How a conversation is to be read, or that bytes
 * before a packet will not come, may be settled only some packets later, with packets of other conversations in
 * between. A packet that keeps the others waiting for too long is written late.
 */
export class PacketOrder {
  readonly #capture: PlaintextCapture;
  readonly #places: PlaceQueue;

  /** @param names of messages, for comments on packets */
  constructor(
    capture: PlaintextCapture,
    readonly names: PacketNames,
    limits: Pick<Limits, "orderBytes" | "orderSeconds">,
  ) {
    this.#capture = capture;
    this.#places = new PlaceQueue(limits);
  }

  /**
   * Returns what puts a conversation in order.
   *
   * @param ending who else is told of its end
   */
  opened(conversation: Conversation, ending?: Ending): ConversationOrder {
    return new ConversationOrder(this.#capture.conversation(conversation), this.#places, this.names, ending);
  }

  /** Number of packets that the others waited for in vain, and that were written later. */
  get late(): number {
    return this.#places.late;
  }
}
