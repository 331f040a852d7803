import type { StateEvent } from "../../dissector/state-event.js";
import type { Limits } from "../../limits.js";
import type { Moment } from "../../state/moment.js";
import { Transfers } from "../../state/transfers.js";
import { type Speech, VoiceLog } from "../../state/voice-log.js";
import { fileObject, pictureObject, type VoiceForm, voiceObject, type WritableObject } from "./found-object.js";

/** Makes an object, which takes as much memory as its file is long. */
type Make = () => WritableObject | Promise<WritableObject>;

/** Finds what was transferred in what messages say: files, pictures and voice. */
export class ObjectCollector {
  readonly #transfers: Transfers;
  readonly #voices = new VoiceLog();
  #found: Make[] = [];

  constructor(
    readonly limits: Pick<Limits, "transferBytes">,
    readonly form: VoiceForm,
  ) {
    this.#transfers = new Transfers(limits);
  }

  /** How many files were cut because a limit was reached. */
  get givenUp(): number {
    return this.#transfers.givenUp;
  }

  take(event: StateEvent, at: Moment): void {
    if (event.kind === "listed-file") this.#transfers.listed(event);
    else if (event.kind === "picture") this.#found.push(() => pictureObject(event, at));
    else if (event.kind === "file") {
      const file = this.#transfers.take(event, at);
      if (file !== undefined) this.#found.push(() => fileObject(file, this.limits.transferBytes));
    } else if (event.kind === "voice") {
      const speech = this.#voices.take(event, at, (seconds) => ({ seconds, frames: event.frames }));
      if (speech !== undefined) this.#addVoice(speech);
    }
  }

  /** Finds what has not come to its end, as nothing more will come. */
  finish(): void {
    for (const file of this.#transfers.open.values()) {
      this.#found.push(() => fileObject(file, this.limits.transferBytes));
    }
    for (const speech of this.#voices.rest()) this.#addVoice(speech);
  }

  /** Makes what was found since the last time, one after the other. */
  async *objects(): AsyncGenerator<WritableObject> {
    const found = this.#found;
    this.#found = [];
    for (const make of found) yield await make();
  }

  #addVoice(speech: Speech): void {
    this.#found.push(() => voiceObject(speech, this.form));
  }
}
