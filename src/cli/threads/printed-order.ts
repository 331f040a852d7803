import { GatheredText } from "../gathered-text.js";
import { PieceBuffers } from "../piece-buffers.js";
import type { TextOutput } from "../text-output.js";
import { blockPieces } from "./task.js";

/** Text of a block. */
interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Takes the buffer back when it is written. */
  readonly giveBack: (buffer: ArrayBuffer) => void;
}

/** What was printed of some messages that follow each other, by whichever thread. */
interface Block {
  readonly pieces: Piece[];
  /** Number of its last message as the thread that prints it says, once all of it is printed. */
  last: number | undefined;
}

/** A block of which this thread has come to the first message. */
interface ReachedBlock {
  readonly number: number;
  readonly isOurs: boolean;
  readonly block: Block;
  /** Number of its last message for this thread; so far, of the latest one. */
  last: number;
}

/** Writes what several threads print in the order of the messages. */
export class PrintedOrder {
  /** Blocks that are reached and not written, in order. */
  readonly #reached: ReachedBlock[] = [];
  /** Those that others have printed, or have begun, before they are reached here. */
  readonly #early = new Map<number, Block>();
  #latest: ReachedBlock | undefined;
  /** What is printed here of the latest block before its turn. */
  readonly #own: GatheredText;
  #isAlike = true;
  #waiting = 0;

  /** @param written told of the length of each piece by others that is written */
  constructor(
    readonly output: TextOutput,
    readonly written: (bytes: number) => void,
  ) {
    const buffers = new PieceBuffers(blockPieces);
    const giveBack = (buffer: ArrayBuffer) => buffers.give(buffer);
    this.#own = new GatheredText(buffers, (bytes) => {
      this.#waiting += bytes.length;
      this.#latest?.block.pieces.push({ bytes, giveBack });
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

  /** False if others have not found the same messages in a block that they have printed. */
  get isAlike(): boolean {
    return this.#isAlike;
  }

  /** Told of each message: in which block it is, and whether that is ours. */
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

  /** There are no more messages, or none of the latest block. */
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

  /** Another thread has printed more of a block. */
  came(number: number, bytes: Uint8Array<ArrayBuffer>, giveBack: (buffer: ArrayBuffer) => void): void {
    this.#theirs(number).pieces.push({ bytes, giveBack });
    this.#writeOut();
  }

  /** Another thread has printed all of a block, up to this message. */
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

  /** Writes all whose turn it is. */
  #writeOut(): void {
    for (let first = this.#reached[0]; first !== undefined; first = this.#reached[0]) {
      const { isOurs, block } = first;
      if (first === this.#latest) this.#own.flush();
      for (const { bytes, giveBack } of block.pieces.splice(0)) {
        this.output.handOver(bytes, () => giveBack(bytes.buffer));
        if (isOurs) this.#waiting -= bytes.length;
        else this.written(bytes.length);
      }
      // Of the latest one it is not known here where it ends.
      if (block.last === undefined || first === this.#latest) return;
      if (block.last !== first.last) this.#isAlike = false;
      this.#reached.shift();
    }
  }
}
