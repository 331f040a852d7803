import { endpointText } from "../../network/address.js";
import type { Conversation } from "../../network/conversation.js";
import { secondsBetween } from "../../network/conversation.js";
import { hueOf } from "../../output/text/hue.js";
import { printable } from "../../output/writers/sanitise.js";
import type { MessageHead, MessageStore } from "../../store/message-store.js";
import type { Lane, TimelineView } from "../session-api.js";
import { GrowingNumbers } from "./growing-numbers.js";

/** Most lanes of a view: the conversations with most messages. */
const MOST_LANES = 200;

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
  /** Seconds since the first message. */
  first: number;
  last: number;
}

/** What a time line needs to know of each message: some 9 bytes. */
export class Timeline {
  /** Milliseconds since the first message, and the number of its lane × 8 + `Worst`. */
  readonly #times = new GrowingNumbers();
  readonly #kinds = new GrowingNumbers();
  readonly #lanes: LaneCounts[] = [];
  readonly #laneOf = new Map<Conversation, number>();

  constructor(readonly store: MessageStore) {}

  /** Seconds from the first message to the last one. */
  get seconds(): number {
    return this.#lanes.reduce((most, { last }) => Math.max(most, last), 0);
  }

  /** Takes the message that was added to the store last. */
  take(head: MessageHead, playerName: string | undefined, first: MessageHead["origin"]): void {
    const seconds = Math.max(0, secondsBetween(first, head.origin));
    let lane = this.#laneOf.get(head.conversation);
    if (lane === undefined) {
      const { conversation, protocol } = head;
      lane = this.#lanes.push({ conversation, protocol, player: "", messages: 0, first: seconds, last: seconds }) - 1;
      this.#laneOf.set(conversation, lane);
    }
    const counts = this.#lanes[lane];
    if (counts === undefined) return;
    counts.protocol = head.protocol;
    if (playerName !== undefined) counts.player = playerName;
    counts.messages++;
    counts.first = Math.min(counts.first, seconds);
    counts.last = Math.max(counts.last, seconds);
    this.#times.push(Math.min(Math.round(seconds * 1000), 0xffffffff));
    this.#kinds.push(lane * 8 + worstOf(head));
  }

  /** @param from to seconds since the first message; everything by default */
  view(columns: number, from = 0, to = this.seconds): TimelineView {
    const shown = this.#lanes
      .map((counts, index) => ({ counts, index }))
      .sort((one, other) => other.counts.messages - one.counts.messages)
      .slice(0, MOST_LANES)
      .sort((one, other) => one.counts.first - other.counts.first);
    const rowOf = new Map(shown.map(({ index }, row) => [index, row]));
    const cells = shown.length * columns;
    const counts = new Uint32Array(cells);
    const worst = new Uint8Array(cells);
    const firsts = new Uint32Array(cells);
    const width = Math.max(to - from, 0.001);
    for (let index = 0; index < this.#times.length; index++) {
      const seconds = this.#times.get(index) / 1000;
      if (seconds < from || seconds > to) continue;
      const kind = this.#kinds.get(index);
      const row = rowOf.get(kind >>> 3);
      if (row === undefined) continue;
      const column = Math.min(columns - 1, Math.floor(((seconds - from) / width) * columns));
      const cell = row * columns + column;
      counts[cell] = (counts[cell] ?? 0) + 1;
      worst[cell] = Math.max(worst[cell] ?? 0, kind & 7);
      if (firsts[cell] === 0) firsts[cell] = index + 1;
    }
    return { from, to, columns, lanes: shown.map(({ counts }) => laneOf(counts)), counts, worst, firsts };
  }
}

function laneOf({ conversation, protocol, player, messages, first, last }: LaneCounts): Lane {
  const { stream, client, server, missingBytes } = conversation;
  return {
    stream,
    title: `${endpointText(client)} > ${endpointText(server)}`,
    protocol: printable(protocol),
    hue: hueOf(protocol),
    player: printable(player),
    first,
    last,
    messages,
    missing: missingBytes.c2s + missingBytes.s2c,
  };
}

function worstOf({ name, status, context }: MessageHead): Worst {
  if (name === "gap") return Worst.Missing;
  if (status !== "ok") return Worst.Odd;
  return context?.error === undefined ? Worst.Ok : Worst.Failed;
}
