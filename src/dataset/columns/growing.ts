/** Capacity at first, and what is kept after a group of rows, in bytes: most columns of most tables have few values. */
const FEWEST = 64;
const KEPT = 4096;

/** How much memory the rows of a table take, in bytes. */
export class Memory {
  held = 0;

  /** @param whole the memory that this is a part of */
  constructor(readonly whole?: Memory) {}

  /** @param bytes less than 0 for what is given back */
  take(bytes: number): void {
    this.held += bytes;
    this.whole?.take(bytes);
  }
}

/** Bytes that grow at their end. */
export class GrowingBytes {
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  length = 0;

  constructor(readonly memory: Memory) {}

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed > this.bytes.length) this.#resize(Math.max(FEWEST, needed, 2 * this.bytes.length));
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Adds the same byte several times. */
  fill(byte: number, count: number): void {
    this.reserve(count);
    this.bytes.fill(byte, this.length, this.length + count);
    this.length += count;
  }

  get taken(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    if (this.bytes.length > KEPT) this.#resize(0);
  }

  #resize(capacity: number): void {
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes.subarray(0, this.length));
    this.memory.take(capacity - this.bytes.length);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}

/** Whole numbers that grow at their end: positions in a dictionary. */
export class GrowingNumbers {
  numbers = new Int32Array(0);
  length = 0;

  constructor(readonly memory: Memory) {}

  push(number: number): void {
    if (this.length === this.numbers.length) this.#resize(Math.max(FEWEST / 4, 2 * this.length));
    this.numbers[this.length++] = number;
  }

  /** Adds the same number several times. */
  fill(number: number, count: number): void {
    const needed = this.length + count;
    if (needed > this.numbers.length) this.#resize(needed);
    this.numbers.fill(number, this.length, needed);
    this.length = needed;
  }

  get taken(): Int32Array {
    return this.numbers.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    if (4 * this.numbers.length > KEPT) this.#resize(0);
  }

  #resize(capacity: number): void {
    const larger = new Int32Array(capacity);
    larger.set(this.numbers.subarray(0, this.length));
    this.memory.take(4 * (capacity - this.numbers.length));
    this.numbers = larger;
  }
}
