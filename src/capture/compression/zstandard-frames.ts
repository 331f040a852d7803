import { CompressionError } from "./compression-error.js";
import type { FrameChecksums } from "./frame-checksums.js";

/** Magic number of a frame, and the first of the 16 magic numbers of skippable frames (RFC 8878, section 3.1). */
const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;

/**
 * The largest window, in bytes: what RFC 8878 (section 3.1.1.1.2) recommends that every decoder supports, and no encoder
 * exceeds unasked. The package copies the whole window for each block, however short that is.
 */
const LARGEST_WINDOW = 2 ** 23;

/**
 * How many bytes all windows together may have: at most so many for each byte of the data, and as many anyhow. The
 * package allocates a window for each frame, however short that is; zstd itself stays far below this.
 */
const WINDOWS_FOR_BYTE = 4096;
const WINDOWS_ANYHOW = 32 * LARGEST_WINDOW;

/** How many blocks are decompressed at once. Each may become 128 KiB, even if it is only four bytes. */
const BLOCKS_AT_ONCE = 32;

/** Flags of the frame header descriptor (RFC 8878, section 3.1.1.1.1). */
const SINGLE_SEGMENT = 0x20;
const CONTENT_CHECKSUM = 0x04;
/** A block of this type is one byte, however long it becomes. */
const RUN_LENGTH = 1;

/** A number of bytes that come next, and whether they are of interest. */
interface Wanted {
  readonly length: number;
  readonly isSkipped: boolean;
  /** They are the content of a block. */
  readonly isBlock?: true;
}

/**
 * Follows the frames of Zstandard data, and refuses what needs too much memory before the package that decompresses it
 * would allocate it.
 */
export class ZstandardFrames {
  readonly #frames = this.#read();
  #wanted = this.#next(new Uint8Array(0));
  readonly #taken: number[] = [];
  #left = this.#wanted.length;
  /** Bytes seen so far, and those of all windows. */
  #seen = 0;
  #windows = 0;

  /** @param checksums is told what its frames say */
  constructor(readonly checksums: FrameChecksums) {}

  /**
   * Yields the bytes in pieces, none of which becomes more than a few megabytes.
   *
   * @throws CompressionError if a window is too large, or all of them together
   */
  *pieces(bytes: Uint8Array): Generator<Uint8Array> {
    let start = 0;
    let blocks = 0;
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(this.#left, bytes.length - at);
      if (!this.#wanted.isSkipped) this.#taken.push(...bytes.subarray(at, at + count));
      at += count;
      this.#left -= count;
      this.#seen += count;
      while (this.#left === 0) {
        this.#wanted = this.#next(Uint8Array.from(this.#taken.splice(0)));
        this.#left = this.#wanted.length;
        if (this.#wanted.isBlock === true) blocks++;
      }
      if (blocks < BLOCKS_AT_ONCE) continue;
      yield bytes.subarray(start, at);
      start = at;
      blocks = 0;
    }
    if (start < bytes.length) yield bytes.subarray(start);
  }

  #next(taken: Uint8Array): Wanted {
    const { value, done } = this.#frames.next(taken);
    // What is no frame is for the decompressor to judge.
    return done === true ? skip(Number.POSITIVE_INFINITY) : value;
  }

  /** Asks for the bytes of frames, one piece after the other. */
  *#read(): Generator<Wanted, void, Uint8Array> {
    for (;;) {
      const magic = numberOf(yield take(4));
      if (magic - (magic % 16) === SKIPPABLE_MAGIC) {
        yield skip(numberOf(yield take(4)));
        continue;
      }
      if (magic !== FRAME_MAGIC) return;
      const descriptor = numberOf(yield take(1));
      const isSingle = (descriptor & SINGLE_SEGMENT) !== 0;
      let window = isSingle ? 0 : windowOf(numberOf(yield take(1)));
      yield skip([0, 1, 2, 4][descriptor & 3] ?? 0);
      const content = numberOf(yield take([isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0));
      if (isSingle) window = content;
      this.#checkWindow(window);
      const isChecked = (descriptor & CONTENT_CHECKSUM) !== 0;
      for (let isLast = false; !isLast; ) {
        const header = numberOf(yield take(3));
        isLast = (header & 1) === 1;
        this.checksums.blockBegins({ isLast, isChecked });
        yield { ...skip(((header >> 1) & 3) === RUN_LENGTH ? 1 : header >> 3), isBlock: true };
      }
      if (isChecked) this.checksums.frameEnds(numberOf(yield take(4)));
    }
  }

  #checkWindow(window: number): void {
    this.#windows += window;
    const inAll = Math.max(WINDOWS_ANYHOW, this.#seen * WINDOWS_FOR_BYTE);
    const isTooLarge = window > LARGEST_WINDOW;
    if (!isTooLarge && this.#windows <= inAll) return;
    const need = isTooLarge ? `a window of ${window} bytes` : `windows of ${this.#windows} bytes in all`;
    const most = `more than the ${isTooLarge ? LARGEST_WINDOW : inAll} that can be unpacked here`;
    throw new CompressionError(`needs ${need}, ${most}; unpack it first with unzstd`);
  }
}

function take(length: number): Wanted {
  return { length, isSkipped: false };
}

function skip(length: number): Wanted {
  return { length, isSkipped: true };
}

/** The size of a window in bytes, from its descriptor (RFC 8878, section 3.1.1.1.2). */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** A number with its least significant byte first. */
function numberOf(bytes: Uint8Array): number {
  return bytes.reduceRight((number, byte) => number * 256 + byte, 0);
}
