import { GatheredText } from "../gathered-text.js";
import { PieceBuffers } from "../piece-buffers.js";
import type { TextOutput } from "../text-output.js";
import { blockPieces } from "./task.js";

/** Where text of a block comes from. */
export interface PieceOrigin {
  /** Called once its turn has come, with the number of bytes. */
  readonly written: (bytes: number) => void;
  /** Takes the buffer back once the system has it. */
  readonly giveBack: (buffer: ArrayBufferLike) => void;
}

/** Text of a block. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly origin: PieceOrigin;
}

/** What some thread has printed of a series of consecutive messages. */
interface Block {
  readonly pieces: Piece[];
  /** Number of its last message, as reported by the thread that prints it, once all of it is printed. */
  last: number | undefined;
}

/** A block whose first message this thread has reached. */
interface ReachedBlock {
  readonly number: number;
  readonly isOurs: boolean;
  readonly block: Block;
  /** Number of its last message in this thread; until that is reached, of the latest one. */
  last: number;
}

/** Writes what several threads print, in the order of the messages. */
export class PrintedOrder {
  /** Blocks that are reached but not yet written, in order. */
  readonly #reached: ReachedBlock[] = [];
  /** Blocks that others have printed, or begun, before this thread reaches them. */
  readonly #early = new Map<number, Block>();
  #latest: ReachedBlock | undefined;
  /** What this thread prints of the latest block before its turn. */
  readonly #own: GatheredText;
  #isAlike = true;
  #waiting = 0;

  constructor(readonly output: TextOutput) {
    const buffers = new PieceBuffers(blockPieces);
    const origin: PieceOrigin = {
      written: (bytes) => {
        this.#waiting -= bytes;
      },
      giveBack: (buffer) => buffers.give(buffer),
    };
    this.#own = new GatheredText(buffers, (bytes) => {
      this.#waiting += bytes.length;
      this.#latest?.block.pieces.push({ bytes, origin });
    });
  }

  /** Bytes of our own that wait for what others print. */
  get waiting(): number {
    return this.#waiting;
  }

  /** True if nothing waits for others. */
  get isWritten(): boolean {
    return this.#reached.length === 0;
  }

  /** False if another thread did not find the same messages in a block that it printed. */
  get isAlike(): boolean {
    return this.#isAlike;
  }

  /** Must be called for each message, with the number of its block, and whether that is ours. */
  reach(message: number, number: number, isOurs: boolean): void {
    if (this.#latest?.number !== number) {
      this.end();
      const block = this.#early.get(number) ?? { pieces: [], last: undefined };
      this.#early.delete(number);
      this.#latest = { number, isOurs, block, last: message };
      this.#reached.push(this.#latest);
      this.#writeOut();
    }
    this.#latest.last = message;
  }

  /** Ends the latest block: there are no more messages, or they belong to the next one. */
  end(): void {
    this.#own.flush();
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest?.isOurs) latest.block.last = latest.last;
    this.#writeOut();
  }

  /** Adds to our own block. */
  write(text: string | Uint8Array): void {
    const [first] = this.#reached;
    if (this.#latest === undefined || first === this.#latest) {
      this.output.write(text);
      return;
    }
    this.#own.write(text);
  }

  /** Called when another thread has printed more of a block. */
  came(number: number, bytes: Uint8Array, origin: PieceOrigin): void {
    this.#theirs(number).pieces.push({ bytes, origin });
    this.#writeOut();
  }

  /** Called when another thread has printed all of a block, up to message `last`. */
  ended(number: number, last: number): void {
    this.#theirs(number).last = last;
    this.#writeOut();
  }

  #theirs(number: number): Block {
    let block = this.#reached.find((reached) => reached.number === number)?.block ?? this.#early.get(number);
    if (block === undefined) {
      block = { pieces: [], last: undefined };
      this.#early.set(number, block);
    }
    return block;
  }

  /** Writes everything whose turn has come. */
  #writeOut(): void {
    for (let first = this.#reached[0]; first !== undefined; first = this.#reached[0]) {
      const { block } = first;
      if (first === this.#latest) this.#own.flush();
      for (const { bytes, origin } of block.pieces.splice(0)) {
        this.output.handOver(bytes, () => origin.giveBack(bytes.buffer));
        origin.written(bytes.length);
      }
      // It is not yet known here where the latest one ends.
      if (block.last === undefined || first === this.#latest) return;
      if (block.last !== first.last) this.#isAlike = false;
      this.#reached.shift();
    }
  }
}
