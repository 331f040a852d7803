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
} from "moul-dissect/dissector";
import type { DecodedTree, StructType } from "moul-dissect/schema";
import type { ServerMessages } from "../../messages/messageTable.js";
import { descriptorsIn, type SdlDescriptors } from "../../sdl/descriptors.js";
import { roleOf } from "../context/message-roles.js";
import { Player } from "../context/player.js";
import { Transactions } from "../context/transactions.js";
import { isNonsense, TRIAL_BYTES, TRIAL_MESSAGES, type Trial } from "../encryption/key-trial.js";
import { messageCandidate, messageStep } from "../message-step.js";
import { emptySetup } from "../setup-packets.js";
import { isEnoughMidstream, opening, speaksWithin, tryMidstream } from "./spoken-server.js";

/**
 * Messages in a row, pings apart, that the first bytes of a direction have to be; the same after a set-up packet, or if
 * nothing follows them so far and the first bytes of the connection have shown the server.
 */
const LEAST_TELLING = 2;
const LEAST_AFTER_SETUP = 1;
const LEAST_EXACT = 1;

/**
 * What shows which server a connection without its beginning belongs to: the user has named it, the first bytes are
 * messages, or messages begin somewhere within the first bytes.
 */
type ServerEvidence = "declared" | "spoken" | "within";

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
    readonly evidence: ServerEvidence,
  ) {
    this.protocol = server.protocol;
    this.settings = descriptorsIn(handle.definitions);
    this.#transactions = new Transactions(handle);
  }

  next(direction: Direction, window: Window): Step {
    if (!this.#settled && !this.#settle()) return { step: "more", bytes: window.end - window.start + 1 };
    if (this.#unreadable !== "") return { step: "encrypted", reason: this.#unreadable };
    const first = this.#begun.has(direction) ? undefined : this.#first(direction);
    return first ?? messageStep(this.server, direction, window);
  }

  /** The first step of a direction; undefined if it begins with a message. */
  #first(direction: Direction): Step | undefined {
    const { server, handle } = this;
    const pending = handle.pending(direction);
    const setup = emptySetup(direction, pending);
    if (setup !== undefined && this.evidence === "declared") return { step: "message", type: setup };
    const trial = tryMidstream(server, direction, pending);
    const makesSense = this.#makesSense(trial, setup !== undefined);
    // No more than these messages are tried, however many bytes come.
    const isAll = trial.messages >= TRIAL_MESSAGES || pending.length >= TRIAL_BYTES;
    const mayCome = trial.stop !== "nonsense" && !isAll && !handle.ended(direction);
    if (mayCome && !(trial.begun && makesSense)) return { step: "more", bytes: pending.length + 1 };
    this.#begun.add(direction);
    if (!makesSense) return { step: "search" };
    return setup && { step: "message", type: setup };
  }

  /**
   * True if the first bytes of a direction are messages. The last bytes of another one may look like a message, or like
   * several pings if they are zeros: unless the user named the server, it takes more of them, or one without pings that
   * ends where the bytes do. Where at least one direction is known to begin within a message, pings are not believed at
   * all.
   */
  #makesSense(trial: Trial, isAfterSetup: boolean): boolean {
    if (this.evidence === "declared") return !isNonsense(trial);
    const { messages, telling, stop } = trial;
    const isSpoken = this.evidence === "spoken";
    const isWithoutPings = telling === messages;
    const isExact = isSpoken && isWithoutPings && stop === "end";
    const least = isAfterSetup ? LEAST_AFTER_SETUP : isExact ? LEAST_EXACT : LEAST_TELLING;
    return stop !== "nonsense" && telling >= least && (isSpoken || isWithoutPings);
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
    const role = roleOf(type);
    const exchange = this.#transactions.decoded(direction, role, nodes, place);
    nodes.context = this.#player.decoded(role, nodes, exchange);
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    if (!this.#settled || this.#unreadable !== "") return undefined;
    const found = messageCandidate(this.server, direction, window);
    // What is searched for comes after the first message of the direction.
    return typeof found === "object" && opening.has(found.type) ? undefined : found;
  }

  /** Finds out whether the messages are in the clear; false if it is too early to tell. */
  #settle(): boolean {
    const isClear = this.#isClear();
    if (isClear === undefined) return false;
    this.#settled = true;
    if (isClear) this.encryptionState = unencrypted;
    else {
      this.#unreadable =
        `encrypted, or something else: no messages of ${this.protocol} in the clear, ` +
        "and encrypted messages cannot be decrypted without the beginning of the connection";
    }
    return true;
  }

  #isClear(): boolean | undefined {
    const { handle, server } = this;
    // What has shown the server are messages in the clear.
    if (this.evidence !== "declared" || !server.isEncrypted) return true;
    const pending = { c2s: handle.pending("c2s"), s2c: handle.pending("s2c") };
    const trials = directions
      .filter((direction) => pending[direction].length > 0)
      .map((direction) => tryMidstream(server, direction, pending[direction]));
    if (trials.some(({ messages }) => messages > 0)) return true;
    const ended = directions.filter((direction) => handle.ended(direction)).length;
    const isAll = trials.some(isNonsense)
      ? ended > 0 || isEnoughMidstream(pending.c2s, pending.s2c)
      : ended === directions.length;
    return isAll ? directions.some((direction) => speaksWithin(server, direction, pending[direction])) : undefined;
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
