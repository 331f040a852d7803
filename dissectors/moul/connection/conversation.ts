import type { StructType } from "../../../src/schema/index.js";
import type { Nodes } from "../../../src/schema/nodes.js";
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
import type { MoulKeys } from "../keys/moul-keys.js";
import { auth, csr, file, game, gatekeeper } from "../messages/index.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { descriptorsIn, type SdlDescriptors } from "../sdl/descriptors.js";
import { connectPackets } from "./connect-packet.js";
import { cipherOf, type Trial, tryKey } from "./key-choice.js";
import { messageCandidate, messageStep } from "./message-step.js";
import {
  Cli2Srv_Connect,
  SetupPacketType,
  Srv2Cli_Encrypt,
  Srv2Cli_Error,
  unknownSetupPacket,
} from "./setup-packets.js";
import { Transactions } from "./transactions.js";

const WAIT: Step = { step: "wait" };

/** Who a client talks to, by the connection type in its connect packet. */
const servers: ReadonlyMap<number, ServerMessages> = new Map([
  [10, auth],
  [11, game],
  [16, file],
  [20, csr],
  [22, gatekeeper],
]);

/** What a direction is about to bring. */
type Phase = "connect" | "setup" | "messages";

/**
 * One MOUL connection: connect packet, key exchange, then the messages of its server type.
 * Source: specification "The MOUL network protocol"; moul-keys.md.
 */
export class MoulConversation implements ConversationDissector {
  /** Tells the layout of SDL records. */
  readonly settings: SdlDescriptors;
  encryptionState: EncryptionState = { encryption: "unknown", key: "missing", keySource: "" };
  #phase: Record<Direction, Phase> = { c2s: "connect", s2c: "setup" };
  #server: ServerMessages | undefined;
  #y: Uint8Array | undefined;
  #seed: Uint8Array | undefined;
  /** True once it is settled how the messages are to be read. */
  #settled = false;
  /** Why the messages cannot be read; empty if they can. */
  #unreadable = "";

  readonly #transactions: Transactions;

  constructor(
    readonly handle: ConversationHandle,
    readonly keys: MoulKeys,
  ) {
    this.settings = descriptorsIn(handle.definitions);
    this.#transactions = new Transactions(handle.names);
  }

  get protocol(): string {
    return this.#server?.protocol ?? "moul";
  }

  next(direction: Direction, window: Window): Step {
    switch (this.#phase[direction]) {
      case "connect":
        return this.#connectPacket(window);
      case "setup":
        return direction === "c2s" ? { step: "message", type: Cli2Srv_Connect } : this.#serverSetupPacket(window);
      case "messages":
        return this.#message(direction, window);
    }
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: Nodes, place: MessagePlace): void {
    if (this.#phase[direction] === "messages") this.#transactions.decoded(direction, type, nodes, place);
    else if (this.#phase[direction] === "connect") this.#connected(type);
    else if (type === Cli2Srv_Connect) {
      this.#y = nodes.bytes(nodes.child(0, "y")).slice();
      this.#phase.c2s = "messages";
    } else if (type === Srv2Cli_Encrypt) {
      this.#seed = nodes.bytes(nodes.child(0, "seed")).slice();
      this.#phase.s2c = "messages";
    }
  }

  #connectPacket(window: Window): Step {
    const type = connectPackets.get(window.view.getUint8(window.start));
    return type === undefined ? WAIT : { step: "message", type };
  }

  #connected(packet: StructType<unknown>): void {
    this.#server = servers.get(packet.struct.tag ?? -1);
    if (this.#server === file) {
      this.#phase = { c2s: "messages", s2c: "messages" };
      this.#clear();
    } else this.#phase.c2s = "setup";
  }

  #serverSetupPacket(window: Window): Step {
    // Until the connect packet has been seen, nobody knows whether there is a key exchange at all.
    if (this.#server === undefined) return WAIT;
    const type = window.view.getUint8(window.start);
    if (type === SetupPacketType.Encrypt) return { step: "message", type: Srv2Cli_Encrypt };
    if (type === SetupPacketType.Error) return { step: "message", type: Srv2Cli_Error };
    const reason = `${type} is not a type of a set-up packet that servers send`;
    return { step: "unknown", name: "Srv2Cli_Setup", head: unknownSetupPacket, reason };
  }

  #message(direction: Direction, window: Window): Step {
    if (!this.#settled) {
      const undecided = this.#settle(direction);
      if (undecided !== undefined) return undecided;
    }
    if (this.#unreadable !== "") return { step: "encrypted", reason: this.#unreadable };
    return this.#server === undefined ? WAIT : messageStep(this.#server, direction, window);
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    const server = this.#server;
    if (server === undefined || !this.#settled || this.#unreadable !== "" || this.#phase[direction] !== "messages") {
      return undefined;
    }
    return messageCandidate(server, direction, window);
  }

  /** Finds out how the messages are to be read; gives what has to be waited for if it is too early to tell. */
  #settle(direction: Direction): Step | undefined {
    const { handle } = this;
    const [server, y, seed] = [this.#server, this.#y, this.#seed];
    if (server === undefined || y === undefined || seed === undefined) return WAIT;
    if (y.length === 0 || seed.length === 0) {
      this.#clear();
      return undefined;
    }

    // All are tried before one is believed: a wrong one makes sense by chance now and then.
    let best: Choice | undefined;
    let sources = "";
    for (const { key, source } of this.keys.candidates(server.protocol, y, seed)) {
      best = better(best, { key, source, trials: this.#tryBoth(server, key) });
      sources += sources === "" ? source : `, ${source}`;
    }
    best = better(best, { key: undefined, source: "", trials: this.#tryBoth(server, undefined) });

    const certain = best !== undefined && messagesIn(best) > 0;
    const ended = handle.ended("c2s") && handle.ended("s2c");
    if (!certain && !ended && best !== undefined) return { step: "more", bytes: handle.pending(direction).length + 1 };
    const believed = certain || (best?.key !== undefined && ended);
    if (believed && best?.key !== undefined) this.#decrypt(best.key, best.source);
    else if (believed) this.#clear();
    else this.#encrypted(server, sources);
    return undefined;
  }

  /** What the two directions look like with a key; undefined if one of them makes no sense. */
  #tryBoth(server: ServerMessages, key: Uint8Array | undefined): readonly Trial[] {
    return (["c2s", "s2c"] as const)
      .filter((direction) => this.#phase[direction] === "messages")
      .map((direction) => tryKey(server, direction, this.handle.pending(direction), key));
  }

  #clear(): void {
    this.#settled = true;
    this.encryptionState = { encryption: "none", key: "not-needed", keySource: "" };
  }

  #decrypt(key: Uint8Array, keySource: string): void {
    this.#settled = true;
    this.encryptionState = { encryption: "rc4", key: "recovered", keySource };
    this.handle.decrypt("c2s", cipherOf(key));
    this.handle.decrypt("s2c", cipherOf(key));
  }

  #encrypted(server: ServerMessages, sources: string): void {
    this.#settled = true;
    this.encryptionState = { encryption: "rc4", key: sources === "" ? "missing" : "wrong", keySource: sources };
    const which = server.protocol.slice(server.protocol.indexOf(".") + 1);
    this.#unreadable =
      sources === ""
        ? `encrypted, and no key of the ${which} server was given; give its configuration or a key log with --keys`
        : `encrypted, and the key of the ${which} server that was given does not fit (${sources})`;
  }
}

/** A way to read the messages, and what came of trying it. */
interface Choice {
  readonly key: Uint8Array | undefined;
  readonly source: string;
  readonly trials: readonly Trial[];
}

function messagesIn(choice: Choice): number {
  return choice.trials.reduce((sum, trial) => sum + trial.messages, 0);
}

/** The choice that makes more sense; one with a direction that begins with nonsense makes none. */
function better(best: Choice | undefined, other: Choice): Choice | undefined {
  if (other.trials.some((trial) => trial.messages === 0 && trial.stop === "nonsense")) return best;
  return best === undefined || messagesIn(other) > messagesIn(best) ? other : best;
}
