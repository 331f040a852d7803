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
import type { DecodedTree, StructType } from "moul-dissect/schema";
import { Announcements } from "../announcements.js";
import { RejectCode } from "../enums.js";
import { FirstMessages } from "../first-messages.js";
import { LagPings } from "../lag-pings.js";
import { messageCandidate, messageStep, remarkUndeclared } from "../message-table.js";
import { codeOf } from "../messages.js";
import { refusal } from "../refusal.js";
import { Replies } from "../replies.js";
import { WorldDownload } from "../world-download.js";
import { MsgReject } from "./joining.js";
import { MsgLagPing, MsgUDPLinkRequest } from "./network.js";
import { classicExchanges, type Version } from "./versions.js";
import { MsgGetWorld, World } from "./world.js";

/** True for the first bytes of a world, which begins with its style. Source: facts, section 6, "Order emitted". */
function beginsWithStyle(bytes: Uint8Array): boolean {
  return ((bytes[0] ?? 0) << 8) + (bytes[1] ?? 0) === codeOf("st");
}

/** The second connection of a client, over TCP: framed messages from the first byte on. */
export class GameConversation implements ConversationDissector {
  readonly encryptionState = unencrypted;
  readonly protocol: string;
  readonly nameScope?: string;
  readonly #announcements: Announcements;
  readonly #first: FirstMessages;
  readonly #connection: string;
  readonly #world = new WorldDownload(World, beginsWithStyle);
  readonly #replies = new Replies(classicExchanges);

  constructor(
    readonly handle: ConversationHandle,
    readonly version: Version,
  ) {
    const { client, server, midstream } = handle;
    this.protocol = version.protocol;
    this.#first = new FirstMessages(midstream);
    this.#announcements = Announcements.in(handle.shared);
    this.#connection = `${client.address}:${client.port} ${server.address}:${server.port}`;
    if (!midstream) LagPings.in(handle.shared).forget(this.#connection);
    if (!version.assignsIds) return;
    this.#announcements.player(client, version);
    // Until a client has confirmed its assigned id, messages to it use the id that it chose itself, which others may
    // have chosen as well.
    this.nameScope = this.#connection;
  }

  next(direction: Direction, window: Window): Step {
    const table = this.version.messages[direction];
    return this.#first.step(direction, table, window) ?? messageStep(table, window);
  }

  lost(direction: Direction): boolean {
    this.#first.past(direction);
    this.#replies.lost();
    return false;
  }

  candidate(direction: Direction, window: Window): Candidate | "more" | undefined {
    return messageCandidate(this.version.messages[direction], window);
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    if (type === MsgLagPing) LagPings.in(this.handle.shared).decoded(this.#connection, direction, type, nodes, place);
    else if (type === MsgUDPLinkRequest) this.#link(direction, nodes.numberIn(0, "port") ?? 0);
    else if (type === MsgGetWorld) this.#world.add(nodes, place);
    else if (type === MsgReject) nodes.context = refusal(nodes.numberIn(0, "rejectCode"), RejectCode);
    else remarkUndeclared(type, nodes, this.protocol);
    this.#replies.decoded(direction, type, nodes, place);
  }

  assembled(): Assembled | undefined {
    return this.#world.take();
  }

  #link(direction: Direction, port: number): void {
    const { client, server } = this.handle;
    const { version, nameScope } = this;
    if (direction === "c2s") this.#announcements.linkClient({ address: client.address, port }, { version, nameScope });
    else this.#announcements.linkServer({ address: server.address, port });
  }
}
