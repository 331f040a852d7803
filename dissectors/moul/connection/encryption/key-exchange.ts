import { type ConversationHandle, type Direction, inDirection, type Step, type Window } from "moul-dissect/dissector";
import type { DecodedTree, FieldTree, StructType } from "moul-dissect/schema";
import { servers } from "../../messages/index.js";
import type { ServerMessages } from "../../messages/messageTable.js";
import { connectPackets } from "../connect-packet.js";
import { statedBuild } from "../context/build.js";
import { failureIn } from "../context/error.js";
import { messageStep } from "../message-step.js";
import {
  Cli2Srv_Connect,
  EMPTY_SETUP_BYTES,
  ENCRYPT_BYTES,
  emptySetup,
  isSetupPacket,
  Srv2Cli_Encrypt,
  Srv2Cli_Error,
  setupStep,
} from "../setup-packets.js";
import { isConvincing, tryKey } from "./key-trial.js";

/** The step for bytes that cannot be interpreted before others have come. */
export const WAIT: Step = { step: "wait" };

/** What comes next in a direction. */
type Phase = "connect" | "setup" | "messages";

const EARLY =
  "in the clear, before the server's half of the key exchange: clients take it for a set-up packet of a type that does not exist";

/**
 * The beginning of a MOUL connection, up to the first message of each direction: the connect packet, then a half of the
 * key exchange from each side. Any of them may be missing.
 * Source: specification "The MOUL network protocol"; encryption_keys; pnNetCli/pnNcCli.cpp.
 */
export class KeyExchange {
  #phase: Record<Direction, Phase> = { c2s: "connect", s2c: "setup" };
  #server: ServerMessages | undefined;
  /** Both halves have one character per byte: as typed arrays, they would take twice 200 bytes more per connection. */
  #y: string | undefined;
  #seed: string | undefined;
  /** Bytes of the server's half that have not been decoded. */
  #unseen = ENCRYPT_BYTES;
  /**
   * Set for a direction with a gap before its next message: the number of bytes missing where a set-up packet should
   * be, otherwise 0.
   */
  readonly #gap: Record<Direction, number | undefined> = { c2s: undefined, s2c: undefined };
  /**
   * Bytes missing before the available ones, since the last set-up packet; undefined after more than one gap, as bytes
   * between them have passed.
   */
  readonly #missing: Record<Direction, number | undefined> = { c2s: 0, s2c: 0 };
  /** Whether the client has sent a message, or bytes that are missing. */
  #clientSpoke = false;

  constructor(readonly handle: ConversationHandle) {}

  /** The server that the client connects to; undefined before the connect packet. */
  get server(): ServerMessages | undefined {
    return this.#server;
  }

  /** The client's half; undefined if it has not been decoded. Empty asks for no encryption. */
  get y(): Uint8Array | undefined {
    return bytesOf(this.#y);
  }

  /** The server's half; undefined if it has not been decoded. Empty asks for no encryption. */
  get seed(): Uint8Array | undefined {
    return bytesOf(this.#seed);
  }

  /** How many bytes of the server's half have not been decoded. They are in the clear, wherever they are. */
  get unseenBytes(): number {
    return this.#unseen;
  }

  /** True if both halves are known. */
  get isWhole(): boolean {
    return this.#y !== undefined && this.#seed !== undefined;
  }

  /** True if there is no encryption on this type of server, or both sides have asked for none. */
  get isWithoutKey(): boolean {
    return this.#server?.isEncrypted === false || (this.#y?.length === 0 && this.#seed?.length === 0);
  }

  /** True if messages come next in a direction. */
  isOver(direction: Direction): boolean {
    return inDirection(this.#phase, direction) === "messages";
  }

  /** True if bytes are missing before the next message of a direction. */
  hasGap(direction: Direction): boolean {
    return this.#gap[direction] !== undefined;
  }

  /**
   * How many encrypted bytes are missing before the available ones of a direction, before it is settled how messages are
   * read; undefined if that is not known.
   */
  missingBytes(direction: Direction): number | undefined {
    const missing = inDirection(this.#missing, direction);
    if (missing === undefined || missing === 0 || direction === "c2s") return missing;
    return missing < this.#unseen ? undefined : missing - this.#unseen;
  }

  /**
   * Returns true once both halves are known, or as much of them as ever will be; that the server's is missing may be
   * noticed only now.
   */
  isConcluded(): boolean {
    const server = this.#server;
    if (server === undefined) return false;
    // The client asks first: its requests must not wait until the server's answers to them have been read.
    if (this.#phase.s2c === "setup" && this.#isAnswerMissing(server)) this.#phase.s2c = "messages";
    const isPast = (direction: Direction) =>
      this.isOver(direction) || (this.handle.ended(direction) && !this.#isHalfPending(direction));
    const isBroken = (this.#y === undefined && isPast("c2s")) || (this.#seed === undefined && isPast("s2c"));
    return isBroken || this.isWhole;
  }

  /** Whether a half of the key exchange has come, and waits for its turn. */
  #isHalfPending(direction: Direction): boolean {
    return isSetupPacket(direction, this.handle.pending(direction));
  }

  /** Decides what comes next in a direction; undefined once that is a message like any other. */
  next(direction: Direction, window: Window): Step | undefined {
    switch (inDirection(this.#phase, direction)) {
      case "connect":
        return connectStep(window);
      case "setup":
        return this.#setupStep(direction, window);
      case "messages":
        return undefined;
    }
  }

  #setupStep(direction: Direction, window: Window): Step | undefined {
    // Until the connect packet has been seen, it is not known whether there is a key exchange.
    if (this.#server === undefined) return WAIT;
    if (direction === "s2c") {
      if (this.#isEarlyMessage(this.#server)) return messageStep(this.#server, direction, window);
      if (this.#isAnswerMissing(this.#server)) {
        this.#phase.s2c = "messages";
        return undefined;
      }
    }
    return setupStep(direction, window);
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
    const isSpeaking = this.isOver("c2s") && this.handle.pending("c2s").length > 0;
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

  /** Learns from what has been decoded; false if it is a message like any other. */
  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree): boolean {
    const phase = inDirection(this.#phase, direction);
    if (phase === "connect") this.#connected(type, nodes);
    else if (phase === "setup") this.#setUp(type, nodes);
    else if (direction === "c2s") this.#clientSpoke = true;
    return phase !== "messages";
  }

  #connected(packet: StructType<unknown>, nodes: DecodedTree): void {
    nodes.context = statedBuild(nodes);
    this.#server = servers.find(({ connect }) => connect === packet);
    if (this.#server?.isEncrypted === false) this.#phase = { c2s: "messages", s2c: "messages" };
    else this.#phase.c2s = "setup";
  }

  #setUp(type: StructType<unknown>, nodes: DecodedTree): void {
    if (type === Cli2Srv_Connect) {
      this.#y = broughtBy(nodes, "y");
      this.#phase.c2s = "messages";
    } else if (type === Srv2Cli_Encrypt) {
      this.#seed = broughtBy(nodes, "seed");
      this.#unseen = Math.max(0, this.#seed === undefined ? ENCRYPT_BYTES - nodes.endOf(0) : 0);
      this.#phase.s2c = "messages";
    } else if (type === Srv2Cli_Error) {
      nodes.context = failureIn(type, nodes);
    } else nodes.note("ok", "warning", 0, EARLY);
  }

  /**
   * Notes that bytes are missing; false if they are missing among messages.
   *
   * @param isSettled whether it is known how the messages are read: as long as it is not, their beginning counts as a
   * part of the exchange
   */
  lost(direction: Direction, length: number, isSettled: boolean): boolean {
    if (direction === "c2s") this.#clientSpoke = true;
    const isSetup = this.#phase[direction] === "setup";
    if (isSettled && !isSetup) {
      this.#gap[direction] = undefined;
      return false;
    }
    this.#missing[direction] = this.hasGap(direction) ? undefined : length;
    // A part of the server's half may have arrived.
    const isOfSetup = isSetup || (direction === "s2c" && this.#seed === undefined && !this.hasGap(direction));
    this.#phase[direction] = "messages";
    this.#gap[direction] = isOfSetup ? length : 0;
    return true;
  }

  /** Moves past the gap before the next message, if there is one; false if the message may not begin right after it. */
  skipGap(direction: Direction): boolean {
    const missing = inDirection(this.#gap, direction);
    if (missing === undefined) return true;
    this.#gap[direction] = undefined;
    if (missing === 0) return false;
    // If only the set-up packet is missing, the first message comes right after it. The answer to a y has a seed.
    const hasSeed = direction === "s2c" && this.#y?.length !== 0;
    return missing === (hasSeed ? this.#unseen : EMPTY_SETUP_BYTES);
  }
}

/** The step for a connect packet at the start of a window. */
function connectStep({ view, start }: Window): Step {
  const type = connectPackets.get(view.getUint8(start));
  return type === undefined ? WAIT : { step: "message", type, length: type.struct.minimumWidth };
}

/** Whether a server's bytes begin with the type of a message, and not with a set-up packet. */
function isMessageType(server: ServerMessages, [low = -1, high]: Uint8Array): boolean {
  // Where a set-up packet has its byte count, at least 2, a message has the upper half of its type.
  return high === 0 && server.s2c.get(low) !== undefined;
}

/** The value that a set-up packet carries; undefined if the packet is incomplete. */
function broughtBy(nodes: FieldTree, name: string): string | undefined {
  const node = nodes.child(0, name);
  return nodes.outcome === "ok" && node >= 0 ? Buffer.from(nodes.bytes(node)).toString("latin1") : undefined;
}

function bytesOf(half: string | undefined): Uint8Array | undefined {
  return half === undefined ? undefined : Buffer.from(half, "latin1");
}
