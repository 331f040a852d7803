import type { Field } from "../language/field.js";

/**
 * How many fields are found by their number. A resolver may keep making types, and with them fields, which must not all
 * stay in memory.
 */
const MOST_NUMBERED = 1 << 16;

/**
 * What a reader of trees computes from each field, kept beside the declarations: the bytes of its name in JSON, say. It
 * is made when it is first asked for, and found by the field's number, without a look-up by hash.
 */
export class PerField<T extends object> {
  readonly #fields: (Field | undefined)[] = [];
  readonly #values: (T | undefined)[] = [];
  /** Those of fields with high numbers, and of fields of another copy of the schema language, whose numbers clash. */
  readonly #others = new WeakMap<Field, T>();

  constructor(readonly make: (field: Field) => T) {}

  of(field: Field): T {
    const { id } = field;
    const value = this.#fields[id] === field ? this.#values[id] : undefined;
    return value ?? this.#other(field);
  }

  #other(field: Field): T {
    const known = this.#others.get(field);
    if (known !== undefined) return known;
    const made = this.make(field);
    const { id } = field;
    if (id < MOST_NUMBERED && this.#fields[id] === undefined) {
      // An array with holes would be slower, and one with large holes a hash table.
      while (this.#fields.length <= id) {
        this.#fields.push(undefined);
        this.#values.push(undefined);
      }
      this.#fields[id] = field;
      this.#values[id] = made;
    } else this.#others.set(field, made);
    return made;
  }
}
