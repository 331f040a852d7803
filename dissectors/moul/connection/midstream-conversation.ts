import type { DecodedTree, StructType } from "../../../src/schema/index.js";
import {
  type Candidate,
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  directions,
  type MessagePlace,
  type Step,
  unencrypted,
  unknownEncryption,
  type Window,
} from "../../../src/session/dissector.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { descriptorsIn, type SdlDescriptors } from "../sdl/descriptors.js";
import { isNonsense } from "./key-trial.js";
import { messageCandidate, messageStep } from "./message-step.js";
import { Player } from "./player.js";
import { emptySetup } from "./setup-packets.js";
import { messagesOf, tryMidstream } from "./spoken-server.js";
import { Transactions } from "./transactions.js";

/**
 * A connection without its beginning whose server the bytes or the user name: messages in the clear. A key is of no use
 * here: decryption has to start with the first byte of the connection.
 */
export class MidstreamConversation implements ConversationDissector {
  readonly protocol: string;
  readonly settings: SdlDescriptors;
  encryptionState = unknownEncryption;
  #settled = false;
  #unreadable = "";
  /** Directions whose first bytes have been checked for the beginning of a message. */
  readonly #begun = new Set<Direction>();
  /** Directions in which a message has been decoded. */
  readonly #decoded = new Set<Direction>();
  readonly #transactions: Transactions;
  readonly #player = new Player();

  constructor(
    readonly handle: ConversationHandle,
    readonly server: ServerMessages,
    /** True if the user named the server, false if the bytes showed it. */
    readonly isDeclared: boolean,
  ) {
    this.protocol = server.protocol;
    this.settings = descriptorsIn(handle.definitions);
    this.#transactions = new Transactions(handle);
  }

  next(direction: Direction, window: Window): Step {
    if (!this.#settled && !this.#settle()) return { step: "more", bytes: window.end - window.start + 1 };
    if (this.#unreadable !== "") return { step: "encrypted", reason: this.#unreadable };
    if (!this.#begun.has(direction)) {
      const setup = emptySetup(direction, this.handle.pending(direction));
      if (setup !== undefined) return { step: "message", type: setup };
      const trial = tryMidstream(this.server, direction, this.handle.pending(direction));
      const { messages, telling, begun, stop } = trial;
      if (stop !== "open" || telling > 0 || (this.isDeclared && begun)) this.#begun.add(direction);
      // The capture begins in the middle of a message: one that is full of zeros looks like pings, and what is left of
      // any may look like one short message.
      const isChance = (messages > 0 && telling === 0) || (messages === 1 && stop === "nonsense");
      const isLost = isNonsense(trial) || (!this.isDeclared && isChance);
      if (isLost) {
        this.#begun.add(direction);
        return { step: "search" };
      }
    }
    return messageStep(this.server, direction, window);
  }

  lost(direction: Direction): boolean {
    this.#transactions.lost();
    return !this.#begun.has(direction);
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    if (!this.#decoded.has(direction)) {
      this.#decoded.add(direction);
      nodes.note("ok", "note", 0, "the beginning of the connection was not captured");
    }
    const exchange = this.#transactions.decoded(direction, type, nodes, place);
    nodes.circumstances = this.#player.decoded(type, nodes, exchange);
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    return this.#settled && this.#unreadable === "" ? messageCandidate(this.server, direction, window) : undefined;
  }

  /** Finds out whether the messages are in the clear; false if it is too early to tell. */
  #settle(): boolean {
    const { handle, server } = this;
    const trials = directions
      .filter((direction) => handle.pending(direction).length > 0)
      .map((direction) => tryMidstream(server, direction, messagesOf(direction, handle.pending(direction))));
    const isClear = !server.isEncrypted || trials.some(({ messages }) => messages > 0);
    if (!isClear && !trials.some(isNonsense) && !(handle.ended("c2s") && handle.ended("s2c"))) return false;
    this.#settled = true;
    if (isClear) this.encryptionState = unencrypted;
    else {
      this.#unreadable =
        `encrypted, or something else: no messages of ${this.protocol} in the clear, ` +
        "and encrypted messages cannot be decrypted without the beginning of the connection";
    }
    return true;
  }
}

/** A connection to MOUL's port without its beginning, whose bytes are not messages in the clear. */
export class UnreadableConversation implements ConversationDissector {
  readonly protocol = "moul";
  readonly encryptionState = unknownEncryption;

  lost(): boolean {
    return true;
  }

  next(): Step {
    const reason =
      "encrypted, if it is MOUL: the beginning of the connection, where the key is agreed on, was not captured";
    return { step: "encrypted", reason };
  }
}
