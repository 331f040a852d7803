import type { Type } from "../../../src/schema/index.js";
import type { Family } from "../../../src/schema/language/family.js";
import { Field, holds, REST } from "../../../src/schema/language/field.js";
import { isWhole, Opcode } from "../../../src/schema/language/opcode.js";
import type { Struct } from "../../../src/schema/language/struct.js";
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
  return new Valuer(random, least).value(new Field("value", type.descriptor), [], 0);
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

  value(field: Field, slots: (number | undefined)[], depth: number): unknown {
    const { random } = this;
    switch (field.opcode) {
      case Opcode.Struct: {
        if (field.struct === undefined) return {};
        const imported: (number | undefined)[] = [];
        for (const { from, to } of field.imports) imported[to] = slots[from];
        const inner = this.#struct(field.struct, depth + 1, imported);
        for (const { from, to } of field.captures) slots[to] = inner.slots[from] ?? 0;
        return inner.value;
      }
      case Opcode.Array: {
        const { inner } = field;
        const length = field.length.slot === REST ? this.least + random.below(4) : lengthOf(field, slots);
        const elements = random.list(length, () => (inner === undefined ? 0 : this.value(inner, slots, depth)));
        if (field.slot >= 0) slots[field.slot] = numberOf(elements[0]);
        return elements;
      }
      case Opcode.Tuple:
        return field.elements.map((element) => this.value(element, slots, depth));
      case Opcode.Polymorphic:
        return field.family === undefined ? null : this.#polymorphic(field, field.family, depth);
      case Opcode.Choice: {
        const chosen = field.chosen(slots[field.selectorSlot] ?? 0);
        return chosen === undefined ? random.bytes(random.below(4)) : this.value(chosen, slots, depth);
      }
      case Opcode.Region:
        return field.inner === undefined ? undefined : this.value(field.inner, slots, depth);
      case Opcode.Resolved:
        return random.bytes(random.below(4));
      case Opcode.Bytes:
        return random.bytes(field.length.slot === REST ? random.below(4) : lengthOf(field, slots));
      case Opcode.Text: {
        const length = field.length.slot === REST ? 2 * random.below(4) : lengthOf(field, slots);
        return random.letters(field.encoding === "utf8" ? length : length >> 1);
      }
      case Opcode.Codec:
        return this.#coded(field);
      default: {
        const value = this.#leaf(field);
        if (field.slot >= 0) slots[field.slot] = numberOf(value);
        return value;
      }
    }
  }

  #struct(struct: Struct, depth: number, slots: (number | undefined)[] = []): Made {
    const value: Record<string, unknown> = {};
    for (const field of struct.fields) {
      if (!field.conditions.every((condition) => mayHold(condition, slots[condition.slot]))) {
        if (field.slot >= 0) slots[field.slot] = 0;
        for (const { to } of field.captures) slots[to] = 0;
        continue;
      }
      const use = useOf(struct, field);
      if (use === "length") continue;
      value[field.name] = use === "other" ? this.value(field, slots, depth) : this.#control(struct, field, use);
      if (use !== "other") slots[field.slot] = numberOf(value[field.name]);
    }
    return { value, slots };
  }

  /** A number that other fields depend on. */
  #control(struct: Struct, field: Field, use: "count" | "selector"): number {
    if (use === "count") return this.random.below(4);
    const choice = struct.fields.find(({ opcode, selectorSlot }) => isChoice(opcode) && selectorSlot === field.slot);
    const keys = [...(choice?.choices?.keys() ?? [])];
    return choice?.otherwise !== undefined && this.random.chance(3) ? this.random.below(100) : this.random.pick(keys);
  }

  #polymorphic(field: Field, family: Family, depth: number): unknown {
    const { random } = this;
    if (family.nullTag !== undefined && (depth > DEEP || random.chance(1))) return null;
    const { base } = field;
    const all = [...family.classes()];
    const fitting = all.filter((struct) => base === undefined || struct.isA(base));
    const struct = random.pick(fitting.length === 0 ? all : fitting);
    const known = struct.name === "" ? { [family.tagName]: struct.tag } : { class: struct.name };
    return { ...known, ...this.#struct(struct, depth + 1).value };
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
function mayHold(condition: Field["conditions"][number], number: number | undefined): boolean {
  return number === undefined || holds(condition, number);
}

function isChoice(opcode: Opcode): boolean {
  return opcode === Opcode.Choice;
}

/** The use of a number: the length of a region, the count or length of something else, the selector of a choice. */
function useOf(struct: Struct, field: Field): "length" | "count" | "selector" | "other" {
  if (!isWhole(field.opcode) || field.slot < 0) return "other";
  const { fields } = struct;
  if (fields.some(({ opcode, length }) => opcode === Opcode.Region && length.claimedBy === field.name)) return "length";
  if (fields.some(({ inflatedLengthSlot }) => inflatedLengthSlot === field.slot)) return "length";
  if (fields.some((other) => counts(other, field.name))) return "count";
  if (fields.some(({ opcode, selectorSlot }) => isChoice(opcode) && selectorSlot === field.slot)) return "selector";
  return "other";
}

/** True if the field with this name gives the length of a field, or of one inside it. */
function counts(field: Field | undefined, name: string): boolean {
  if (field === undefined) return false;
  const inner = [field.inner, field.otherwise, ...field.elements, ...(field.choices?.values() ?? [])];
  return field.length.claimedBy === name || inner.some((other) => counts(other, name));
}

function lengthOf({ length }: Field, slots: readonly (number | undefined)[]): number {
  const { slot, mask, times, plus } = length;
  if (slot < 0) return plus;
  const claimed = slots[slot] ?? 0;
  return Math.max((mask === -1 ? claimed : claimed & mask) * times + plus, 0);
}

/** The number that a value provides to the fields that depend on it. */
function numberOf(value: unknown): number {
  return typeof value === "bigint" ? Number(BigInt.asUintN(32, value)) : Number(value ?? 0);
}
