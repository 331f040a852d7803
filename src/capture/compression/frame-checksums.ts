import { CompressionError } from "./compression-error.js";
import { Xxh64 } from "./xxh64.js";

/** What there is to know of a block before it is unpacked. */
interface Block {
  readonly isLast: boolean;
  /** Its frame ends with a checksum. */
  readonly isChecked: boolean;
}

/** Compares the content of Zstandard frames with the checksums after them, which may be seen before or after it. */
export class FrameChecksums {
  /** Those that have begun, and are not unpacked yet. */
  readonly #blocks: Block[] = [];
  readonly #expected: number[] = [];
  readonly #found: number[] = [];
  #sum = new Xxh64();

  blockBegins(block: Block): void {
    this.#blocks.push(block);
  }

  frameEnds(checksum: number): void {
    this.#expected.push(checksum);
  }

  /** Takes the content of the next block. */
  blockUnpacked(content: Uint8Array): void {
    const block = this.#blocks.shift();
    if (block?.isChecked !== true) return;
    this.#sum.update(content);
    if (!block.isLast) return;
    this.#found.push(this.#sum.digest());
    this.#sum = new Xxh64();
  }

  /** @throws CompressionError if a frame has another checksum than it says */
  verify(): void {
    while (this.#expected.length > 0 && this.#found.length > 0) {
      if (this.#expected.shift() !== this.#found.shift())
        throw new CompressionError("is damaged: the checksum of its content is wrong");
    }
  }
}
