import type { Party, VoiceEvent } from "../dissector/state-event.js";
import { secondsBetween } from "../network/conversation.js";
import type { Moment } from "./moment.js";
import { Relayed } from "./relayed.js";

/** What one speaker says without a longer pause. @typeParam P what is kept of each message */
export interface Speech<P = SpeechPart> {
  readonly from: Party;
  readonly codec: VoiceEvent["codec"];
  readonly at: Moment;
  last: Moment;
  readonly parts: P[];
}

/** What one message brings. */
export interface SpeechPart {
  /** Seconds since the first one came. */
  readonly seconds: number;
  readonly frames: readonly Uint8Array[];
}

/** Seconds of silence after which somebody speaks anew. */
const PAUSE = 2;
/** Seconds after which a new stretch of speech begins in any case. */
const LONGEST = 3600;

/** Gathers encoded speech by speaker: what is relayed to several counts once. */
export class VoiceLog<P = SpeechPart> {
  readonly #relayed = new Relayed();
  readonly #open = new Map<string, Speech<P>>();

  /** Takes frames; returns what the speaker said before, if that has ended. @param partOf what is kept of them */
  take(
    { from, codec, frames, key, isRelayed }: VoiceEvent,
    at: Moment,
    partOf: (seconds: number) => P,
  ): Speech<P> | undefined {
    if (frames.length === 0 || !this.#relayed.isNew(key, isRelayed ? `to ${at.stream}` : "from")) return undefined;
    const speaker = `${from.id} ${codec}`;
    const open = this.#open.get(speaker);
    const seconds = open === undefined ? 0 : secondsBetween(open.at.origin, at.origin);
    if (open !== undefined && seconds <= LONGEST && secondsBetween(open.last.origin, at.origin) <= PAUSE) {
      open.parts.push(partOf(seconds));
      open.last = at;
      return undefined;
    }
    this.#open.set(speaker, { from, codec, at, last: at, parts: [partOf(0)] });
    return open;
  }

  /** What everyone said last. */
  rest(): Speech<P>[] {
    return [...this.#open.values()];
  }
}
