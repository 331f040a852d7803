import { Dissection } from "../../src/dissect/dissection.js";
import type { Message, Status } from "../../src/dissect/message.js";
import type { Dissector, KeyFile } from "../../src/dissector/dissector.js";
import type { PacketOrder } from "../../src/export/packet-order.js";
import { dissectors } from "../../src/index.js";
import type { Conversation, Direction, NetworkListener } from "../../src/network/conversation.js";
import { jsonLine, jsonTreeLine } from "../../src/output/json/json.js";
import { encode } from "../../src/schema/encode/encode.js";
import { plainValue } from "../../src/schema/encode/value.js";
import { StructType } from "../../src/schema/index.js";
import { Tracker } from "../../src/session/tracker.js";
import type { Random } from "../support/random.js";
import type { OutputCheck } from "./outputs.js";
import { checkTree, Finding } from "./soundness.js";

/**
 * Messages of a run that are printed in every form: validating them against the schema takes longer than everything
 * else.
 */
const MOST_PRINTED = 100;

/** How closely the messages of a run are checked: each step costs more than the one before. */
export const Depth = { Trees: 0, Json: 1, Turned: 2, Printed: 3 } as const;
export type Depth = (typeof Depth)[keyof typeof Depth];

/** What is compared between a message and its undamaged form. */
export interface Seen {
  readonly stream: number;
  readonly direction: Direction;
  readonly offset: number;
  readonly end: number;
  /** The frame that was being read when the message was emitted. */
  readonly frame: number;
  readonly status: Status;
  readonly text: string;
}

/** What has been emitted of a conversation. */
interface Account {
  readonly isTcp: boolean;
  bytesOut: number;
  /** Offset after the last message of each direction. */
  readonly reached: Record<Direction, number>;
  readonly hasGap: Record<Direction, boolean>;
}

interface RunOptions {
  /** True if the fields of messages are part of what is compared. */
  readonly comparesFields?: boolean;
  /** Told of everything in addition. */
  readonly observer?: Pick<PacketOrder, "opened"> | undefined;
}

/** Dissects its input and checks every message, and that no byte is lost or emitted twice. */
export class CheckedRun {
  readonly seen: Seen[] = [];
  /** The listener to feed. */
  readonly network: NetworkListener;
  frame = 0;
  readonly #comparesFields: boolean;
  readonly #conversations: Conversation[] = [];
  readonly #accounts = new Map<number, Account>();
  #error: unknown;

  constructor(
    keys: ReadonlyMap<Dissector, readonly KeyFile[]>,
    readonly depth: Depth,
    readonly outputs: OutputCheck,
    { comparesFields = false, observer }: RunOptions = {},
  ) {
    this.#comparesFields = comparesFields;
    const onInternalError = ({ error }: { readonly error: unknown }) => {
      this.#error ??= error;
    };
    const dissection = new Dissection((message) => this.#take(message), { onInternalError });
    const tracker = new Tracker(dissectors, dissection, {
      keys,
      onInternalError,
      observer: {
        opened: (conversation) => {
          this.#conversations.push(conversation);
          return observer?.opened(conversation);
        },
      },
    });
    this.network = tracker;
  }

  /** Throws what went wrong inside. */
  verdict(): void {
    if (this.#error !== undefined) throw this.#error;
    for (const { stream, payloadBytes } of this.#conversations) {
      const { isTcp, bytesOut } = this.#accountOf(stream);
      const bytesIn = payloadBytes.c2s + payloadBytes.s2c;
      // An unknown conversation emits nothing.
      if (isTcp && bytesOut > 0 && bytesOut !== bytesIn) {
        throw new Finding(`of ${bytesIn} bytes of stream ${stream} ${bytesOut} came out`);
      }
    }
  }

  #accountOf(stream: number, isTcp = true): Account {
    const none = { isTcp, bytesOut: 0, reached: { c2s: 0, s2c: 0 }, hasGap: { c2s: false, s2c: false } };
    const account = this.#accounts.get(stream) ?? none;
    this.#accounts.set(stream, account);
    return account;
  }

  #take(message: Message): void {
    const { conversation, direction, nodes, name, status, offset, length } = message;
    // Anything the listener throws would be taken for a fault of the dissector.
    try {
      if (nodes !== undefined) checkTree(nodes);
      this.#follow(message);
      if (this.depth >= Depth.Json) JSON.parse(jsonTreeLine(message));
      if (this.depth >= Depth.Turned) turnRound(message);
      if (this.depth >= Depth.Printed && this.seen.length < MOST_PRINTED) this.outputs.message(message);
      const fields = this.#comparesFields ? JSON.stringify(JSON.parse(jsonLine(message)).fields) : "";
      const text = `${name} ${status} ${offset}+${length} ${fields}`;
      const { stream } = conversation;
      this.seen.push({ stream, direction, offset, end: offset + length, frame: this.frame, status, text });
    } catch (error) {
      this.#error ??= error;
    }
  }

  /** Checks that each message follows the one before it; a stretch that spans gaps is reported when it ends. */
  #follow({ conversation: { stream, transport }, direction, nodes, name, offset, length }: Message): void {
    if (nodes?.sources[0]?.kind === "assembled") return;
    if (nodes !== undefined && nodes.endOf(0) !== length) {
      throw new Finding(`${name} has ${nodes.endOf(0)} of ${length} bytes`);
    }
    const account = this.#accountOf(stream, transport === "tcp");
    const { reached, hasGap } = account;
    if (name === "gap" && nodes === undefined) hasGap[direction] = true;
    else account.bytesOut += length;
    const isRight = hasGap[direction]
      ? nodes === undefined || offset >= reached[direction]
      : offset === reached[direction];
    if (!isRight && account.isTcp) {
      throw new Finding(`${direction}: ${name} begins at ${offset}, what was before it ended at ${reached[direction]}`);
    }
    reached[direction] = Math.max(reached[direction], offset + length);
  }
}

/** Checks that the value of a message encodes to its bytes. */
function turnRound({ nodes, name }: Message): void {
  const struct = nodes?.field(0).struct;
  if (nodes === undefined || struct === undefined) return;
  const nameOf = (kind: string, id: string) => nodes.names?.get(kind, id);
  const again = encode(new StructType(struct), plainValue(nodes, 0), { isPartial: nodes.outcome !== "ok", nameOf });
  if (Buffer.compare(again, nodes.bytes(0)) !== 0) {
    throw new Finding(
      `${name} encodes to ${Buffer.from(again).toString("hex")}, not ${Buffer.from(nodes.bytes(0)).toString("hex")}`,
    );
  }
}

/** The depth for an input: few are checked closely. */
export function depthFor(random: Random): Depth {
  const number = random.below(64);
  if (number === 0) return Depth.Printed;
  if (number % 16 === 0) return Depth.Turned;
  return number % 4 === 0 ? Depth.Json : Depth.Trees;
}
