import type {
  Candidate,
  ConversationDissector,
  ConversationHandle,
  Direction,
  EncryptionState,
  MessagePlace,
  Step,
  Window,
} from "moul-dissect/dissector";
import type { DecodedTree, StructType } from "moul-dissect/schema";
import { keyLogLine } from "../keys/formats/key-log.js";
import type { MoulKeys } from "../keys/moul-keys.js";
import { descriptorsIn, type SdlDescriptors } from "../sdl/descriptors.js";
import { roleOf } from "./context/message-roles.js";
import { Player } from "./context/player.js";
import { Transactions } from "./context/transactions.js";
import { KeyExchange, WAIT } from "./encryption/key-exchange.js";
import { Reading } from "./encryption/reading.js";
import { messageCandidate, messageStep } from "./message-step.js";
import { opening } from "./midstream/spoken-server.js";

/** One MOUL connection: connect packet, key exchange, then the messages of its server type. */
export class MoulConversation implements ConversationDissector {
  /** Gives the layout of SDL records. */
  readonly settings: SdlDescriptors;
  readonly #exchange: KeyExchange;
  readonly #reading: Reading;
  readonly #transactions: Transactions;
  readonly #player = new Player();
  /** Directions in which a message has been decoded. */
  readonly #spoken = new Set<Direction>();

  constructor(handle: ConversationHandle, keys: MoulKeys) {
    this.settings = descriptorsIn(handle.definitions);
    this.#exchange = new KeyExchange(handle);
    this.#reading = new Reading(handle, keys);
    this.#transactions = new Transactions(handle);
  }

  get protocol(): string {
    return this.#exchange.server?.protocol ?? "moul";
  }

  get encryptionState(): EncryptionState {
    return this.#reading.encryptionState;
  }

  get isSettled(): boolean {
    return this.#reading.method !== undefined;
  }

  keyLogLine(): string | undefined {
    const { method } = this.#reading;
    const { y } = this.#exchange;
    return method?.is !== "decrypted" || y === undefined ? undefined : keyLogLine(y, method.key);
  }

  next(direction: Direction, window: Window): Step {
    return this.#exchange.next(direction, window) ?? this.#message(direction, window);
  }

  #message(direction: Direction, window: Window): Step {
    if (!this.isSettled) {
      const undecided = this.#reading.settle(this.#exchange);
      if (undecided !== undefined) return undecided;
    }
    const { method } = this.#reading;
    if (method?.is === "unreadable") return { step: "encrypted", reason: method.reason };
    if (!this.#exchange.skipGap(direction)) return { step: "search" };
    const { server } = this.#exchange;
    return server === undefined ? WAIT : messageStep(server, direction, window);
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    if (this.#exchange.decoded(direction, type, nodes)) {
      // That is certain whether or not messages follow.
      if (this.#exchange.isWithoutKey && !this.isSettled) this.#reading.clear();
      return;
    }
    this.#spoken.add(direction);
    const role = roleOf(type);
    const exchange = this.#transactions.decoded(direction, role, nodes, place);
    nodes.context = this.#player.decoded(role, nodes, exchange);
  }

  lost(direction: Direction, length: number): boolean {
    this.#transactions.lost();
    // What cannot be read is encrypted wherever it begins.
    return this.#exchange.lost(direction, length, this.isSettled) || this.#reading.method?.is === "unreadable";
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    const { server } = this.#exchange;
    const isReadable = this.isSettled && this.#reading.method?.is !== "unreadable";
    if (server === undefined || !isReadable || !this.#exchange.isOver(direction)) return undefined;
    const found = messageCandidate(server, direction, window);
    // These come before all others.
    const isPast = this.#spoken.has(direction) && typeof found === "object" && opening.has(found.type);
    return isPast ? undefined : found;
  }
}
