import type { Limits } from "../limits.js";
import {
  type Conversation,
  type Direction,
  type Endpoint,
  type NetworkListener,
  type Origin,
  senderOf,
} from "../network/conversation.js";
import { copyOf } from "../schema/copy-of.js";
import { Fifo } from "../session/fifo.js";
import type { PlaintextListener } from "../session/plaintext.js";
import type { PlaintextCapture } from "./plaintext-capture.js";

/** What a place is reckoned to cost besides the bytes of its packet. */
const PLACE_BYTES = 256;

/** The place of a packet among the others. */
interface Place {
  readonly origin: Origin;
  /** What it takes, in bytes. */
  readonly cost: number;
  /** Writes the packet; undefined while its plaintext is not settled. */
  write: (() => void) | undefined;
  /** True if the others have gone on without it. */
  isLate: boolean;
}

const DROPPED = () => {};

/**
 * Writes plaintext in the order in which its packets were captured: how a conversation is to be read may be settled only
 * some packets later, and those of others come between. One that keeps the others waiting for too long is written late.
 */
export class PacketOrder {
  readonly #capture: PlaintextCapture;
  readonly #limits: Pick<Limits, "orderBytes" | "orderSeconds">;
  /** Places in the order of the capture. */
  readonly #places = new Fifo<Place>();
  #waiting = 0;
  #late = 0;
  /** What is not settled, by the end that has sent it: which of them is the client may turn out later. */
  readonly #unsettled = new Map<Endpoint, Fifo<Place>>();
  readonly #forgotten = new WeakSet<Conversation>();

  constructor(capture: PlaintextCapture, limits: Pick<Limits, "orderBytes" | "orderSeconds">) {
    this.#capture = capture;
    this.#limits = limits;
  }

  /** Packets for which the others have waited in vain, and that were written later. */
  get late(): number {
    return this.#late;
  }

  /** To be told what the network brings, before it is told to the session room. */
  readonly network: Pick<NetworkListener, "bytes" | "gap" | "datagram"> = {
    bytes: (conversation, direction, { length }, origin) => this.#expect(conversation, direction, length, origin),
    gap: (conversation, direction, _length, _reason, origin) => this.#expect(conversation, direction, 0, origin),
    datagram: (conversation, direction, { length }, _missing, origin) =>
      this.#expect(conversation, direction, length, origin),
  };

  /** To be told of the plaintext. */
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
    passedOver: (conversation, direction) => {
      const place = this.#settled(conversation, direction);
      if (place !== undefined) place.write = DROPPED;
      this.#writeReady();
    },
    closed: (conversation, reason) => {
      this.#drop(conversation);
      const { last } = conversation;
      this.#fill(this.#append(0, last), () => this.#capture.close(conversation, last, reason));
    },
  };

  #append(length: number, origin: Origin): Place {
    const place: Place = { origin, cost: length + PLACE_BYTES, write: undefined, isLate: false };
    this.#places.push(place);
    this.#waiting += place.cost;
    this.#goOn(origin);
    return place;
  }

  /** Keeps a place for what has come and is not settled. */
  #expect(conversation: Conversation, direction: Direction, length: number, origin: Origin): void {
    if (this.#forgotten.has(conversation)) return;
    const sender = senderOf(conversation, direction);
    const unsettled = this.#unsettled.get(sender) ?? new Fifo<Place>();
    unsettled.push(this.#append(length, origin));
    this.#unsettled.set(sender, unsettled);
  }

  /** The place of what is settled next: a direction is settled in order. */
  #settled(conversation: Conversation, direction: Direction): Place | undefined {
    return this.#unsettled.get(senderOf(conversation, direction))?.take();
  }

  /** True for what can be written at once: it need not be copied. */
  #isNext(place: Place | undefined): boolean {
    return place === undefined || place.isLate || place === this.#places.first;
  }

  #fill(place: Place | undefined, write: () => void): void {
    if (place?.isLate) this.#late++;
    if (place === undefined || place.isLate) write();
    else place.write = write;
    this.#writeReady();
  }

  /** No more plaintext comes of a conversation: packets need not wait for it. */
  #drop({ client, server }: Conversation): void {
    const places = [client, server].flatMap((sender) => this.#unsettled.get(sender)?.rest() ?? []);
    for (const place of places) place.write = DROPPED;
    this.#unsettled.delete(client);
    this.#unsettled.delete(server);
    this.#writeReady();
  }

  /** Leaves behind what the others have waited for long enough. */
  #goOn({ seconds }: Origin): void {
    const { orderBytes, orderSeconds } = this.#limits;
    for (let place = this.#places.first; place !== undefined; place = this.#places.first) {
      if (this.#waiting <= orderBytes && seconds - place.origin.seconds <= orderSeconds) return;
      if (place.write === undefined) {
        place.isLate = true;
        this.#take();
      }
      this.#writeReady();
    }
  }

  #writeReady(): void {
    for (let place = this.#places.first; place?.write !== undefined; place = this.#places.first) {
      this.#take();
      place.write?.();
    }
  }

  #take(): void {
    this.#waiting -= this.#places.take()?.cost ?? 0;
  }
}
