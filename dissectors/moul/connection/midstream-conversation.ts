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
import { tryKey } from "./key-choice.js";
import { messageCandidate, messageStep } from "./message-step.js";
import { Transactions } from "./transactions.js";

/** The server whose protocol has this name: "moul.game". */
export function serverOf(protocol: string): ServerMessages | undefined {
  return servers.find((server) => server.protocol === protocol);
}

/**
 * A connection without its beginning, of which the user has declared what it is: messages from the first byte on, in the
 * clear. A key is of no use here: its stream would have to be known from the beginning.
 */
export class DeclaredConversation implements ConversationDissector {
  readonly protocol: string;
  readonly settings: SdlDescriptors;
  encryptionState: EncryptionState = { encryption: "unknown", key: "missing", keySource: "" };
  #settled = false;
  #unreadable = "";
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
    return messageStep(this.server, direction, window);
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: Nodes, place: MessagePlace): void {
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
      .map((direction) => tryKey(server, direction, handle.pending(direction), undefined));
    const isClear = server === file || trials.some(({ messages }) => messages > 0);
    const isNonsense = trials.some(({ messages, stop }) => messages === 0 && stop === "nonsense");
    if (!isClear && !isNonsense && !(handle.ended("c2s") && handle.ended("s2c"))) return false;
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
