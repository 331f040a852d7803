import {
  type Assembled,
  type Candidate,
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type MessagePlace,
  type Step,
  unencrypted,
  type Window,
} from "moul-dissect/dissector";
import { type DecodedTree, decodeText, type StructType } from "moul-dissect/schema";
import { Announcements } from "../announcements.js";
import { UnexpectedData } from "../fields.js";
import { FirstMessages } from "../first-messages.js";
import { LagPings } from "../lag-pings.js";
import { looksFramed, messageCandidate, messageStep, remarkUndeclared, undeclaredVersion } from "../message-table.js";
import { REFUSED, refusal } from "../refusal.js";
import { Replies } from "../replies.js";
import { WorldDownload } from "../world-download.js";
import { specialPlayers } from "./fields.js";
import { MsgLagPing } from "./game.js";
import {
  BANNED,
  CLIENT_HELLO,
  ClientHello,
  FAREWELL,
  OTHER_VERSION,
  REFUSAL,
  REFUSED_PLAYER,
  SERVER_VERSION,
  ServerBan,
  ServerFarewell,
  ServerHello,
  ServerRefusal,
  UndeclaredHello,
  UndeclaredMessages,
} from "./hello.js";
import { MsgEnter, MsgPlayerInfo, MsgReject, RejectCode, remarkCount } from "./joining.js";
import { MODERN_PROTOCOL, modern, modernExchanges } from "./tables.js";
import { beginsWithHeader, MsgGetWorld, World } from "./world.js";

const FOREIGN: Step = { step: "foreign", reason: "this is not what a server of BZFlag answers" };

/** Most bytes of a refusal to wait for: the reason is a line of text. */
const LONGEST_REFUSAL = 4096;

/**
 * A conversation of the modern protocol. Over TCP the two sides greet each other first, unless the beginning was not
 * captured; a UDP datagram holds one message or several. Source: facts, section 10.
 */
export class ModernConversation implements ConversationDissector {
  readonly protocol = MODERN_PROTOCOL;
  readonly encryptionState = unencrypted;
  readonly nameScope: string;
  readonly #greeted: Record<Direction, boolean>;
  readonly #first: FirstMessages;
  /** Its datagrams use the same ports. */
  readonly #connection: string;
  readonly #world = new WorldDownload(World, beginsWithHeader);
  readonly #replies = new Replies(modernExchanges);
  /** The version of the server, if its messages are not declared. */
  #undeclared: string | undefined;
  /** True once the server has shown that it is another one. */
  #isLeft = false;
  #named = false;
  /** Id of the player whose connection this is, if the greeting was captured. */
  #player: string | undefined;

  constructor(readonly handle: ConversationHandle) {
    const { transport, client, server, midstream } = handle;
    this.#first = new FirstMessages(midstream);
    // All who play on a server share the same ids.
    this.nameScope = `${server.address}:${server.port}`;
    this.#connection = `${client.address}:${client.port} ${this.nameScope}`;
    this.#greeted = { c2s: transport === "udp", s2c: transport === "udp" };
    if (transport === "tcp" && !midstream) LagPings.in(handle.shared).forget(this.#connection);
    Announcements.in(handle.shared).modern(client, server);
  }

  /** Once a server has greeted as one of BZFlag, it stays one. */
  get mayLeave(): boolean {
    return this.#isLeft || !this.#greeted.s2c;
  }

  next(direction: Direction, window: Window): Step {
    if (!this.#named) this.#nameSpecialPlayers();
    if (this.#isLeft) return FOREIGN;
    if (this.#undeclared !== undefined) return undeclared(UndeclaredMessages, this.#undeclared);
    const hello = this.#greeted[direction] ? undefined : this.#hello(direction, window);
    const table = modern[direction];
    return hello ?? this.#first.step(direction, table, window) ?? messageStep(table, window);
  }

  lost(direction: Direction): boolean {
    this.#first.past(direction);
    this.#replies.lost();
    return false;
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    return this.#undeclared === undefined ? messageCandidate(modern[direction], window) : undefined;
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    this.#greeted[direction] = true;
    this.#first.past(direction);
    switch (type) {
      case MsgLagPing:
        LagPings.in(this.handle.shared).decoded(this.#connection, direction, type, nodes, place);
        break;
      case MsgGetWorld:
        this.#world.add(nodes, place);
        break;
      case MsgPlayerInfo:
        remarkCount(nodes);
        break;
      case MsgReject:
        nodes.context = refusal(nodes.numberIn(0, "reason"), RejectCode);
        break;
      case ServerRefusal:
      case ServerBan:
        nodes.context = { error: "banned", trouble: "refusal" };
        break;
      case ServerHello:
        this.#begin(nodes);
        break;
      case MsgEnter:
        this.#enter(nodes);
        break;
      default:
        remarkUndeclared(type, nodes, this.protocol);
    }
    this.#replies.decoded(direction, type, nodes, place);
  }

  assembled(): Assembled | undefined {
    return this.#world.take();
  }

  /** Servers give the id of a player who has left to the next one. */
  #begin(nodes: DecodedTree): void {
    const id = nodes.numberIn(0, "player");
    if (id === undefined) return;
    if (id === REFUSED_PLAYER) {
      nodes.context = REFUSED;
      return;
    }
    this.#player = String(id);
    this.handle.names.forget("player", this.#player);
  }

  /** The server tells everybody the call sign only after it has accepted the player. */
  #enter(nodes: DecodedTree): void {
    const callsign = nodes.textIn(0, "callsign");
    if (this.#player !== undefined && callsign !== undefined) this.handle.names.set("player", this.#player, callsign);
  }

  /** The greeting that a direction begins with; undefined if it begins with a message. */
  #hello(direction: Direction, window: Window): Step | undefined {
    const { bytes, start, end } = window;
    const wanted = direction === "c2s" ? [CLIENT_HELLO] : [SERVER_VERSION, REFUSAL, BANNED];
    const head = decodeText(bytes.subarray(start, Math.min(end, start + CLIENT_HELLO.length)));
    const begun = wanted.find((text) => text.startsWith(head) || head.startsWith(text));
    const version = OTHER_VERSION.exec(head)?.[0];
    if (begun === undefined && direction === "s2c" && version !== undefined) return this.#undeclaredHello(version);
    if (begun === undefined) return direction === "c2s" ? this.#unexpected(window) : this.#other(window);
    if (head.length < begun.length) return { step: "more", bytes: begun.length };
    if (begun === CLIENT_HELLO) return { step: "message", type: ClientHello };
    if (begun === SERVER_VERSION) return greeting(bytes.subarray(start, end));
    // Everything up to the end is the reason.
    const type = begun === BANNED ? ServerBan : ServerRefusal;
    if (this.handle.ended(direction)) return { step: "message", type, length: end - start };
    if (end - start < LONGEST_REFUSAL) return { step: "more", bytes: end - start + 1 };
    const reason = `the reason goes on after ${end - start} bytes, and the rest of it is not waited for`;
    return { step: "unknown", name: type.struct.name, head: type, reason };
  }

  /** A client may have taken the server for another one, such as a web server. */
  #unexpected(window: Window): Step | undefined {
    if (this.#first.areUnsure("c2s") || looksFramed(modern.c2s, window) !== false) return undefined;
    const reason = "this is neither the greeting of a client nor a message";
    return { step: "unknown", name: UnexpectedData.struct.name, head: UnexpectedData, reason };
  }

  /** A scanner greets servers of all kinds like this. */
  #other(window: Window): Step | undefined {
    if (this.#first.areUnsure("s2c") || looksFramed(modern.s2c, window) !== false) return undefined;
    this.#isLeft = true;
    return FOREIGN;
  }

  #undeclaredHello(version: string): Step {
    this.#undeclared = version;
    Announcements.in(this.handle.shared).undeclared(this.handle.client, this.handle.server);
    return undeclared(UndeclaredHello, version);
  }

  #nameSpecialPlayers(): void {
    this.#named = true;
    for (const [id, name] of specialPlayers) this.handle.names.set("player", String(id), name);
  }
}

function undeclared(head: StructType<unknown>, version: string): Step {
  return { step: "unknown", name: head.struct.name, head, reason: undeclaredVersion(version) };
}

/**
 * Tells the two greetings apart: after a player id, the rest of a farewell would be a message longer than any may be.
 */
function greeting(bytes: Uint8Array): Step {
  const text = decodeText(bytes.subarray(0, FAREWELL.length));
  const isFarewell = FAREWELL.startsWith(text) && text.length > SERVER_VERSION.length + 1;
  return { step: "message", type: isFarewell ? ServerFarewell : ServerHello };
}
