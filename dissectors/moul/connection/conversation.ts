import { copyOf, type DecodedTree, type FieldTree, type StructType } from "../../../src/schema/index.js";
import {
  type Candidate,
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  directions,
  type EncryptionState,
  type MessagePlace,
  Rc4,
  type Step,
  unencrypted,
  unknownEncryption,
  type Window,
} from "../../../src/session/dissector.js";
import { keyLogLine } from "../keys/key-log.js";
import type { MoulKeys } from "../keys/moul-keys.js";
import { servers } from "../messages/index.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { descriptorsIn, type SdlDescriptors } from "../sdl/descriptors.js";
import { connectPackets } from "./connect-packet.js";
import { errorOf } from "./error.js";
import { isConvincing, TRIAL_BYTES, type Trial, tryKey } from "./key-trial.js";
import { type Choice, verdictOn, whyNoKeyFits } from "./key-verdict.js";
import { LateCipher } from "./late-cipher.js";
import { messageCandidate, messageStep } from "./message-step.js";
import { Player } from "./player.js";
import {
  Cli2Srv_Connect,
  EMPTY_SETUP_BYTES,
  ENCRYPT_BYTES,
  emptySetup,
  Srv2Cli_Encrypt,
  Srv2Cli_Error,
  setupPackets,
  unknownSetupPacket,
} from "./setup-packets.js";
import { Transactions } from "./transactions.js";

const WAIT: Step = { step: "wait" };

/** What comes next in a direction. */
type Phase = "connect" | "setup" | "messages";

const EARLY =
  "in the clear, before the server's half of the key exchange: clients take it for a set-up packet of a type that does not exist";

const CLEAR_TEXT: Choice = { key: undefined, source: "" };

/** How the messages are read. */
type Reading =
  /** Not settled yet; there are choices to decide between once the key exchange is known. */
  | { readonly is: "undecided"; readonly choices: readonly Choice[] | undefined }
  | { readonly is: "clear" }
  /** The session key is secret. */
  | { readonly is: "decrypted"; readonly key: Uint8Array }
  | { readonly is: "unreadable"; readonly reason: string };

/**
 * One MOUL connection: connect packet, key exchange, then the messages of its server type.
 * Source: specification "The MOUL network protocol"; encryption_keys; pnNetCli/pnNcCli.cpp.
 */
export class MoulConversation implements ConversationDissector {
  /** Gives the layout of SDL records. */
  readonly settings: SdlDescriptors;
  encryptionState = unknownEncryption;
  #phase: Record<Direction, Phase> = { c2s: "connect", s2c: "setup" };
  #server: ServerMessages | undefined;
  #y: Uint8Array | undefined;
  #seed: Uint8Array | undefined;
  #reading: Reading = { is: "undecided", choices: undefined };
  /**
   * Set for a direction with a gap before its next message: the number of bytes missing where a set-up packet should
   * be, otherwise 0.
   */
  readonly #lost: Record<Direction, number | undefined> = { c2s: undefined, s2c: undefined };
  /** Whether the client has sent a message, or bytes that are missing. */
  #clientSpoke = false;
  /** Bytes of the server's half of the key exchange that have not been decoded. */
  #unseen = ENCRYPT_BYTES;

  readonly #transactions: Transactions;
  readonly #player = new Player();

  constructor(
    readonly handle: ConversationHandle,
    readonly keys: MoulKeys,
  ) {
    this.settings = descriptorsIn(handle.definitions);
    this.#transactions = new Transactions(handle);
  }

  get protocol(): string {
    return this.#server?.protocol ?? "moul";
  }

  keyLogLine(): string | undefined {
    if (this.#reading.is !== "decrypted" || this.#y === undefined) return undefined;
    return keyLogLine(this.#y, this.#reading.key);
  }

  get isSettled(): boolean {
    return this.#reading.is !== "undecided";
  }

  next(direction: Direction, window: Window): Step {
    switch (this.#phase[direction]) {
      case "connect":
        return this.#connectPacket(window);
      case "setup":
        return this.#setupPacket(direction, window);
      case "messages":
        return this.#message(direction, window);
    }
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    const phase = this.#phase[direction];
    if (phase === "connect") this.#connected(type);
    else if (phase === "setup") this.#setUp(type, nodes);
    else {
      if (direction === "c2s") this.#clientSpoke = true;
      const exchange = this.#transactions.decoded(direction, type, nodes, place);
      nodes.circumstances = this.#player.decoded(type, nodes, exchange);
    }
  }

  #setUp(type: StructType<unknown>, nodes: DecodedTree): void {
    if (type === Cli2Srv_Connect) {
      this.#y = broughtBy(nodes, "y");
      this.#phase.c2s = "messages";
      this.#agreed();
    } else if (type === Srv2Cli_Encrypt) {
      this.#seed = broughtBy(nodes, "seed");
      this.#unseen = Math.max(0, this.#seed === undefined ? ENCRYPT_BYTES - nodes.endOf(0) : 0);
      this.#phase.s2c = "messages";
      this.#agreed();
    } else if (type === Srv2Cli_Error) {
      nodes.circumstances = { error: errorOf(type, nodes) };
    } else nodes.note("ok", "warning", 0, EARLY);
  }

  /** Settles on clear text if both sides have asked for no encryption, whether or not messages follow. */
  #agreed(): void {
    if (this.#y?.length === 0 && this.#seed?.length === 0 && !this.isSettled) this.#clear();
  }

  lost(direction: Direction, length: number): boolean {
    this.#transactions.lost();
    if (direction === "c2s") this.#clientSpoke = true;
    const isSetup = this.#phase[direction] === "setup";
    if (this.isSettled && !isSetup) {
      this.#lost[direction] = undefined;
      // What cannot be read is encrypted wherever it begins.
      return this.#reading.is === "unreadable";
    }
    // A part of the server's half may have arrived.
    const isOfSetup =
      isSetup || (direction === "s2c" && this.#seed === undefined && this.#lost[direction] === undefined);
    this.#phase[direction] = "messages";
    this.#lost[direction] = isOfSetup ? length : 0;
    return true;
  }

  #connectPacket(window: Window): Step {
    const type = connectPackets.get(window.view.getUint8(window.start));
    return type === undefined ? WAIT : { step: "message", type, length: type.struct.minimumWidth };
  }

  #connected(packet: StructType<unknown>): void {
    this.#server = servers.find(({ connect }) => connect === packet);
    if (this.#server?.isEncrypted === false) {
      this.#phase = { c2s: "messages", s2c: "messages" };
      this.#clear();
    } else this.#phase.c2s = "setup";
  }

  #setupPacket(direction: Direction, window: Window): Step {
    // Until the connect packet has been seen, it is not known whether there is a key exchange.
    if (this.#server === undefined) return WAIT;
    if (direction === "s2c") {
      if (this.#isEarlyMessage(this.#server)) return messageStep(this.#server, direction, window);
      if (this.#isAnswerMissing(this.#server)) {
        this.#phase.s2c = "messages";
        return this.#message(direction, window);
      }
    }
    const { view, start, end } = window;
    if (end - start < 2) return { step: "more", bytes: 2 };
    const number = view.getUint8(start);
    const length = view.getUint8(start + 1);
    const type = setupPackets[direction].get(number);
    const name = `${direction === "c2s" ? "Cli2Srv" : "Srv2Cli"}_Setup`;
    const head = unknownSetupPacket;
    if (type === undefined) {
      const who = direction === "c2s" ? "clients" : "servers";
      return { step: "unknown", name, head, reason: `${number} is not a type of set-up packet that ${who} send` };
    }
    if (length < 2) {
      return { step: "malformed", name, head, reason: `the byte count of ${length} does not even include itself` };
    }
    return { step: "message", type };
  }

  /**
   * Whether a message in the clear comes before the server's half of the key exchange. NAGUS sends a returning client
   * what it has missed as soon as the client has given its token. Clients say nothing before the exchange is over: if
   * this one has, the server's half will not come.
   *
   * Source: NAGUS: auth_server.py, read_connect_packet_data.
   */
  #isEarlyMessage(server: ServerMessages): boolean {
    // A part of the client's half of the exchange, waiting for the rest, is not a message.
    const isSpeaking = this.#phase.c2s === "messages" && this.handle.pending("c2s").length > 0;
    if (this.#clientSpoke || isSpeaking) return false;
    return isMessageType(server, this.handle.pending("s2c"));
  }

  /**
   * Whether the server's half of the key exchange is missing without a gap, as the SYNs were not captured either, and
   * the available bytes are messages in the clear. A server may also never send it: MOSS built with
   * `--enable-encryption=none` accepts the client's half and does not answer it.
   *
   * Source: MOSS: configure.ac; MOSS: AuthServer.cc, where only other builds call `setup_rc4_key`.
   */
  #isAnswerMissing(server: ServerMessages): boolean {
    const pending = this.handle.pending("s2c");
    if (this.#y !== undefined && this.#y.length > 0) return isMessageType(server, pending);
    return emptySetup("s2c", pending) === undefined && isConvincing(tryKey(server, "s2c", pending));
  }

  #message(direction: Direction, window: Window): Step {
    if (this.#reading.is === "undecided") {
      const undecided = this.#settle(this.#reading.choices);
      if (undecided !== undefined) return undecided;
    }
    if (this.#reading.is === "unreadable") return { step: "encrypted", reason: this.#reading.reason };
    const missing = this.#lost[direction];
    if (missing !== undefined) {
      this.#lost[direction] = undefined;
      // If only the set-up packet is missing, the first message comes right after it. The answer to a y has a seed.
      const hasSeed = direction === "s2c" && this.#y?.length !== 0;
      if (missing !== (hasSeed ? this.#unseen : EMPTY_SETUP_BYTES)) return { step: "search" };
    }
    return this.#server === undefined ? WAIT : messageStep(this.#server, direction, window);
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    const server = this.#server;
    const isReadable = this.#reading.is === "clear" || this.#reading.is === "decrypted";
    if (server === undefined || !isReadable || this.#phase[direction] !== "messages") return undefined;
    return messageCandidate(server, direction, window);
  }

  /**
   * Finds out how the messages are to be read; returns the step that waits for more if it is too early to tell.
   *
   * @param known the choices of an earlier call that could not decide between them
   */
  #settle(known: readonly Choice[] | undefined): Step | undefined {
    const { handle } = this;
    const [server, y, seed] = [this.#server, this.#y, this.#seed];
    if (server === undefined) return WAIT;
    if (y?.length === 0 || seed?.length === 0) {
      this.#clear();
      return undefined;
    }
    const whole = y !== undefined && seed !== undefined;
    // The client asks first: its requests must not wait until the server's answers to them have been read.
    if (this.#phase.s2c === "setup" && this.#isAnswerMissing(server)) this.#phase.s2c = "messages";
    if (!whole && !this.#exchangeIsBroken()) return WAIT;

    // All are tried, on the available bytes of both directions, before one is believed. A key log needs no seed.
    const keys = y === undefined ? [] : this.keys.candidates(server.protocol, y, seed ?? new Uint8Array(0));
    const choices = known ?? [...keys, CLEAR_TEXT];
    this.#reading = { is: "undecided", choices };
    const tried = choices.map((choice) => ({ ...choice, trials: this.#try(server, choice.key) }));
    const isAll =
      directions.every((direction) => handle.ended(direction)) ||
      directions.some((direction) => handle.pending(direction).length >= TRIAL_BYTES);
    const verdict = verdictOn(tried, isAll);
    if (verdict.is === "open") return verdict.step;
    if (verdict.is === "chosen") this.#believe(verdict.choice);
    else this.#giveUp(server, choices, whole);
    return undefined;
  }

  /** True if the key exchange will never be complete. */
  #exchangeIsBroken(): boolean {
    return (
      (this.#y === undefined && (this.#phase.c2s === "messages" || this.handle.ended("c2s"))) ||
      (this.#seed === undefined && (this.#phase.s2c === "messages" || this.handle.ended("s2c")))
    );
  }

  /** Tries a key, or clear text, on each direction that can be tried. */
  #try(server: ServerMessages, key: Uint8Array | undefined): readonly Trial[] {
    return directions
      .filter(
        (direction) =>
          this.#phase[direction] === "messages" && (key === undefined || this.#lost[direction] === undefined),
      )
      .map((direction) => tryKey(server, direction, this.handle.pending(direction), { key }));
  }

  #believe({ key, source }: Choice): void {
    if (key === undefined) {
      this.#clear();
      return;
    }
    this.#decide({ is: "decrypted", key }, { encryption: "rc4", key: "recovered", keySource: source });
    // Both directions share the key; each has a cipher state of its own.
    this.handle.decrypt("c2s", new Rc4(key));
    const fromServer = new Rc4(key);
    this.handle.decrypt("s2c", this.#unseen === 0 ? fromServer : new LateCipher(fromServer, this.#unseen));
  }

  #clear(): void {
    this.#decide({ is: "clear" }, unencrypted);
  }

  /** Settles that the messages are encrypted and no choice fits. */
  #giveUp(server: ServerMessages, choices: readonly Choice[], whole: boolean): void {
    const sources = choices.map(({ source }) => source).filter((source) => source !== "");
    const keySource = sources.join(", ");
    const reason = whole
      ? whyNoKeyFits(server, keySource, this.keys.publicSources(server.protocol).join(", "))
      : "encrypted, and the key exchange is incomplete";
    const key = sources.length === 0 ? "missing" : "wrong";
    this.#decide({ is: "unreadable", reason }, { encryption: "rc4", key, keySource });
  }

  #decide(reading: Reading, encryptionState: EncryptionState): void {
    this.#reading = reading;
    this.encryptionState = encryptionState;
    // It is no longer needed.
    this.#seed = undefined;
  }
}

/** Whether a server's bytes begin with the type of a message, and not with a set-up packet. */
function isMessageType(server: ServerMessages, [low = -1, high]: Uint8Array): boolean {
  // Where a set-up packet has its byte count, at least 2, a message has the upper half of its type.
  return high === 0 && server.s2c.get(low) !== undefined;
}

/** The value that a set-up packet carries; undefined if the packet is incomplete. */
function broughtBy(nodes: FieldTree, name: string): Uint8Array | undefined {
  const node = nodes.child(0, name);
  return nodes.outcome === "ok" && node >= 0 ? copyOf(nodes.bytes(node)) : undefined;
}
