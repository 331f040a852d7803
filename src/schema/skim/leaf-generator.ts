import type { LengthRule } from "../language/length.js";
import { type FieldEntry, NO_SLOT, REST } from "../table/struct-table.js";
import { controlCode, literal, NotCompiled } from "./code.js";
import { CodeWriter } from "./code-writer.js";
import type { Keep } from "./kept.js";
import type { Ending } from "./linker.js";

/** What the code is within: the local variables of the slots of a struct, and the end of the bytes. */
export interface Scope {
  readonly slots: Map<number, string>;
  readonly limit: string;
  readonly ending: Ending;
  readonly keep: Keep;
  /** Number of structs around, from the one that the function is for. */
  readonly depth: number;
  /** For types that depend on earlier fields: the variables with the places of the leaves of the struct, by name. */
  readonly places: Map<string, Place> | undefined;
}

export interface Place {
  readonly entry: FieldEntry;
  readonly start: string;
  readonly end: string;
}

/** Writes the code for leaves: of a fixed width, of one that an earlier field gives, and of one that their bytes give. */
export abstract class LeafGenerator extends CodeWriter {
  /** Writes code that adds the node of a leaf that begins here, if it is kept. */
  protected keepLeaf(entry: FieldEntry, end: string, { keep }: Scope): void {
    if (keep === "parts" && !this.linker.kept.hasLeaf(entry)) return;
    this.emit(`store.add(${this.constant(entry)}, 0, position - origin, ${end} - origin);`);
  }

  /** Ends the skimming where the bytes end before `end`. */
  protected short(end: string, { ending }: Scope): string {
    return ending === "open" ? `return state.needs(${end});` : "return -1;";
  }

  protected slot(scope: Scope, slot: number): string {
    let name = scope.slots.get(slot);
    if (name === undefined) {
      name = this.variable();
      scope.slots.set(slot, name);
    }
    return name;
  }

  protected fixedLeaf(entry: FieldEntry, scope: Scope): void {
    const { width, slot, opcode } = entry;
    this.nodes++;
    this.emit(`if (position + ${width} > ${scope.limit}) ${this.short(`position + ${width}`, scope)}`);
    if (slot >= 0) this.emit(`${this.slot(scope, slot)} = ${controlCode(opcode, "position")};`);
    this.keepLeaf(entry, `position + ${width}`, scope);
    this.emit(`position += ${width};`);
  }

  /** Writes code that measures a leaf with a codec; returns the variable with its length. */
  protected measured(entry: FieldEntry, scope: Scope): string {
    const codec = this.constant(entry.codec);
    const length = this.variable();
    const left = `${scope.limit} - position`;
    this.emit(`${length} = ${codec}.measure(view, position, ${scope.limit});`);
    const isSound = `Number.isInteger(${length}) && ${length} <= ${left} && (${length} > 0 || (${length} === 0 && ${left} === 0))`;
    const open = scope.ending === "open" ? `state.unmeasured(${length}, position, ${scope.limit})` : "-1";
    this.emit(`if (!(${isSound})) return ${open};`);
    return length;
  }

  /** Writes code that looks at what a codec says of a leaf that ends after `length` bytes. */
  protected checked({ codec }: FieldEntry, length: string): void {
    const known = this.constant(codec);
    if (codec?.remark !== undefined) {
      this.emit(`if (${known}.remark(${length}, bytes, position) !== undefined) return -1;`);
    }
    if (codec?.problem !== undefined) {
      this.emit(`if (${known}.problem(bytes, position, position + ${length}) !== undefined) return -1;`);
    }
  }

  protected coded(entry: FieldEntry, scope: Scope): void {
    this.nodes++;
    if (entry.codec === undefined) throw new NotCompiled("a leaf without a codec");
    const length = this.measured(entry, scope);
    if (entry.slot >= 0) this.number(entry, this.slot(scope, entry.slot), length);
    this.checked(entry, length);
    this.keepLeaf(entry, `position + ${length}`, scope);
    this.emit(`position += ${length};`);
  }

  /** Writes code that reads the number in a leaf with a codec. */
  protected number(entry: FieldEntry, variable: string, length: string): void {
    this.emit(`${variable} = state.coded(${this.constant(entry)}, bytes, position, position + ${length});`);
    this.emit(`if (!Number.isInteger(${variable})) return -1;`);
  }

  /** Writes code that computes a length; returns its variable. */
  protected length({ field, lengthSlot }: Pick<FieldEntry, "field" | "lengthSlot">, scope: Scope): string {
    const length = this.variable();
    const { plus }: LengthRule = field.length;
    const claimed = lengthSlot === NO_SLOT ? literal(plus) : claimedCode(field.length, this.slot(scope, lengthSlot));
    this.emit(`${length} = ${claimed};`);
    return length;
  }

  protected counted(entry: FieldEntry, scope: Scope): void {
    this.nodes++;
    const { lengthSlot, field } = entry;
    const isUtf16 = field.encoding === "utf16le";
    if (lengthSlot === REST) {
      if (scope.ending === "open") {
        this.emit("return -1;");
        return;
      }
      if (field.undeclared !== "") this.emit(`if (position < ${scope.limit}) return -1;`);
      if (isUtf16) this.emit(`if ((${scope.limit} - position) & 1) return -1;`);
      this.emit(`if (position < ${scope.limit}) {`);
      this.keepLeaf(entry, scope.limit, scope);
      this.emit(`position = ${scope.limit}; }`);
      return;
    }
    const length = this.length(entry, scope);
    this.emit(`if (${length} < 0) return -1;`);
    const end = `position + ${length}`;
    this.emit(`if (${end} > ${scope.limit}) ${this.short(end, scope)}`);
    if (field.undeclared !== "") this.emit(`if (${length} > 0) return -1;`);
    if (isUtf16) this.emit(`if (${length} & 1) return -1;`);
    this.keepLeaf(entry, end, scope);
    this.emit(`position += ${length};`);
  }
}

/** The expression for the length that a number claims: see `claimedLength`. */
function claimedCode({ mask, times, plus }: LengthRule, number: string): string {
  if (![mask, times, plus].every(Number.isInteger)) throw new NotCompiled("a length that is not whole");
  const masked = mask === -1 ? number : `(${number} & ${literal(mask)})`;
  const multiplied = times === 1 ? masked : `${masked} * ${literal(times)}`;
  return plus === 0 ? multiplied : `${multiplied} + ${literal(plus)}`;
}
