import { decodeBlock } from "lz4-browser";
import { Gatherer } from "../gatherer.js";
import { CompressionError } from "./compression-error.js";
import { isAtMost, withHistory } from "./lz4-block.js";
import { Xxh32 } from "./xxh32.js";

/** Magic number of a frame, and the first of the 16 magic numbers of skippable frames, which hold other data. */
const FRAME_MAGIC = 0x184d2204;
const SKIPPABLE_MAGIC = 0x184d2a50;

const VERSION = 1;
/** Flags of the frame descriptor. */
const Flag = { independentBlocks: 0x20, blockChecksum: 0x10, contentSize: 0x08, contentChecksum: 0x04, dictionary: 1 };
const RESERVED_FLAG = 0x02;
/** Bit of a block's length field: the block is not compressed. */
const UNCOMPRESSED = 0x8000_0000;
/** How many bytes back a block can refer to. */
const HISTORY_LENGTH = 64 * 1024;

/**
 * Unpacks consecutive LZ4 frames (LZ4 Frame Format 1.6.4) a block at a time: never holds more than one block and what
 * it may refer to. The package lz4-browser decompresses the blocks; its own frame reader is not used, because it
 * supports neither linked blocks nor skippable frames, and believes any block length.
 * @throws CompressionError from the iterator.
 */
export async function* unpackLz4(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new ByteReader(chunks);
  const outputs = new Outputs();
  try {
    while (!(await input.ended())) {
      const magic = u32(await input.take(4), 0);
      if (magic === FRAME_MAGIC) yield* unpackFrame(input, outputs);
      else if ((magic & 0xffff_fff0) === SKIPPABLE_MAGIC) await input.discard(u32(await input.take(4), 0));
      else throw new CompressionError("is followed by other data");
    }
  } finally {
    await input.close();
  }
}

async function* unpackFrame(input: ByteReader, outputs: Outputs): AsyncGenerator<Uint8Array> {
  const { flags, blockLength } = await readDescriptor(input);
  const blocks = new BlockDecoder((flags & Flag.independentBlocks) === 0, blockLength, outputs);
  const content = (flags & Flag.contentChecksum) === 0 ? undefined : new Xxh32();
  for (;;) {
    const field = u32(await input.take(4), 0);
    if (field === 0) break;
    const length = (field & ~UNCOMPRESSED) >>> 0;
    if (length > blockLength) throw new CompressionError(`is damaged: a block claims ${length} bytes`);
    const extra = (flags & Flag.blockChecksum) === 0 ? 0 : 4;
    const bytes = await input.take(length + extra);
    const block = bytes.subarray(0, length);
    if (extra > 0 && new Xxh32().update(block).digest() !== u32(bytes, length)) {
      throw new CompressionError("is damaged: the checksum of a block is wrong");
    }
    const unpacked = blocks.unpack(block, (field & UNCOMPRESSED) === 0);
    content?.update(unpacked);
    yield unpacked;
  }
  if (content !== undefined && content.digest() !== u32(await input.take(4), 0)) {
    throw new CompressionError("is damaged: the checksum of its content is wrong");
  }
}

async function readDescriptor(input: ByteReader): Promise<{ readonly flags: number; readonly blockLength: number }> {
  const [flags = 0, sizes = 0] = (await input.take(2)).slice();
  const version = flags >>> 6;
  const size = (sizes >>> 4) & 7;
  if (version !== VERSION || (flags & RESERVED_FLAG) !== 0)
    throw new CompressionError(`is of an unknown version (${version})`);
  if (size < 4) throw new CompressionError(`is damaged: ${size} is not a valid block size`);
  if ((flags & Flag.dictionary) !== 0) throw new CompressionError("needs a dictionary");
  const contentSize = (await input.take((flags & Flag.contentSize) === 0 ? 0 : 8)).slice();
  const checksum = new Xxh32().update(Uint8Array.of(flags, sizes)).update(contentSize).digest();
  const [expected] = await input.take(1);
  if (((checksum >>> 8) & 0xff) !== expected)
    throw new CompressionError("is damaged: the checksum of its header is wrong");
  return { flags, blockLength: 1 << (8 + 2 * size) };
}

/**
 * Memory to decompress blocks into, which frames use in turn: a file may have a frame in every eleven bytes. There are
 * few lengths, and each has its own, since no block may become longer than its frame allows.
 */
class Outputs {
  readonly #byLength = new Map<number, Buffer>();

  /** So many bytes, in use until the next call. */
  get(length: number): Buffer {
    const known = this.#byLength.get(length);
    if (known !== undefined) return known;
    const made = Buffer.alloc(length);
    this.#byLength.set(length, made);
    return made;
  }
}

/** Decompresses the blocks of a frame. */
class BlockDecoder {
  readonly #linked: boolean;
  readonly #blockLength: number;
  readonly #output: Buffer;
  /** The last bytes of the preceding blocks, if blocks may refer to them. */
  #history = new Uint8Array(0);

  constructor(linked: boolean, blockLength: number, outputs: Outputs) {
    this.#linked = linked;
    this.#blockLength = blockLength;
    this.#output = outputs.get(blockLength + (linked ? HISTORY_LENGTH : 0));
  }

  /** Returns the unpacked bytes of a block, valid until the next call. */
  unpack(block: Uint8Array, compressed: boolean): Uint8Array {
    const unpacked = compressed ? this.#decompress(block) : block;
    if (this.#linked) {
      const both = Buffer.concat([this.#history, unpacked.subarray(-HISTORY_LENGTH)]);
      this.#history = Uint8Array.from(both.subarray(-HISTORY_LENGTH));
    }
    return unpacked;
  }

  #decompress(block: Uint8Array): Uint8Array {
    const history = this.#history.length;
    const input = history === 0 ? asBuffer(block) : withHistory(block, this.#history);
    const length = isAtMost(block, this.#blockLength) ? decodeBlock(input, this.#output) : -1;
    if (length < history) throw new CompressionError("is damaged: a block cannot be decompressed");
    return this.#output.subarray(history, length);
  }
}

/** Reads pieces of any length from chunks; gathers no more than the piece asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #gathered = new Gatherer();
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Releases the chunks: no more bytes are wanted. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** True if there are no more bytes. */
  async ended(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** The next `length` bytes, valid until the next call. */
  async take(length: number): Promise<Uint8Array> {
    const chunk = this.#chunk;
    if (chunk.length >= length) {
      this.#chunk = chunk.subarray(length);
      return chunk.subarray(0, length);
    }
    this.#gathered.clear();
    while (this.#gathered.length < length) {
      if (!(await this.#fill())) throw new CompressionError("ends too early");
      const end = Math.min(this.#chunk.length, length - this.#gathered.length);
      this.#gathered.append(this.#chunk, 0, end);
      this.#chunk = this.#chunk.subarray(end);
    }
    return this.#gathered.bytes;
  }

  async discard(length: number): Promise<void> {
    for (let left = length; left > 0; ) {
      if (!(await this.#fill())) throw new CompressionError("ends too early");
      const passed = Math.min(this.#chunk.length, left);
      this.#chunk = this.#chunk.subarray(passed);
      left -= passed;
    }
  }

  /** Gets the next chunk if this one is used up; false if there is none. */
  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#chunk = next.value;
    }
    return true;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function u32(bytes: Uint8Array, at: number): number {
  return asBuffer(bytes).readUInt32LE(at);
}
