import { copyOf } from "../common/copy-of.js";
import type { Limits } from "../limits.js";
import {
  type Conversation,
  type Direction,
  type Endpoint,
  type NetworkListener,
  type Origin,
  senderOf,
} from "../network/conversation.js";
import { Fifo } from "../session/stream/fifo.js";
import type { PlaintextListener } from "../session/stream/plaintext.js";
import type { PlaintextCapture } from "./plaintext-capture.js";

/** Estimated cost in bytes of a place, besides the bytes of its packet. */
const PLACE_BYTES = 256;

/** The place of a packet in the order of writing. */
interface Place {
  readonly origin: Origin;
  /** Its number, in the order of the capture. */
  readonly number: number;
  /** Its estimated cost in bytes. */
  readonly cost: number;
  /** What to write there: a packet, perhaps with a gap before it, or others that were held back until it came. */
  readonly writes: (() => void)[];
  /** How many of these are not settled yet. */
  unsettled: number;
  /** True if the others no longer wait for it. */
  isLate: boolean;
  isWritten: boolean;
}

/** What one end of a conversation has sent that is not settled, in the order of the stream. */
class Sender {
  readonly unsettled = new Fifo<Place>();
  /** The place of what came last. */
  last: Place | undefined;
}

/**
 * Writes plaintext in the order in which its packets were captured. How a conversation is to be read, or that bytes
 * before a packet will not come, may be settled only some packets later, with packets of other conversations in
 * between. A packet that keeps the others waiting for too long is written late.
 */
export class PacketOrder {
  readonly #capture: PlaintextCapture;
  readonly #limits: Pick<Limits, "orderBytes" | "orderSeconds">;
  /** Places in the order of the capture. */
  readonly #places = new Fifo<Place>();
  #count = 0;
  #waiting = 0;
  #late = 0;
  /** By the end that sent something: which end is the client may turn out later. */
  readonly #senders = new Map<Endpoint, Sender>();
  /** Places of packets that the network holds back because bytes before them are still missing. */
  readonly #held = new Map<Conversation, Map<Origin, Place>>();
  readonly #forgotten = new WeakSet<Conversation>();

  constructor(capture: PlaintextCapture, limits: Pick<Limits, "orderBytes" | "orderSeconds">) {
    this.#capture = capture;
    this.#limits = limits;
  }

  /** Number of packets that the others waited for in vain, and that were written later. */
  get late(): number {
    return this.#late;
  }

  /** Has to receive what the network brings before the session room does. */
  readonly network: Required<Pick<NetworkListener, "bytes" | "gap" | "datagram" | "held">> = {
    held: (conversation, _direction, length, origin) => this.#hold(conversation, length, origin),
    bytes: (conversation, direction, { length }, origin) => {
      const held = this.#held.get(conversation);
      const place = held?.get(origin);
      held?.delete(origin);
      this.#expect(conversation, direction, length, origin, place);
      if (place === undefined) return;
      if (place.isLate) this.#late++;
      // The bytes that the place was kept for have come.
      this.#settle(place);
    },
    gap: (conversation, direction, _length, _reason, origin) => {
      this.#expect(conversation, direction, 0, origin, this.#held.get(conversation)?.get(origin));
    },
    datagram: (conversation, direction, { length }, _missing, origin) =>
      this.#expect(conversation, direction, length, origin),
  };

  /** Has to receive the plaintext. */
  readonly plaintext: PlaintextListener = {
    bytes: (conversation, direction, bytes, origin) => {
      const place = this.#settled(conversation, direction);
      const kept = this.#isNext(place) ? bytes : copyOf(bytes);
      this.#fill(place, () => this.#capture.payload(conversation, direction, origin, kept));
    },
    gap: (conversation, direction, length, reason, origin) => {
      const place = this.#settled(conversation, direction);
      this.#fill(place, () => this.#capture.gap(conversation, direction, origin, length, reason));
    },
    datagram: (conversation, direction, bytes, missing, origin) => {
      const place = this.#settled(conversation, direction);
      const kept = this.#isNext(place) ? bytes : copyOf(bytes);
      this.#fill(place, () => this.#capture.datagram(conversation, direction, origin, kept, missing));
    },
    forgotten: (conversation) => {
      this.#forgotten.add(conversation);
      this.#drop(conversation);
    },
    dropped: (conversation, direction) => {
      const place = this.#settled(conversation, direction);
      if (place !== undefined) this.#settle(place);
    },
    closed: (conversation, reason) => {
      this.#drop(conversation);
      const { last } = conversation;
      this.#fill(this.#append(0, last), () => this.#capture.close(conversation, last, reason));
    },
  };

  #append(length: number, origin: Origin): Place {
    const cost = length + PLACE_BYTES;
    const place: Place = {
      origin,
      number: this.#count++,
      cost,
      writes: [],
      unsettled: 1,
      isLate: false,
      isWritten: false,
    };
    this.#places.push(place);
    this.#waiting += cost;
    this.#goOn(origin);
    return place;
  }

  /** Keeps a place for bytes that have come but are reported later. */
  #hold(conversation: Conversation, length: number, origin: Origin): void {
    if (this.#forgotten.has(conversation)) return;
    const held = this.#held.get(conversation) ?? new Map<Origin, Place>();
    held.set(origin, this.#append(length, origin));
    this.#held.set(conversation, held);
  }

  /**
   * Keeps a place for what has come but is not settled.
   *
   * @param kept the place that its packet already has, if it was held back
   */
  #expect(conversation: Conversation, direction: Direction, length: number, origin: Origin, kept?: Place): void {
    if (this.#forgotten.has(conversation)) return;
    const end = senderOf(conversation, direction);
    const sender = this.#senders.get(end) ?? new Sender();
    this.#senders.set(end, sender);
    const { last } = sender;
    // In the capture, a stream stays in order: what follows another packet is not written before it.
    const place = kept === undefined || (last !== undefined && last.number > kept.number) ? last : kept;
    const isOpen = kept !== undefined && place !== undefined && !place.isWritten;
    sender.last = isOpen ? place : this.#append(length, origin);
    if (isOpen) place.unsettled++;
    sender.unsettled.push(sender.last);
  }

  /** Takes the place of what is settled next: a direction is settled in order. */
  #settled(conversation: Conversation, direction: Direction): Place | undefined {
    return this.#senders.get(senderOf(conversation, direction))?.unsettled.take();
  }

  /** Counts one thing less that a place waits for, and writes what is ready. */
  #settle(place: Place): void {
    place.unsettled--;
    this.#writeReady();
  }

  /** True if what comes into the place can be written at once, so that it need not be copied. */
  #isNext(place: Place | undefined): boolean {
    return place === undefined || place.isLate || (place === this.#places.first && place.unsettled === 1);
  }

  #fill(place: Place | undefined, write: () => void): void {
    if (place?.isLate) this.#late++;
    if (place === undefined || place.isLate) write();
    else place.writes.push(write);
    if (place !== undefined) this.#settle(place);
  }

  /** Stops waiting for a conversation of which no more plaintext comes. */
  #drop(conversation: Conversation): void {
    const ends = [conversation.client, conversation.server];
    const unsettled = ends.flatMap((end) => this.#senders.get(end)?.unsettled.rest() ?? []);
    for (const place of [...unsettled, ...(this.#held.get(conversation)?.values() ?? [])]) place.unsettled = 0;
    for (const end of ends) this.#senders.delete(end);
    this.#held.delete(conversation);
    this.#writeReady();
  }

  /** Moves on past places that the others have waited for long enough. */
  #goOn({ seconds }: Origin): void {
    const { orderBytes, orderSeconds } = this.#limits;
    for (let place = this.#places.first; place !== undefined; place = this.#places.first) {
      if (this.#waiting <= orderBytes && seconds - place.origin.seconds <= orderSeconds) return;
      place.isLate = true;
      this.#writeFirst();
      this.#writeReady();
    }
  }

  #writeReady(): void {
    while (this.#places.first?.unsettled === 0) this.#writeFirst();
  }

  /** Writes what has come into the first place, and moves on to the next one. */
  #writeFirst(): void {
    const place = this.#places.take();
    if (place === undefined) return;
    this.#waiting -= place.cost;
    place.isWritten = true;
    for (const write of place.writes.splice(0)) write();
  }
}
