import type { Nodes, StructType } from "../../../src/schema/index.js";
import type {
  Candidate,
  ConversationDissector,
  ConversationHandle,
  Direction,
  EncryptionState,
  MessagePlace,
  Step,
  Window,
} from "../../../src/session/dissector.js";
import { file, servers } from "../messages/index.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { descriptorsIn, type SdlDescriptors } from "../sdl/descriptors.js";
import { Player } from "./circumstances.js";
import { isConvincing, isNonsense, tryKey } from "./key-choice.js";
import { messageCandidate, messageStep } from "./message-step.js";
import { Transactions } from "./transactions.js";

/** The server whose protocol has this name: "moul.game". */
export function serverOf(protocol: string): ServerMessages | undefined {
  return servers.find((server) => server.protocol === protocol);
}

/** The server whose messages in the clear these bytes are; undefined if none makes sense, or several equally much. */
export function serverSpoken(c2s: Uint8Array, s2c: Uint8Array): ServerMessages | undefined {
  let best: ServerMessages | undefined;
  let most = 0;
  for (const server of servers) {
    const trials = [tryKey(server, "c2s", c2s), tryKey(server, "s2c", s2c)];
    const sense = trials.filter((trial) => trial.stop !== "nonsense" && isConvincing(trial));
    const messages = sense.reduce((sum, trial) => sum + trial.messages, 0);
    // One message alone may be chance.
    if (messages < 2 || messages < most) continue;
    best = messages === most ? undefined : server;
    most = messages;
  }
  return best;
}

/**
 * A connection without its beginning, of which the bytes or the user say what it is: messages in the clear. A key is of
 * no use here: its stream would have to be known from the beginning.
 */
export class MidstreamConversation implements ConversationDissector {
  readonly protocol: string;
  readonly settings: SdlDescriptors;
  encryptionState: EncryptionState = { encryption: "unknown", key: "missing", keySource: "" };
  #settled = false;
  #unreadable = "";
  /** Directions of which the first bytes were looked at: whether a message begins there. */
  readonly #begun = new Set<Direction>();
  /** Directions of which a message was decoded. */
  readonly #decoded = new Set<Direction>();
  readonly #transactions: Transactions;
  readonly #player = new Player();

  constructor(
    readonly handle: ConversationHandle,
    readonly server: ServerMessages,
  ) {
    this.protocol = server.protocol;
    this.settings = descriptorsIn(handle.definitions);
    this.#transactions = new Transactions(handle.names);
  }

  next(direction: Direction, window: Window): Step {
    if (!this.#settled && !this.#settle()) return { step: "more", bytes: window.end - window.start + 1 };
    if (this.#unreadable !== "") return { step: "encrypted", reason: this.#unreadable };
    if (!this.#begun.has(direction)) {
      const trial = tryKey(this.server, direction, this.handle.pending(direction));
      if (trial.begun || isNonsense(trial)) this.#begun.add(direction);
      // The capture begins in the middle of a message.
      if (isNonsense(trial)) return { step: "search" };
    }
    return messageStep(this.server, direction, window);
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: Nodes, place: MessagePlace): void {
    if (!this.#decoded.has(direction)) {
      this.#decoded.add(direction);
      nodes.note("ok", "note", 0, "the beginning of the connection was not captured");
    }
    const answers = this.#transactions.decoded(direction, type, nodes, place);
    nodes.circumstances = this.#player.decoded(type, nodes, answers);
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    return this.#settled && this.#unreadable === "" ? messageCandidate(this.server, direction, window) : undefined;
  }

  /** Finds out whether the messages are in the clear; false if it is too early to tell. */
  #settle(): boolean {
    const { handle, server } = this;
    const trials = (["c2s", "s2c"] as const)
      .filter((direction) => handle.pending(direction).length > 0)
      .map((direction) => tryKey(server, direction, handle.pending(direction)));
    const isClear = server === file || trials.some(({ messages }) => messages > 0);
    if (!isClear && !trials.some(isNonsense) && !(handle.ended("c2s") && handle.ended("s2c"))) return false;
    this.#settled = true;
    if (isClear) this.encryptionState = { encryption: "none", key: "not-needed", keySource: "" };
    else {
      this.#unreadable =
        `no messages of ${this.protocol} in the clear; if they are encrypted, ` +
        "they cannot be decrypted without the beginning of the connection";
    }
    return true;
  }
}

/** A connection to MOUL's port without its beginning, of which the bytes are no messages in the clear. */
export class UnreadableConversation implements ConversationDissector {
  readonly protocol = "moul";
  readonly encryptionState: EncryptionState = { encryption: "unknown", key: "missing", keySource: "" };

  next(): Step {
    const reason =
      "encrypted, if it is MOUL: the beginning of the connection, where the key is agreed on, was not captured";
    return { step: "encrypted", reason };
  }
}
