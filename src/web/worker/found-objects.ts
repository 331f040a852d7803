import { counted } from "../../common/counted.js";
import type { FileEvent, ListedFileEvent, PictureEvent, StateEvent, VoiceEvent } from "../../dissector/state-event.js";
import { damageIn, framesOf, playableSpeech, secondsOf, speechFile } from "../../export/speech.js";
import type { Limits } from "../../limits.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";
import { partyText } from "../../output/state/common.js";
import { printable } from "../../output/writers/sanitise.js";
import { checkedFile, unpacked } from "../../state/checked-file.js";
import type { Moment } from "../../state/moment.js";
import { type TransferredFile, Transfers } from "../../state/transfers.js";
import { type Speech, VoiceLog } from "../../state/voice-log.js";
import type { FoundObjectRows, ObjectRow } from "../session-api.js";
import { Breathing } from "./breathe.js";

/** Most objects that are kept. */
const MOST_OBJECTS = 10_000;

const NO_BYTES = new Uint8Array(0);

/** What is kept of a message that brings voice, in place of what it says, which takes much more memory. */
interface VoicePart {
  readonly number: number;
  /** How many frames it has. */
  readonly frames: number;
}

interface Kept {
  readonly id: string;
  readonly row: () => ObjectRow;
  readonly content: () => Uint8Array;
  /** What browsers show or play, if that is something else. */
  readonly shown?: () => Uint8Array;
}

/** What can be saved or played. Their bytes are in the messages, and put together when they are asked for. */
export class FoundObjects {
  readonly #transfers: Transfers;
  /** Numbers of the messages of each transfer that goes on. */
  readonly #parts = new Map<string, number[]>();
  readonly #voices = new VoiceLog<VoicePart>();
  readonly #kept: Kept[] = [];
  #leftOut = 0;

  /** @param eventsOf reads again what a message means @param timeOf when it came */
  constructor(
    readonly limits: Pick<Limits, "transferBytes">,
    readonly eventsOf: (number: number) => readonly StateEvent[],
    readonly timeOf: (number: number) => Origin,
  ) {
    this.#transfers = new Transfers(limits);
  }

  take(event: FileEvent | ListedFileEvent | PictureEvent | VoiceEvent, at: Moment): void {
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
        this.#keep(() => this.#fileOf(file, event.transfer, parts));
        break;
      }
      case "picture": {
        const { node, title, ending, bytes } = event;
        const { number } = at;
        const type = ending === ".png" ? "image/png" : "image/jpeg";
        const name = printable(`${node} ${title}${ending}`);
        const id = `picture ${number} ${node}`;
        const known = { id, kind: "picture", name, bytes: bytes.length, seconds: undefined, number } as const;
        const row = { ...known, state: "whole", type };
        this.#keep(() => ({ id, row: () => row, content: () => this.#pictureIn(number, node) }));
        break;
      }
      case "voice": {
        const part = { number: at.number, frames: event.frames.length };
        const speech = this.#voices.take(event, at, () => part);
        if (speech !== undefined) this.#keep(() => this.#voiceOf(speech));
        break;
      }
      default:
    }
  }

  /** All that there is by now. */
  async rows(): Promise<FoundObjectRows> {
    const breathing = new Breathing();
    const rows: ObjectRow[] = [];
    for (const { row } of this.#all) {
      rows.push(row());
      if (breathing.isDue) await breathing.breathe();
    }
    return { rows, leftOut: this.#leftOut };
  }

  content(id: string): Uint8Array | undefined {
    return this.#find(id)?.content();
  }

  shown(id: string): Uint8Array | undefined {
    const object = this.#find(id);
    return object?.shown?.() ?? object?.content();
  }

  #find(id: string): Kept | undefined {
    return this.#all.find((object) => object.id === id);
  }

  /** Those that are kept, the files that have not all come, then what everyone said last, which may go on. */
  get #all(): readonly Kept[] {
    const open = [...this.#transfers.open].map(([transfer, file]) => {
      return this.#fileOf(file, transfer, this.#parts.get(transfer) ?? []);
    });
    return [...this.#kept, ...open, ...this.#voices.rest().map((speech) => this.#voiceOf(speech))];
  }

  #keep(make: () => Kept): void {
    if (this.#kept.length < MOST_OBJECTS) this.#kept.push(make());
    else this.#leftOut++;
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
    const { at, listed } = file;
    const { name, content, state, isUnpacked } = checkedFile(file, this.limits.transferBytes);
    const { length } = content;
    const id = `file ${at.number}`;
    const known = { id, kind: "file", name: printable(name), bytes: length, seconds: undefined, number: at.number };
    const row = { ...known, kind: "file", state: printable(state), type: "" } as const;
    return {
      id,
      row: () => row,
      content: () => {
        const sent = this.#bytesOf(at, transfer, parts);
        return isUnpacked ? (unpacked(sent, Math.max(listed?.size ?? 0, 1)) ?? sent) : sent;
      },
    };
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
    return again.open.get(transfer)?.bytes ?? bytes;
  }

  #voiceOf({ from, codec, at, parts }: Speech<VoicePart>): Kept {
    const spoken = () => {
      const found = parts.map(({ number }) => ({
        seconds: secondsBetween(at.origin, this.timeOf(number)),
        frames: this.#framesOf(number),
      }));
      return framesOf(codec, found, "keep");
    };
    const { ending, bytes } = speechFile(codec, spoken);
    const { type, bytes: shown } = playableSpeech(codec, spoken, this.limits.transferBytes);
    const { number } = at;
    const id = `voice ${number}`;
    const name = printable(`${partyText(from)} ${number}${ending}`);
    let measured: { readonly parts: number; readonly row: ObjectRow } | undefined;
    const row = (): ObjectRow => {
      if (measured?.parts === parts.length) return measured.row;
      const heard = spoken();
      const count = parts.reduce((sum, { frames }) => sum + frames, 0);
      const state = [counted(count, "frame"), ...damageIn(codec, heard)].join("; ");
      const lengths = { bytes: bytes().length, seconds: secondsOf(codec, heard) };
      measured = { parts: parts.length, row: { id, kind: "voice", name, ...lengths, number, state, type } };
      return measured.row;
    };
    return { id, row, content: bytes, shown };
  }
}
