import type { TextOutput } from "../text-output.js";

/** What was printed of some messages that follow each other, by whichever thread. */
interface Block {
  readonly pieces: Uint8Array[];
  isWhole: boolean;
}

/** Writes what several threads print in the order of the messages. */
export class PrintedOrder {
  /** Blocks that are reached and not written, in order. */
  readonly #reached: { readonly number: number; readonly isOurs: boolean; readonly block: Block }[] = [];
  /** Those that others have printed, before they are reached too. */
  readonly #early = new Map<number, Block>();
  #ours: Block | undefined;
  /** Bytes of our own that wait for what others print. */
  waiting = 0;

  /** @param written told of each piece by others that is written */
  constructor(
    readonly output: TextOutput,
    readonly written: (bytes: number) => void,
  ) {}

  /** True if nothing waits for others. */
  get isComplete(): boolean {
    return this.#reached.length === 0;
  }

  /** The blocks before this one are over. */
  reach(number: number, isOurs: boolean): void {
    this.end();
    const block = this.#early.get(number) ?? { pieces: [], isWhole: false };
    this.#early.delete(number);
    this.#reached.push({ number, isOurs, block });
    this.#ours = isOurs ? block : undefined;
    this.#writeOut();
  }

  /** Our own block is over, if we were at one. */
  end(): void {
    if (this.#ours === undefined) return;
    this.#ours.isWhole = true;
    this.#ours = undefined;
    this.#writeOut();
  }

  /** Adds to our own block. */
  write(text: string | Uint8Array): void {
    const [first] = this.#reached;
    if (this.#ours === undefined || first?.block === this.#ours) {
      this.output.write(text);
      return;
    }
    const bytes = typeof text === "string" ? Buffer.from(text) : new Uint8Array(text);
    this.waiting += bytes.length;
    this.#ours.pieces.push(bytes);
  }

  /** Somebody else has printed more of a block, or all of it. */
  came(number: number, bytes: Uint8Array | undefined): void {
    let block = this.#reached.find((reached) => reached.number === number)?.block ?? this.#early.get(number);
    if (block === undefined) {
      block = { pieces: [], isWhole: false };
      this.#early.set(number, block);
    }
    if (bytes === undefined) block.isWhole = true;
    else block.pieces.push(bytes);
    this.#writeOut();
  }

  /** Writes all whose turn it is. */
  #writeOut(): void {
    for (let first = this.#reached[0]; first !== undefined; first = this.#reached[0]) {
      const { isOurs, block } = first;
      for (const piece of block.pieces.splice(0)) {
        this.output.write(piece);
        if (isOurs) this.waiting -= piece.length;
        else this.written(piece.length);
      }
      if (!block.isWhole) return;
      this.#reached.shift();
    }
  }
}
