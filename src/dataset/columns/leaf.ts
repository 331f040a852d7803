import type { ScalarType } from "../../schema/columns/column-type.js";
import type { Value } from "../table.js";
import { BooleanValues } from "./boolean-values.js";
import { GrowingBytes, type Memory } from "./growing.js";
import { NumberValues } from "./number-values.js";
import { PrefixedValues } from "./prefixed-values.js";
import type { Values, ValuesPart } from "./values.js";

/** What a leaf has for some rows. */
export interface LeafPart {
  readonly definition: Uint8Array;
  /** Empty where there are no lists. */
  readonly repetition: Uint8Array;
  readonly values: ValuesPart;
}

/**
 * The single values of a column: all that is in one place of its lists and structs, as Dremel takes them apart. For each
 * value and each absent one, a definition level says how much of what is around it is there, and a repetition level
 * which list it goes on with. Rows that nothing is added to are null.
 */
export class Leaf {
  readonly values: Values;
  readonly #definition: GrowingBytes;
  readonly #repetition: GrowingBytes;
  /** Rows that are complete. */
  #rows = 0;
  /** Values and absent ones before the row that came last. */
  #rowStart = 0;

  /**
   * @param deepest the definition level of a value that is there
   * @param mostRepeated the number of lists around it
   * @param isUnique true for values that hardly ever repeat
   */
  constructor(
    readonly type: ScalarType,
    readonly deepest: number,
    readonly mostRepeated: number,
    memory: Memory,
    isUnique: boolean,
  ) {
    this.values = valuesOf(type, memory, isUnique);
    this.#definition = new GrowingBytes(memory);
    this.#repetition = new GrowingBytes(memory);
  }

  get definition(): Uint8Array {
    return this.#definition.taken;
  }

  /** Empty where there are no lists. */
  get repetition(): Uint8Array {
    return this.#repetition.taken;
  }

  /** True if nothing was added. */
  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  /** Makes all rows before one complete. */
  complete(row: number): void {
    if (row > this.#rows) this.#absentRows(row - this.#rows);
  }

  /** Begins a row, to which something has to be added, or which has to be reverted. */
  begin(row: number): void {
    this.complete(row);
    this.#rows = row + 1;
    this.#rowStart = this.#definition.length;
  }

  /** Makes the row that came last null. */
  revert(): void {
    let values = 0;
    for (const level of this.definition.subarray(this.#rowStart)) if (level === this.deepest) values++;
    this.values.drop(values);
    this.#definition.length = this.#rowStart;
    if (this.mostRepeated > 0) this.#repetition.length = this.#rowStart;
    this.absent(0, 0);
  }

  /** Makes rows complete. A leaf that nothing was added to stays as it is. */
  end(rows: number): void {
    if (this.#rows > 0) this.complete(rows);
  }

  /** How many bytes it takes. */
  get size(): number {
    return this.values.size + this.#definition.length + this.#repetition.length;
  }

  /** What it has for all rows so far. */
  get part(): LeafPart {
    return { definition: this.definition, repetition: this.repetition, values: this.values.part };
  }

  /**
   * Adds what another one of the same column has.
   *
   * @param first the position of its first row
   */
  append(first: number, rows: number, { definition, repetition, values }: LeafPart): void {
    this.complete(first);
    this.values.append(values);
    this.#definition.append(definition);
    this.#repetition.append(repetition);
    this.#rows = first + rows;
  }

  /** Adds a value; false if it is not of this type. */
  add(value: Value, repetition: number): boolean {
    if (!this.values.add(value)) return false;
    this.present(repetition);
    return true;
  }

  /** Makes all rows the same text. */
  addRows(text: string, count: number): void {
    if (this.values instanceof PrefixedValues) this.values.addTimes(text, count);
    this.#definition.fill(this.deepest, count);
    this.#rows = count;
  }

  /**
   * Adds the levels of rows that have one each.
   *
   * @param levels every `stride` bytes, from `first` on
   */
  addLevels(levels: Uint8Array, first: number, stride: number, count: number): void {
    const definition = this.#definition;
    definition.reserve(count);
    const { bytes, length } = definition;
    for (let row = 0, at = first; row < count; row++, at += stride) bytes[length + row] = levels[at] ?? 0;
    definition.length = length + count;
    this.#rows += count;
  }

  /** Adds the levels of a value that was added. */
  present(repetition: number): void {
    this.absent(this.deepest, repetition);
  }

  /** Adds the levels of several values, which are all of a list. @param next the repetition level of the others */
  presentAll(count: number, repetition: number, next: number): void {
    this.#definition.repeat(this.deepest, this.deepest, count);
    this.#repetition.repeat(repetition, next, count);
  }

  absent(definition: number, repetition: number): void {
    this.#definition.push(definition);
    if (this.mostRepeated > 0) this.#repetition.push(repetition);
  }

  #absentRows(count: number): void {
    this.#definition.fill(0, count);
    if (this.mostRepeated > 0) this.#repetition.fill(0, count);
    this.#rows += count;
  }

  clear(): void {
    this.values.clear();
    this.#definition.clear();
    this.#repetition.clear();
    this.#rows = 0;
    this.#rowStart = 0;
  }
}

function valuesOf(type: ScalarType, memory: Memory, isUnique: boolean): Values {
  switch (type) {
    case "boolean":
      return new BooleanValues(memory);
    case "bytes":
      return new PrefixedValues("bytes", memory, isUnique);
    case "text":
    case "json":
      return new PrefixedValues("text", memory, isUnique);
    default:
      return new NumberValues(type, memory, isUnique);
  }
}
