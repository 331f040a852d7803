import type { Limits } from "../../limits.js";
import { PlainWriter } from "../../output/writers/plain-writer.js";
import { MergedTraces, type MergedTracesClient } from "./merged-traces.js";
import type { Pieces } from "./printing-trace.js";
import { Event } from "./trace.js";
import type { TracedTrouble, TraceReader } from "./trace-reader.js";

/** Whom lines are passed on to. */
export interface LinesListener {
  /** Called with lines in UTF-8, which have to be copied. */
  readonly write: (text: Uint8Array) => void;
  /** Called before the line of a message that is not sound, shown or not. */
  readonly trouble: (trouble: TracedTrouble) => void;
}

/** How much is gathered before it is passed on, in bytes. */
const GATHERED = 32 * 1024;

/** How far the pieces of a trace have been read. */
interface Cursor {
  pieces: Pieces | undefined;
  piece: number;
  at: number;
}

/** Puts the lines of several threads in order, and numbers in them. */
export class MergedLines extends MergedTraces<Pieces> {
  /** How many lines there were. */
  lines = 0;
  readonly #cursors = new Map<TraceReader<Pieces>, Cursor>();
  readonly #text = new PlainWriter();

  constructor(
    threads: number,
    limits: Limits,
    readonly listener: LinesListener,
    client: MergedTracesClient,
  ) {
    super(threads, limits, client);
  }

  protected override take(event: number, reader: TraceReader<Pieces>): void {
    switch (event) {
      case Event.Messages:
        this.count(reader, reader.messages().messages);
        break;
      case Event.Line: {
        this.count(reader, 1);
        const [length, numberAt] = reader.line();
        this.#line(reader, length, numberAt);
        break;
      }
      case Event.Trouble:
        this.listener.trouble(reader.trouble());
    }
  }

  protected override ended(pieces: Pieces): readonly ArrayBufferLike[] {
    return pieces.map(({ buffer }) => buffer);
  }

  override drain(): void {
    super.drain();
    this.#passOn();
  }

  override finish(): void {}

  #passOn(): void {
    const text = this.#text;
    if (text.length === 0) return;
    this.listener.write(text.bytes);
    text.clear();
  }

  #line(reader: TraceReader<Pieces>, length: number, numberAt: number): void {
    const cursor = this.#cursorOf(reader);
    const piece = cursor.pieces?.[cursor.piece];
    if (piece === undefined) throw new RangeError("a line is missing in a trace");
    const text = this.#text;
    const start = cursor.at;
    const end = start + length;
    if (numberAt < 0) text.copy(piece, start, end);
    else {
      text.copy(piece, start, start + numberAt);
      text.integer(this.number);
      text.copy(piece, start + numberAt, end);
    }
    this.lines++;
    cursor.at = end;
    // A line is never divided between pieces.
    if (end >= piece.length) {
      cursor.piece++;
      cursor.at = 0;
    }
    if (text.length > GATHERED) this.#passOn();
  }

  #cursorOf(reader: TraceReader<Pieces>): Cursor {
    let cursor = this.#cursors.get(reader);
    if (cursor === undefined) {
      cursor = { pieces: undefined, piece: 0, at: 0 };
      this.#cursors.set(reader, cursor);
    }
    const { content } = reader;
    if (cursor.pieces !== content) {
      cursor.pieces = content;
      cursor.piece = 0;
      cursor.at = 0;
    }
    return cursor;
  }
}
