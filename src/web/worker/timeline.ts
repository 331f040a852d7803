import { endpointText } from "../../network/address.js";
import type { Conversation } from "../../network/conversation.js";
import { secondsBetween } from "../../network/conversation.js";
import { HUES, hueOf } from "../../output/text/hue.js";
import { printable } from "../../output/writers/sanitise.js";
import type { MessageHead, MessageStore } from "../../store/message-store.js";
import type { Lane, TimelineView } from "../session-api.js";
import { GrowingNumbers } from "./growing-numbers.js";

/** Most lanes of a view: the conversations with most messages. */
const MOST_LANES = 200;

/** The part of all time that may pass before the first message without being left out. */
const LEAST_LEAD = 0.1;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** How bad something is, as in `TimelineView.worst`. */
export const enum Worst {
  Nothing,
  Ok,
  Failed,
  Odd,
  Missing,
}

interface LaneCounts {
  readonly conversation: Conversation;
  protocol: string;
  player: string;
  messages: number;
  /** Seconds since the first packet. */
  first: number;
  last: number;
  failed: number;
  odd: number;
  slowest: number;
}

/** What is kept of a message in one number: its lane, how long it was waited for, and how bad it is. */
const WAITS = 256;
const WORSTS = 8;
/** Levels of waiting for twice as long. */
const LEVELS = 15;

/** What a time line needs to know of each message: some 9 bytes. */
export class Timeline {
  /** Milliseconds since the first packet; lane, level of waiting, and `Worst`. */
  readonly #times = new GrowingNumbers();
  readonly #kinds = new GrowingNumbers();
  readonly #lanes: LaneCounts[] = [];
  readonly #laneOf = new Map<Conversation, number>();

  constructor(readonly store: MessageStore) {}

  /** What there is to see, in seconds: from the first packet on, unless it is long before the first message. */
  get #span(): Span {
    const to = this.#lanes.reduce((most, { last }) => Math.max(most, last), 0);
    const first = this.#lanes.reduce((least, { first }) => Math.min(least, first), to);
    return { from: first > LEAST_LEAD * to ? first : 0, to };
  }

  /** Takes the message that was added to the store last. */
  take(head: MessageHead, playerName: string | undefined, first: MessageHead["origin"]): void {
    const seconds = Math.max(0, secondsBetween(first, head.origin));
    let lane = this.#laneOf.get(head.conversation);
    if (lane === undefined) {
      const { conversation, protocol } = head;
      const none = { player: "", messages: 0, failed: 0, odd: 0, slowest: 0 };
      lane = this.#lanes.push({ conversation, protocol, first: seconds, last: seconds, ...none }) - 1;
      this.#laneOf.set(conversation, lane);
    }
    const counts = this.#lanes[lane];
    if (counts === undefined) return;
    counts.protocol = head.protocol;
    if (playerName !== undefined) counts.player = playerName;
    counts.messages++;
    counts.first = Math.min(counts.first, seconds);
    counts.last = Math.max(counts.last, seconds);
    const worst = worstOf(head);
    const { isFirst = false, milliseconds = 0 } = head.context?.answers ?? {};
    const wait = isFirst ? milliseconds : 0;
    if (worst === Worst.Failed) counts.failed++;
    if (worst === Worst.Odd) counts.odd++;
    counts.slowest = Math.max(counts.slowest, wait);
    this.#times.push(Math.min(Math.round(seconds * 1000), 0xffffffff));
    this.#kinds.push((lane * WAITS + levelOf(wait)) * WORSTS + worst);
  }

  /** @param from to seconds since the first packet; everything by default */
  view(columns: number, from = this.#span.from, to = this.#span.to): TimelineView {
    const shown = this.#lanes
      .map((counts, index) => ({ counts, index }))
      .sort((one, other) => other.counts.messages - one.counts.messages)
      .slice(0, MOST_LANES)
      .sort((one, other) => one.counts.first - other.counts.first);
    const rowOf = new Map(shown.map(({ index }, row) => [index, row + 1]));
    const cells = new Cells((shown.length + 1) * columns);
    const kinds = new Uint32Array(columns * HUES);
    const hues = this.#lanes.map(({ protocol }) => hueOf(protocol));
    const width = Math.max(to - from, 0.001);
    for (let index = 0; index < this.#times.length; index++) {
      const seconds = this.#times.get(index) / 1000;
      if (seconds < from || seconds > to) continue;
      const kind = this.#kinds.get(index);
      const wait = Math.floor(kind / WORSTS) % WAITS;
      const lane = Math.floor(kind / (WORSTS * WAITS));
      const row = rowOf.get(lane);
      const column = Math.min(columns - 1, Math.floor(((seconds - from) / width) * columns));
      const place = column * HUES + (hues[lane] ?? 0);
      kinds[place] = (kinds[place] ?? 0) + 1;
      cells.add(column, index + 1, kind % WORSTS, wait);
      if (row !== undefined) cells.add(row * columns + column, index + 1, kind % WORSTS, wait);
    }
    const { counts, worst, firsts, worstFirsts } = cells;
    const waits = Float32Array.from(cells.levels, millisecondsOf);
    const lanes = shown.map(({ counts }) => laneOf(counts));
    const conversations = this.#lanes.length;
    return { from, to, columns, lanes, conversations, counts, kinds, worst, firsts, worstFirsts, waits };
  }
}

/** What happens in each column of each row. */
class Cells {
  readonly counts: Uint32Array;
  readonly worst: Uint8Array;
  readonly firsts: Uint32Array;
  readonly worstFirsts: Uint32Array;
  readonly levels: Uint8Array;

  constructor(size: number) {
    this.counts = new Uint32Array(size);
    this.worst = new Uint8Array(size);
    this.firsts = new Uint32Array(size);
    this.worstFirsts = new Uint32Array(size);
    this.levels = new Uint8Array(size);
  }

  add(cell: number, number: number, worst: number, level: number): void {
    this.counts[cell] = (this.counts[cell] ?? 0) + 1;
    if (this.firsts[cell] === 0) this.firsts[cell] = number;
    if (worst > (this.worst[cell] ?? 0)) {
      this.worst[cell] = worst;
      this.worstFirsts[cell] = number;
    }
    this.levels[cell] = Math.max(this.levels[cell] ?? 0, level);
  }
}

/** A time in milliseconds as a whole number below `WAITS`: by its logarithm, as what matters is how many times longer. */
function levelOf(milliseconds: number): number {
  return Math.min(WAITS - 1, Math.round(LEVELS * Math.log2(1 + Math.max(0, milliseconds))));
}

function millisecondsOf(level: number): number {
  return 2 ** (level / LEVELS) - 1;
}

function laneOf({ conversation, protocol, player, ...counted }: LaneCounts): Lane {
  const { stream, client, server, missingBytes } = conversation;
  return {
    stream,
    title: `${endpointText(client)} > ${endpointText(server)}`,
    protocol: printable(protocol),
    hue: hueOf(protocol),
    player: printable(player),
    ...counted,
    missing: missingBytes.c2s + missingBytes.s2c,
  };
}

function worstOf({ name, status, context }: MessageHead): Worst {
  if (name === "gap") return Worst.Missing;
  if (status !== "ok") return Worst.Odd;
  return context?.error === undefined ? Worst.Ok : Worst.Failed;
}
