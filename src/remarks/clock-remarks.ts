import { ClockSteps } from "../capture/clock.js";
import { type Conversation, secondsBetween } from "../network/conversation.js";
import { NamedStreams } from "./named-streams.js";

/** Finds the durations that mean nothing, because the clock was set back meanwhile, for a report at the end of a run. */
export class ClockRemarks {
  readonly #steps = new ClockSteps();
  readonly #spanning = new NamedStreams();
  readonly #mixed = new NamedStreams();

  /** Takes each step of the clock. */
  readonly onClockSetBack = this.#steps.add;

  /** True if the time from the first packet of a conversation to its last one is how long it took. */
  times({ stream, first, last }: Conversation): boolean {
    const isSetBack = this.#steps.isBetween(first.frame, last.frame);
    const isTimed = !isSetBack && secondsBetween(first, last) >= 0;
    if (!isTimed) (isSetBack ? this.#spanning : this.#mixed).add(stream);
    return isTimed;
  }

  /** True if the time between two frames is not known. */
  isSetBackBetween({ from, to }: { readonly from: number; readonly to: number }): boolean {
    return this.#steps.isBetween(from, to);
  }

  /** Says which conversations have no duration, and why. */
  remarksOnStreams(): string[] {
    return [
      ...(this.#spanning.count > 0 ? [`${this.#what}: how long ${this.#spanning.text} took is not known`] : []),
      ...(this.#mixed.count > 0
        ? [`how long ${this.#mixed.text} took is not known: the last packet has an earlier time than the first`]
        : []),
    ];
  }

  /** Says that all messages have no duration. */
  remarkOnMessages(): string {
    return `${this.#what}: how long the messages took, and how many there were per second, is left out`;
  }

  get #what(): string {
    const { first, count } = this.#steps;
    const more = count > 1 ? `, and ${count - 1} more time${count === 2 ? "" : "s"}` : "";
    return `the clock was set back by ${first?.seconds.toFixed(3)} seconds at frame ${first?.frame}${more}`;
  }
}
