import { GatheredText } from "../writing/gathered-text.js";
import { PieceBuffers } from "../writing/piece-buffers.js";
import type { TextOutput } from "../writing/text-output.js";
import { blockPieces } from "./task.js";

/** Text of a block. */
interface Piece {
  readonly bytes: Uint8Array;
  /** Takes the buffer back once the system has it. */
  readonly giveBack: (buffer: ArrayBufferLike) => void;
}

/** What one thread prints of a series of consecutive messages. */
export interface PrintedBlock {
  readonly pieces: Piece[];
  /** True once all of it is printed. */
  isWhole: boolean;
}

/** Writes what several threads print, in the order of the messages. */
export class PrintedOrder {
  /** Blocks that are begun but not yet written, in order. */
  readonly #begun: PrintedBlock[] = [];
  /** The last of them, if this thread prints it. */
  #own: PrintedBlock | undefined;
  /** What this thread prints of it before its turn. */
  readonly #text: GatheredText;
  #waiting = 0;

  constructor(readonly output: TextOutput) {
    const buffers = new PieceBuffers(blockPieces);
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

  /** Begins a block that another thread prints. */
  begin(): PrintedBlock {
    this.end();
    const block: PrintedBlock = { pieces: [], isWhole: false };
    this.#begun.push(block);
    return block;
  }

  /** Called when another thread has printed more of a block. */
  came(block: PrintedBlock, piece: Piece): void {
    this.#waiting += piece.bytes.length;
    block.pieces.push(piece);
    this.#writeOut();
  }

  /** Called when another thread has printed all of a block. */
  ended(block: PrintedBlock): void {
    block.isWhole = true;
    this.#writeOut();
  }

  /** Ends our own block: what comes next is printed by others, or there is nothing more. */
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
