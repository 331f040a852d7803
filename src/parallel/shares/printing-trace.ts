import type { Message } from "../../dissect/message.js";
import type { OrderWatch } from "../../dissect/order/order-watch.js";
import { GatheredText } from "../../output/writers/gathered-text.js";
import { PieceBuffers, type PieceSize } from "../../output/writers/piece-buffers.js";
import { Event, NONE, TRACE_BYTES, type Trace } from "./trace.js";
import { TraceWriter } from "./trace-writer.js";

/** A line without the number of its message. */
export interface NumberlessLine {
  /** UTF-8, valid until the next line is made. */
  readonly bytes: Uint8Array;
  /** After how many bytes the number belongs, if it is in the line. */
  readonly numberAt: number | undefined;
}

/** Texts of lines, in pieces of shared memory. */
export type Pieces = readonly Uint8Array[];

/** Not as much as a trace has numbers, so that what is given back can be told apart. */
const PIECES: PieceSize = { bytes: 128 * 1024, mostSpare: 16, isShared: true };

/** What a thread prints of its share of the conversations. */
export class PrintingTrace extends TraceWriter<Pieces> {
  #pieces: Uint8Array[] = [];
  readonly #buffers = new PieceBuffers(PIECES);
  readonly #text = new GatheredText(this.#buffers, (bytes) => this.#pieces.push(bytes));

  constructor(
    order: OrderWatch,
    readonly print: (message: Message) => NumberlessLine,
    full: (trace: Trace<Pieces>) => void,
  ) {
    super(order, full);
  }

  override message(message: Message, passes: boolean): void {
    const { status, nodes } = message;
    if (status !== "ok" || nodes === undefined) this.#trouble(message);
    if (!passes) {
      this.addMessage(message, false);
      return;
    }
    const { bytes, numberAt = NONE } = this.print(message);
    this.begin(Event.Line);
    this.#text.write(bytes);
    this.add(bytes.length);
    this.add(numberAt);
  }

  override give(memory: ArrayBufferLike): void {
    if (memory.byteLength === TRACE_BYTES) super.give(memory);
    else this.#buffers.give(memory);
  }

  protected override takeContent(): Pieces {
    this.#text.flush();
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #trouble({ conversation, protocol, name, status, notes, nodes }: Message): void {
    this.begin(Event.Trouble);
    this.add(conversation.stream);
    this.addText(protocol);
    this.addText(name);
    this.addText(status);
    this.addText(notes[0]?.text);
    this.add(nodes === undefined ? 1 : 0);
  }
}
