import { copyOf } from "../common/copy-of.js";
import type { Direction, EndReason, GapReason, Origin } from "../network/conversation.js";
import type { ConversationObserver } from "../session/observer.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { Fifo } from "../session/stream/fifo.js";
import type { PlaintextListener } from "../session/stream/plaintext.js";
import type { ConversationCapture, PacketComment } from "./conversation-capture.js";
import type { PacketNames } from "./packet-names.js";
import type { Place, PlaceQueue } from "./place-queue.js";

/** What one end of a conversation has sent that is not settled, in the order of the stream. */
class Sender {
  readonly unsettled = new Fifo<Place>();
  /** The place of what came last. */
  last: Place | undefined;
}

/** Who is told of the end of a conversation. */
export type Ending = Pick<ConversationObserver, "dissected" | "closed">;

/** Puts the packets of one conversation in their places: when they come, and again when their plaintext is known. */
export class ConversationOrder implements ConversationObserver {
  readonly #capture: ConversationCapture;
  readonly #places: PlaceQueue;
  #c2s = new Sender();
  #s2c = new Sender();
  /** Places of packets that the network holds back because bytes before them are still missing. */
  readonly #outOfOrder = new Map<Origin, Place>();
  readonly #ending: Ending;
  #isForgotten = false;

  constructor(
    capture: ConversationCapture,
    places: PlaceQueue,
    readonly names: PacketNames,
    ending: Ending = {},
  ) {
    this.#capture = capture;
    this.#places = places;
    this.#ending = ending;
  }

  /** Keeps a place for bytes that have come but are reported later. */
  outOfOrder(_direction: Direction, length: number, origin: Origin): void {
    if (!this.#isForgotten) this.#outOfOrder.set(origin, this.#places.append(length, origin));
  }

  bytes(direction: Direction, { length }: Uint8Array, origin: Origin): void {
    const place = this.#outOfOrder.get(origin);
    this.#outOfOrder.delete(origin);
    this.#expect(direction, length, origin, place);
    // The bytes that the place was kept for have come.
    if (place !== undefined) this.#places.came(place);
  }

  gap(direction: Direction, _length: number, _reason: GapReason, origin: Origin): void {
    this.#expect(direction, 0, origin, this.#outOfOrder.get(origin));
  }

  datagram(direction: Direction, { length }: Uint8Array, _missing: number, origin: Origin): void {
    this.#expect(direction, length, origin);
  }

  flipped(): void {
    [this.#c2s, this.#s2c] = [this.#s2c, this.#c2s];
  }

  readonly plaintext: PlaintextListener = {
    bytes: (direction, bytes, origin) => {
      const place = this.#settled(direction);
      const kept = this.#places.isNext(place) ? bytes : copyOf(bytes);
      this.#places.fill(place, () => this.#capture.payload(direction, origin, kept, this.#comment(direction, origin)));
    },
    gap: (direction, length, reason, origin) => {
      const place = this.#settled(direction);
      this.#places.fill(place, () => this.#capture.gap(direction, origin, length, reason));
    },
    datagram: (direction, bytes, missing, origin) => {
      const place = this.#settled(direction);
      const kept = this.#places.isNext(place) ? bytes : copyOf(bytes);
      this.#places.fill(place, () =>
        this.#capture.datagram(direction, origin, kept, missing, this.#comment(direction, origin)),
      );
    },
    foreign: (direction) => this.#giveUpNext(direction),
  };

  forgotten(): void {
    this.#isForgotten = true;
    this.#drop();
  }

  dropped(direction: Direction): void {
    this.#giveUpNext(direction);
  }

  dissected(session: RecognisedConversation): void {
    this.#ending.dissected?.(session);
  }

  closed(reason: EndReason): void {
    this.#ending.closed?.(reason);
    this.#drop();
    const { last } = this.#capture.conversation;
    this.#places.fill(this.#places.append(0, last), () => this.#capture.close(last, reason));
  }

  /** The names of the messages that a packet completes: they are dissected once it has been written. */
  #comment(direction: Direction, { frame }: Origin): PacketComment {
    return () => this.names.take(this.#capture.conversation, direction, frame);
  }

  /**
   * Keeps a place for what has come but is not settled.
   *
   * @param kept the place that its packet already has, if it was held back
   */
  #expect(direction: Direction, length: number, origin: Origin, kept?: Place): void {
    if (this.#isForgotten) return;
    const sender = this.#sender(direction);
    const { last } = sender;
    // In the capture, a stream stays in order: what follows another packet is not written before it.
    const place = kept === undefined || (last !== undefined && last.number > kept.number) ? last : kept;
    const isOpen = kept !== undefined && place !== undefined && !place.isWritten;
    sender.last = isOpen ? place : this.#places.append(length, origin);
    if (isOpen) place.unsettled++;
    sender.unsettled.push(sender.last);
  }

  /** Takes the place of what is settled next: a direction is settled in order. */
  #settled(direction: Direction): Place | undefined {
    return this.#sender(direction).unsettled.take();
  }

  /** Stops waiting for what is settled next: it is not written. */
  #giveUpNext(direction: Direction): void {
    const place = this.#settled(direction);
    if (place !== undefined) this.#places.settle(place);
  }

  /** Stops waiting: no more plaintext comes. */
  #drop(): void {
    const unsettled = [...this.#c2s.unsettled.rest(), ...this.#s2c.unsettled.rest()];
    this.#places.release([...unsettled, ...this.#outOfOrder.values()]);
    this.#c2s = new Sender();
    this.#s2c = new Sender();
    this.#outOfOrder.clear();
  }

  #sender(direction: Direction): Sender {
    return direction === "c2s" ? this.#c2s : this.#s2c;
  }
}
