/** Capacity at first, and what is kept after a group of rows, in bytes: most columns of most tables have few values. */
const FEWEST = 64;
const KEPT = 4096;

/**
 * How much memory columns keep although they are empty, as the next group of rows will need as much: if they grew anew,
 * the smaller memory that they had before would pile up.
 */
const MOST_HELD = 24 * 1024 * 1024;
/** How much memory that is no longer used is kept for other columns, in bytes. */
const MOST_FREE = 4 * 1024 * 1024;

/** Memory for the rows of tables. */
export class Memory {
  /** Memory that is no longer used, by its size: to get new memory each time takes longer, as all of it is made 0. */
  readonly #free = new Map<number, ArrayBuffer[]>();
  #freeBytes = 0;
  #held = 0;

  /** True if memory may stay where it is, although it is empty. */
  get isKept(): boolean {
    return this.#held <= MOST_HELD;
  }

  /** Returns memory of a size, whatever is in it; at least as much as is asked for. */
  obtain(bytes: number): ArrayBuffer {
    const size = bytes === 0 ? 0 : 2 ** Math.ceil(Math.log2(bytes));
    this.#held += size;
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#freeBytes -= size;
    return free ?? new ArrayBuffer(size);
  }

  /** Takes memory back that `obtain` has given. */
  giveBack(buffer: ArrayBuffer): void {
    const { byteLength: size } = buffer;
    this.#held -= size;
    if (size < KEPT || this.#freeBytes + size > MOST_FREE) return;
    this.#freeBytes += size;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else free.push(buffer);
  }
}

/** Bytes that grow at their end. */
export class GrowingBytes {
  #buffer = new ArrayBuffer(0);
  bytes = new Uint8Array(this.#buffer);
  view = new DataView(this.#buffer);
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

  /** Adds a few bytes, all of which but the first are the same. */
  repeat(first: number, next: number, count: number): void {
    const end = this.length + count;
    if (end > this.bytes.length) this.reserve(count);
    const { bytes } = this;
    bytes[this.length] = first;
    for (let at = this.length + 1; at < end; at++) bytes[at] = next;
    this.length = end;
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
    if (this.bytes.length > KEPT && !this.memory.isKept) this.#resize(0);
  }

  #resize(capacity: number): void {
    const buffer = this.memory.obtain(capacity);
    const larger = new Uint8Array(buffer);
    larger.set(this.taken);
    this.memory.giveBack(this.#buffer);
    this.#buffer = buffer;
    this.bytes = larger;
    this.view = new DataView(buffer);
  }
}

/** Whole numbers that grow at their end: positions in a dictionary. */
export class GrowingNumbers {
  #buffer = new ArrayBuffer(0);
  numbers = new Int32Array(this.#buffer);
  length = 0;

  constructor(readonly memory: Memory) {}

  push(number: number): void {
    if (this.length === this.numbers.length) this.#resize(Math.max(FEWEST / 4, 2 * this.length));
    this.numbers[this.length++] = number;
  }

  /** Makes room for so many more numbers. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed > this.numbers.length) this.#resize(Math.max(FEWEST / 4, needed, 2 * this.numbers.length));
  }

  append(numbers: Int32Array): void {
    this.reserve(numbers.length);
    this.numbers.set(numbers, this.length);
    this.length += numbers.length;
  }

  /** Adds the same number several times. */
  fill(number: number, count: number): void {
    this.reserve(count);
    this.numbers.fill(number, this.length, this.length + count);
    this.length += count;
  }

  get taken(): Int32Array {
    return this.numbers.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    if (4 * this.numbers.length > KEPT && !this.memory.isKept) this.#resize(0);
  }

  #resize(capacity: number): void {
    const buffer = this.memory.obtain(4 * capacity);
    const larger = new Int32Array(buffer);
    larger.set(this.taken);
    this.memory.giveBack(this.#buffer);
    this.#buffer = buffer;
    this.numbers = larger;
  }
}
