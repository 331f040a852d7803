import { GrowingBytes, Memory } from "./columns/growing.js";
import type { LeafPart } from "./columns/leaf.js";
import type { MessagePart } from "./message-rows.js";
import type { RowsPart } from "./table-rows.js";

const WORD = 4;
const NONE = -1;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NO_BYTES = new Uint8Array(0);

/** Writes the rows of a message for another thread. */
export class PartWriter {
  readonly #bytes = new GrowingBytes(new Memory());

  /** Returns bytes, which are valid until the next call. */
  write({ rows, fields }: MessagePart): Uint8Array {
    this.#bytes.length = 0;
    this.#number(fields);
    this.#number(rows.length);
    for (const { table, count, leaves } of rows) {
      this.#list(encoder.encode(table));
      this.#number(count);
      this.#number(leaves.length);
      for (const leaf of leaves) this.#leaf(leaf);
    }
    return this.#bytes.taken;
  }

  #leaf({ at, definition, repetition, values }: RowsPart["leaves"][number]): void {
    this.#number(at);
    this.#list(definition);
    this.#list(repetition);
    this.#number(values.isExact ? 1 : 0);
    this.#list(values.bytes);
    const { indexes } = values;
    this.#number(indexes === undefined ? NONE : indexes.length);
    for (const index of indexes ?? []) this.#number(index);
  }

  #number(number: number): void {
    const bytes = this.#bytes;
    bytes.reserve(WORD);
    bytes.view.setInt32(bytes.length, number, true);
    bytes.length += WORD;
  }

  #list(list: Uint8Array): void {
    this.#number(list.length);
    this.#bytes.append(list);
  }
}

/** Reads what `PartWriter` has written; the rows are valid as long as the bytes are. */
export function readPart(bytes: Uint8Array): MessagePart {
  return new PartReader(bytes).message();
}

class PartReader {
  readonly #view: DataView;
  #at = 0;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  message(): MessagePart {
    const fields = this.#number();
    return { fields, rows: this.#times(this.#number(), () => this.#rows()) };
  }

  #rows(): RowsPart {
    const table = decoder.decode(this.#list());
    const count = this.#number();
    return { table, count, leaves: this.#times(this.#number(), () => ({ at: this.#number(), ...this.#leaf() })) };
  }

  #leaf(): LeafPart {
    const definition = this.#list();
    const repetition = this.#list();
    const isExact = this.#number() === 1;
    const bytes = this.#list();
    const count = this.#number();
    if (count === NONE) return { definition, repetition, values: { bytes, isExact } };
    const indexes = Int32Array.from(this.#times(count, () => this.#number()));
    return { definition, repetition, values: { bytes, indexes, isExact } };
  }

  #times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }

  #number(): number {
    const number = this.#view.getInt32(this.#at, true);
    this.#at += WORD;
    return number;
  }

  #list(): Uint8Array {
    const length = this.#number();
    if (length === 0) return NO_BYTES;
    const start = this.#at;
    this.#at += length;
    return this.bytes.subarray(start, this.#at);
  }
}
