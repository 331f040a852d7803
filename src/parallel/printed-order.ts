import { GatheredText } from "../output/writers/gathered-text.js";
import { PieceBuffers } from "../output/writers/piece-buffers.js";
import { batchPieces } from "./task.js";

/** Where the text goes. */
export interface OrderedOutput {
  /** @param text a string, or UTF-8, which is copied */
  write(text: string | Uint8Array): void;
  /** Writes bytes without copying them. @param written called once they may change again */
  handOver(bytes: Uint8Array, written: () => void): void;
}

/** Text of a batch. */
interface Piece {
  readonly bytes: Uint8Array;
  /** Takes the buffer back once the system has it. */
  readonly giveBack: (buffer: ArrayBufferLike) => void;
}

/** What one thread prints of a series of consecutive messages. */
export interface PrintedBatch {
  readonly pieces: Piece[];
  /** True once all of it is printed. */
  isWhole: boolean;
}

/** Writes what several threads print, in the order of the messages. */
export class PrintedOrder {
  /** Batches that are begun but not yet written, in order. */
  readonly #begun: PrintedBatch[] = [];
  /** The last of them, if this thread prints it. */
  #own: PrintedBatch | undefined;
  /** What this thread prints of it before its turn. */
  readonly #text: GatheredText;
  #waiting = 0;

  constructor(readonly output: OrderedOutput) {
    const buffers = new PieceBuffers(batchPieces);
    const giveBack = (buffer: ArrayBufferLike) => buffers.give(buffer);
    this.#text = new GatheredText(buffers, (bytes) => {
      this.#waiting += bytes.length;
      this.#own?.pieces.push({ bytes, giveBack });
    });
  }

  /** Bytes that wait for what other threads print. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Adds what this thread prints. */
  write(text: string | Uint8Array): void {
    if (this.#own === undefined) {
      this.#own = { pieces: [], isWhole: false };
      this.#begun.push(this.#own);
    }
    if (this.#begun[0] === this.#own && this.#own.pieces.length === 0) this.output.write(text);
    else this.#text.write(text);
  }

  /** Begins a batch that another thread prints. */
  begin(): PrintedBatch {
    this.end();
    const batch: PrintedBatch = { pieces: [], isWhole: false };
    this.#begun.push(batch);
    return batch;
  }

  /** Called when another thread has printed more of a batch. */
  came(batch: PrintedBatch, piece: Piece): void {
    this.#waiting += piece.bytes.length;
    batch.pieces.push(piece);
    this.#writeOut();
  }

  /** Called when another thread has printed all of a batch. */
  ended(batch: PrintedBatch): void {
    batch.isWhole = true;
    this.#writeOut();
  }

  /** Ends our own batch: what comes next is printed by others, or there is nothing more. */
  end(): void {
    this.#text.flush();
    if (this.#own !== undefined) this.#own.isWhole = true;
    this.#own = undefined;
    this.#writeOut();
  }

  /** Writes everything whose turn has come. */
  #writeOut(): void {
    for (let first = this.#begun[0]; first !== undefined; first = this.#begun[0]) {
      if (first === this.#own) this.#text.flush();
      for (const { bytes, giveBack } of first.pieces.splice(0)) {
        this.output.handOver(bytes, () => giveBack(bytes.buffer));
        this.#waiting -= bytes.length;
      }
      if (!first.isWhole) return;
      this.#begun.shift();
    }
  }
}
