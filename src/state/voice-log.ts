import type { Party, VoiceEvent } from "../dissector/state-event.js";
import { secondsBetween } from "../network/conversation.js";
import type { Moment } from "./moment.js";
import { Relayed } from "./relayed.js";

/** What one speaker says without a longer pause. @typeParam F what stands for frames: their bytes, or where to find them */
export interface Speech<F = Uint8Array> {
  readonly from: Party;
  readonly codec: VoiceEvent["codec"];
  readonly at: Moment;
  last: Moment;
  readonly parts: SpeechPart<F>[];
}

/** What one message brings. */
export interface SpeechPart<F = Uint8Array> {
  /** Seconds since the first one came. */
  readonly seconds: number;
  readonly frames: readonly F[];
}

/** What somebody says, with its frames or what stands for them. */
type VoiceFrames<F> = Omit<VoiceEvent, "kind" | "frames"> & { readonly frames: readonly F[] };

/** Seconds of silence after which somebody speaks anew. */
const PAUSE = 2;
/** Seconds after which a new stretch of speech begins in any case. */
const LONGEST = 3600;

/** Gathers encoded speech by speaker: what is relayed to several counts once. */
export class VoiceLog<F = Uint8Array> {
  readonly #relayed = new Relayed();
  readonly #open = new Map<string, Speech<F>>();

  /** Takes frames; returns what the speaker said before, if that has ended. */
  take({ from, codec, frames, key, isRelayed }: VoiceFrames<F>, at: Moment): Speech<F> | undefined {
    if (frames.length === 0 || !this.#relayed.isNew(key, isRelayed ? `to ${at.stream}` : "from")) return undefined;
    const speaker = `${from.id} ${codec}`;
    const open = this.#open.get(speaker);
    const seconds = open === undefined ? 0 : secondsBetween(open.at.origin, at.origin);
    if (open !== undefined && seconds <= LONGEST && secondsBetween(open.last.origin, at.origin) <= PAUSE) {
      open.parts.push({ seconds, frames });
      open.last = at;
      return undefined;
    }
    this.#open.set(speaker, { from, codec, at, last: at, parts: [{ seconds: 0, frames }] });
    return open;
  }

  /** What everyone said last. */
  rest(): Speech<F>[] {
    return [...this.#open.values()];
  }
}
