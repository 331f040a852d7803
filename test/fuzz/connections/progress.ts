import { Flag } from "../../support/packets.js";
import { otherSide } from "./script.js";
import type { Session, Side } from "./sessions.js";
import { fieldsOf } from "./tcp-fields.js";

/** Seconds after which an RST counts: what has not contradicted it by then comes too late. */
const IN_TIME = 50;
/** The same for what is acknowledged and has not come. */
const SOON = 0.9;

/** A segment to come. Numbers are relative to the first bytes. */
interface Later {
  readonly number: number;
  readonly acknowledged: number;
  readonly isSoon: boolean;
}

/** How far both ends are at some place of a session, and what comes after it. Numbers are relative to the first bytes. */
export class Progress {
  /** What each side has sent. */
  readonly next: [number, number] = [-1, -1];
  /** Acknowledgments to come of what each side sends. */
  readonly #acknowledged: [number[], number[]] = [[], []];
  /** What each side sends later: the number, what it acknowledges, and whether it is soon. */
  readonly #later: [Later[], Later[]] = [[], []];
  /** Whether anything that each side sends later is acknowledged later, in time. */
  readonly #isAcknowledged: [boolean, boolean] = [false, false];
  /** Whether it is soon. */
  readonly #isSoonAcknowledged: [boolean, boolean] = [false, false];

  /** @param at index of the first packet to come. */
  constructor({ packets, bases, streams }: Session, at: number) {
    const sent: [number, number] = [-1, -1];
    const begin = packets[Math.max(at - 1, 0)]?.microseconds ?? 0;
    for (const [index, { side, ip, microseconds }] of packets.entries()) {
      const { sequence, acknowledgment, flags, payload } = fieldsOf(ip);
      const end = ((sequence - bases[side]) | 0) + payload.length + (flags & Flag.fin) + ((flags & Flag.syn) >> 1);
      sent[side] = Math.max(sent[side], end);
      const other = otherSide(side);
      const acknowledged = (acknowledgment - bases[other]) | 0;
      if (index < at) {
        this.next[side] = Math.max(this.next[side], end);
        continue;
      }
      if ((flags & Flag.ack) === 0) continue;
      this.#acknowledged[other].push(acknowledged);
      const passed = (microseconds - begin) / 1e6;
      this.#later[side].push({ number: (sequence - bases[side]) | 0, acknowledged, isSoon: passed < SOON });
      const isNew =
        acknowledged > Math.max(this.next[other], 0) && acknowledged <= Math.min(sent[other], streams[other].length);
      if (isNew && passed < IN_TIME) this.#isAcknowledged[other] = true;
      if (isNew && passed < SOON) this.#isSoonAcknowledged[other] = true;
    }
  }

  /** Whether the connection goes on: both ends exchange something new. */
  get goesOn(): boolean {
    return this.#isAcknowledged[0] || this.#isAcknowledged[1];
  }

  /**
   * Whether what comes shows that a side has not sent an RST: what it sends later is accepted. If the RST acknowledges
   * what has not come, that has to be soon.
   */
  refutesReset(side: Side, isAhead: boolean): boolean {
    return isAhead ? this.#isSoonAcknowledged[side] : this.#isAcknowledged[side];
  }

  /**
   * Whether what a side sends later shows that it has not acknowledged so much in a segment with this number: once
   * further on, or twice with the same number.
   * @param isUrgent whether that has to be soon.
   */
  refutesAcknowledgment(side: Side, sequence: number, acknowledgment: number, isUrgent: boolean): boolean {
    const inTime = this.#later[side].filter(({ isSoon }) => isSoon || !isUrgent);
    const less = inTime.filter(({ acknowledged }) => acknowledged < acknowledgment);
    return less.some(({ number }) => number > sequence) || less.filter(({ number }) => number === sequence).length > 1;
  }

  /** Whether acknowledgments to come show that a side has not sent a FIN with this number. */
  refutesFin(side: Side, number: number): boolean {
    const acknowledged = this.#acknowledged[side];
    return (
      number < this.next[side] - 1 ||
      (!acknowledged.includes(number + 1) && acknowledged.some((ack) => ack > number + 1))
    );
  }
}
