import { counted } from "../../common/counted.js";
import type {
  FileEvent,
  ListedFileEvent,
  PictureEvent,
  PresenceEvent,
  StateEvent,
  VoiceEvent,
} from "../../dissector/state-event.js";
import { framesOf, playableSpeech, speechFile } from "../../export/speech.js";
import type { Limits } from "../../limits.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";
import { partyText } from "../../output/state/common.js";
import { printable } from "../../output/writers/sanitise.js";
import type { Moment } from "../../state/moment.js";
import { type TransferredFile, Transfers } from "../../state/transfers.js";
import { type Speech, VoiceLog } from "../../state/voice-log.js";
import type { ObjectRow } from "../session-api.js";

/** Most objects that are kept. */
const MOST_OBJECTS = 10_000;

const NO_BYTES = new Uint8Array(0);

interface Kept extends Omit<ObjectRow, "index"> {
  readonly content: () => Uint8Array;
  /** What browsers show or play, if that is something else. */
  readonly shown?: () => Uint8Array;
}

/** What can be saved or played. Their bytes are in the messages, and put together when they are asked for. */
export class FoundObjects {
  readonly #transfers: Transfers;
  /** Numbers of the messages of each transfer that goes on. */
  readonly #parts = new Map<string, number[]>();
  /** With the numbers of the messages in place of what they say, which takes much more memory. */
  readonly #voices = new VoiceLog<number>();
  readonly #kept: Kept[] = [];

  /** @param eventsOf reads again what a message means @param timeOf when it came */
  constructor(
    readonly limits: Pick<Limits, "transferBytes">,
    readonly eventsOf: (number: number) => readonly StateEvent[],
    readonly timeOf: (number: number) => Origin,
  ) {
    this.#transfers = new Transfers(limits);
  }

  take(event: FileEvent | ListedFileEvent | PictureEvent | VoiceEvent | PresenceEvent, at: Moment): void {
    switch (event.kind) {
      case "listed-file":
        this.#transfers.listed(event);
        break;
      case "file": {
        const parts = this.#parts.get(event.transfer) ?? [];
        parts.push(at.number);
        this.#parts.set(event.transfer, parts);
        const file = this.#transfers.take(event, at);
        if (file === undefined) break;
        this.#parts.delete(event.transfer);
        if (file.bytes.length > 0) this.#keep(this.#fileOf(file, event.transfer, parts));
        break;
      }
      case "picture": {
        const { node, title, ending, bytes } = event;
        const { number } = at;
        const type = ending === ".png" ? "image/png" : "image/jpeg";
        const name = printable(`${node} ${title}${ending}`);
        const known = { kind: "picture", name, bytes: bytes.length, number, state: "", type } as const;
        this.#keep({ ...known, content: () => this.#pictureIn(number, node) });
        break;
      }
      case "voice": {
        const speech = this.#voices.take(event, at, () => at.number);
        if (speech !== undefined) this.#keep(this.#voiceOf(speech));
        break;
      }
      default:
    }
  }

  get rows(): readonly ObjectRow[] {
    return this.#all.map(({ content: _, shown: __, ...row }, index) => ({ ...row, index }));
  }

  content(index: number): Uint8Array | undefined {
    return this.#all[index]?.content();
  }

  shown(index: number): Uint8Array | undefined {
    const object = this.#all[index];
    return object?.shown?.() ?? object?.content();
  }

  /** Those that are kept, then what everyone said last, which may go on. */
  get #all(): readonly Kept[] {
    return [...this.#kept, ...this.#voices.rest().map((speech) => this.#voiceOf(speech))];
  }

  #keep(object: Kept): void {
    if (this.#kept.length < MOST_OBJECTS) this.#kept.push(object);
  }

  #framesOf(number: number): readonly Uint8Array[] {
    return this.eventsOf(number).flatMap((event) => (event.kind === "voice" ? event.frames : []));
  }

  #pictureIn(number: number, node: string): Uint8Array {
    const found = this.eventsOf(number).find((event) => event.kind === "picture" && event.node === node);
    return found?.kind === "picture" ? found.bytes : NO_BYTES;
  }

  /** @param parts numbers of its messages */
  #fileOf(file: TransferredFile, transfer: string, parts: readonly number[]): Kept {
    const { name, at, size, bytes, isWhole } = file;
    const { length } = bytes;
    const state = isWhole ? "whole" : `${length} of ${size} bytes`;
    const known = { kind: "file", name: printable(name), bytes: length, number: at.number, state, type: "" } as const;
    return { ...known, content: () => this.#bytesOf(at, transfer, parts) };
  }

  #bytesOf(at: Moment, transfer: string, parts: readonly number[]): Uint8Array {
    const again = new Transfers(this.limits);
    let bytes: Uint8Array = NO_BYTES;
    for (const number of parts) {
      for (const event of this.eventsOf(number)) {
        if (event.kind === "file" && event.transfer === transfer) bytes = again.take(event, at)?.bytes ?? bytes;
      }
    }
    // One that was given up for others is not at its end yet.
    return again.rest()[0]?.bytes ?? bytes;
  }

  #voiceOf({ from, codec, at, parts }: Speech<number>): Kept {
    const spoken = () => {
      const found = parts.map((number) => ({
        seconds: secondsBetween(at.origin, this.timeOf(number)),
        frames: this.#framesOf(number),
      }));
      return framesOf(codec, found, "keep");
    };
    const { ending, bytes } = speechFile(codec, spoken);
    const { type, bytes: shown } = playableSpeech(codec, spoken, this.limits.transferBytes);
    const name = printable(`${partyText(from)} ${at.number}${ending}`);
    const state = counted(parts.length, "message");
    return { kind: "voice", name, bytes: undefined, number: at.number, state, type, content: bytes, shown };
  }
}
