import type { Type } from "../../../src/schema/index.js";
import type { Family } from "../../../src/schema/language/family.js";
import { Field } from "../../../src/schema/language/field.js";
import { isWhole, Opcode } from "../../../src/schema/language/opcode.js";
import { entryOf, tableOf } from "../../../src/schema/table/compile.js";
import { holds } from "../../../src/schema/table/holds.js";
import { type FieldEntry, REST, type StructTable } from "../../../src/schema/table/struct-table.js";
import type { Random } from "../../support/random.js";

/** Nesting level of classes beyond which they are null if possible. */
const DEEP = 4;

/**
 * A value of a type, for the encoder: lengths of regions are omitted. Values may be given even for fields that the
 * encoder will find to be absent.
 *
 * @param least number of elements in arrays that take all remaining ones
 */
export function randomValue(type: Type<unknown>, random: Random, least = 0): unknown {
  return new Valuer(random, least).value(entryOf(new Field("value", type.descriptor)), [], 0);
}

interface Made {
  readonly value: Record<string, unknown>;
  /** The numbers that fields depend on; undefined where the encoder computes them. */
  readonly slots: (number | undefined)[];
}

class Valuer {
  constructor(
    readonly random: Random,
    readonly least: number,
  ) {}

  value(entry: FieldEntry, slots: (number | undefined)[], depth: number): unknown {
    const { random } = this;
    switch (entry.opcode) {
      case Opcode.Struct: {
        if (entry.table === undefined) return {};
        const imported: (number | undefined)[] = [];
        for (const { from, to } of entry.imports) imported[to] = slots[from];
        const inner = this.#struct(entry.table, depth + 1, imported);
        for (const { from, to } of entry.exports) slots[to] = inner.slots[from] ?? 0;
        return inner.value;
      }
      case Opcode.Array: {
        const { inner } = entry;
        const length = entry.lengthSlot === REST ? this.least + random.below(4) : lengthOf(entry, slots);
        const elements = random.list(length, () => (inner === undefined ? 0 : this.value(inner, slots, depth)));
        if (entry.slot >= 0) slots[entry.slot] = numberOf(elements[0]);
        return elements;
      }
      case Opcode.Tuple:
        return entry.elements.map((element) => this.value(element, slots, depth));
      case Opcode.Polymorphic:
        return entry.family === undefined ? null : this.#polymorphic(entry, entry.family, depth);
      case Opcode.Choice: {
        const chosen = entry.chosen(slots[entry.selectorSlot] ?? 0);
        return chosen === undefined ? random.bytes(random.below(4)) : this.value(chosen, slots, depth);
      }
      case Opcode.Region:
        return entry.inner === undefined ? undefined : this.value(entry.inner, slots, depth);
      case Opcode.Resolved:
        return random.bytes(random.below(4));
      case Opcode.Bytes:
        return random.bytes(entry.lengthSlot === REST ? random.below(4) : lengthOf(entry, slots));
      case Opcode.Text: {
        const length = entry.lengthSlot === REST ? 2 * random.below(4) : lengthOf(entry, slots);
        return random.letters(entry.field.encoding === "utf8" ? length : length >> 1);
      }
      case Opcode.Codec:
        return this.#coded(entry.field);
      default: {
        const value = this.#leaf(entry.field);
        if (entry.slot >= 0) slots[entry.slot] = isSingle(entry.opcode) ? bitsOf(value) : numberOf(value);
        return value;
      }
    }
  }

  #struct(table: StructTable, depth: number, slots: (number | undefined)[] = []): Made {
    const value: Record<string, unknown> = {};
    for (const entry of table.entries) {
      if (!entry.conditions.every((condition) => mayHold(condition, slots[condition.slot]))) {
        if (entry.slot >= 0) slots[entry.slot] = 0;
        for (const { to } of entry.exports) slots[to] = 0;
        continue;
      }
      const use = useOf(table, entry, slots);
      if (use === "length") continue;
      value[entry.field.name] = use === "other" ? this.value(entry, slots, depth) : this.#control(table, entry, use);
      if (use !== "other") slots[entry.slot] = numberOf(value[entry.field.name]);
    }
    return { value, slots };
  }

  /** A number that other fields depend on. */
  #control(table: StructTable, entry: FieldEntry, use: "count" | "selector"): number {
    if (use === "count") return this.random.below(4);
    const choice = table.entries.find(({ opcode, selectorSlot }) => isChoice(opcode) && selectorSlot === entry.slot);
    const keys = [...(choice?.choices?.keys() ?? [])];
    return choice?.otherwise !== undefined && this.random.chance(3) ? this.random.below(100) : this.random.pick(keys);
  }

  #polymorphic(entry: FieldEntry, family: Family, depth: number): unknown {
    const { random } = this;
    if (family.nullTag !== undefined && (depth > DEEP || random.chance(1))) return null;
    const { base } = entry.field;
    const all = [...family.classes()];
    const fitting = all.filter((struct) => base === undefined || struct.isA(base));
    const struct = random.pick(fitting.length === 0 ? all : fitting);
    const known = struct.name === "" ? { [family.tagName]: struct.tag } : { class: struct.name };
    return { ...known, ...this.#struct(tableOf(struct), depth + 1).value };
  }

  /** A value of a leaf with a codec: a text, or bytes if texts do not survive a round trip. */
  #coded({ codec }: Field): unknown {
    const length = this.random.below(6);
    return readsTexts(codec) ? this.random.letters(length) : this.random.bytes(length);
  }

  #leaf(field: Field): unknown {
    const { random } = this;
    switch (field.opcode) {
      case Opcode.Bool8:
      case Opcode.Bool32LE:
        return random.chance(8) ? random.chance(5) : 2 + random.below(254);
      case Opcode.Uuid: {
        const digits = Buffer.from(random.bytes(16)).toString("hex");
        return digits.replace(/^(.{8})(....)(....)(....)(.{12})$/, "$1-$2-$3-$4-$5");
      }
      case Opcode.FixedBytes:
        return random.bytes(field.width);
      case Opcode.FixedText:
        return random.letters(random.below((field.encoding === "utf8" ? field.width : field.width >> 1) + 1));
      case Opcode.F32LE:
      case Opcode.F32BE:
      case Opcode.F64LE:
      case Opcode.F64BE:
        return Math.fround(random.pick([0, -0, 1.5, -1e30, 1 / 0, -1 / 0, Number.NaN, random.fraction()]));
      default:
        return this.#whole(field);
    }
  }

  #whole(field: Field): number | bigint {
    const { random } = this;
    const bits = 8 * field.width;
    const names = field.meaning?.form === "enumeration" ? [...field.meaning.names.keys()] : [];
    if (names.length > 0 && random.chance(7)) return random.pick(names);
    const signed = [Opcode.I8, Opcode.I16LE, Opcode.I32LE, Opcode.I64LE, Opcode.I16BE, Opcode.I32BE, Opcode.I64BE];
    const raw = random.pick([
      0n,
      1n,
      2n,
      3n,
      BigInt(random.below(2 ** 32)),
      2n ** BigInt(bits - 1),
      2n ** BigInt(bits) - 1n,
    ]);
    const value = signed.includes(field.opcode) ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
    return bits === 64 ? value : Number(value);
  }
}

/** True if a codec reads the text that it has written. */
function readsTexts(codec: Field["codec"]): boolean {
  try {
    const written = codec?.write("ab") ?? new Uint8Array(0);
    return codec?.read(written, 0, written.length) === "ab";
  } catch {
    return false;
  }
}

/** True if a condition holds; it may hold for a number still to be computed. */
function mayHold(condition: FieldEntry["conditions"][number], number: number | undefined): boolean {
  return number === undefined || holds(condition, number);
}

function isChoice(opcode: Opcode): boolean {
  return opcode === Opcode.Choice;
}

/** The use of a number: the length of a region, the count or length of something else, the selector of a choice. */
function useOf(
  table: StructTable,
  entry: FieldEntry,
  slots: readonly (number | undefined)[],
): "length" | "count" | "selector" | "other" {
  const { slot, opcode: own, field } = entry;
  if (!isWhole(own) || slot < 0) return "other";
  const { entries } = table;
  if (entries.some((other) => delimits(other, entry, slots))) return "length";
  if (entries.some((other) => counts(other, field.name))) return "count";
  if (entries.some(({ opcode, selectorSlot }) => isChoice(opcode) && selectorSlot === slot)) return "selector";
  return "other";
}

/** True if a number gives the length of a region, inflated or not, or of the one that is chosen: the encoder computes it. */
function delimits(entry: FieldEntry | undefined, number: FieldEntry, slots: readonly (number | undefined)[]): boolean {
  if (entry?.opcode === Opcode.Choice) return delimits(chosenOf(entry, number, slots), number, slots);
  if (entry?.opcode !== Opcode.Region) return false;
  return entry.field.length.claimedBy === number.field.name || entry.inflatedLengthSlot === number.slot;
}

function chosenOf(choice: FieldEntry, { slot }: FieldEntry, slots: readonly (number | undefined)[]) {
  if (choice.selectorSlot === slot) return choice.otherwise;
  const selector = slots[choice.selectorSlot];
  return selector === undefined ? undefined : choice.chosen(selector);
}

/** True if the field with this name gives the length of a field, or of one inside it. */
function counts(entry: FieldEntry | undefined, name: string): boolean {
  if (entry === undefined) return false;
  const inner = [entry.inner, entry.otherwise, ...entry.elements, ...(entry.choices?.values() ?? [])];
  return entry.field.length.claimedBy === name || inner.some((other) => counts(other, name));
}

function lengthOf({ lengthSlot: slot, field }: FieldEntry, slots: readonly (number | undefined)[]): number {
  const { mask, times, plus } = field.length;
  if (slot < 0) return plus;
  const claimed = slots[slot] ?? 0;
  return Math.max((mask === -1 ? claimed : claimed & mask) * times + plus, 0);
}

function isSingle(opcode: Opcode): boolean {
  return opcode === Opcode.F32LE || opcode === Opcode.F32BE;
}

/** What fields that depend on a number of single precision test. */
function bitsOf(value: unknown): number {
  return new Uint32Array(Float32Array.of(Number(value)).buffer)[0] ?? 0;
}

/** The number that a value provides to the fields that depend on it. */
function numberOf(value: unknown): number {
  return typeof value === "bigint" ? Number(BigInt.asUintN(32, value)) : Number(value ?? 0);
}
