import type { LengthRule } from "../language/length.js";
import { Opcode } from "../language/opcode.js";
import {
  type FieldEntry,
  type FixedSegment,
  NO_SLOT,
  REST,
  type Segment,
  type StructTable,
} from "../table/struct-table.js";
import { showsClass } from "../tree/label.js";
import { conditionCode, controlCode, literal, NotCompiled, numberCode } from "./code.js";
import type { Ending, Linker } from "./linker.js";
import type { Skim } from "./skim-state.js";

/** What the code is within: the local variables of the slots of a struct, and the end of the bytes. */
interface Scope {
  readonly slots: Map<number, string>;
  readonly limit: string;
  readonly ending: Ending;
  /** Number of structs around, from the one that the function is for. */
  readonly depth: number;
  /** For types that depend on earlier fields: the variables with the places of the leaves of the struct, by name. */
  readonly places: Map<string, Place> | undefined;
}

interface Place {
  readonly entry: FieldEntry;
  readonly start: string;
  readonly end: string;
}

/** Structs with no more members than this are part of the code around them; others are functions. */
const FEW = 2;

/**
 * Writes the code that skims values of one type: it moves over the bytes, field by field as the decoder does, and answers
 * `LOOK` where the decoder would have anything to say. Names and texts of declarations are never part of the code.
 */
export class Generator {
  readonly #linker: Linker;
  readonly #lines: string[] = [];
  readonly #constants: unknown[] = [];
  #variables = 0;
  /** The most nodes that the code stands for, outside loops. */
  #nodes = 0;
  /** The most structs within each other. */
  #depth = 0;

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** Returns the function that skims the fields of a struct. */
  struct(table: StructTable, ending: Ending): Skim {
    const scope = this.#scopeOf(table, { limit: "limit", ending, depth: 0 });
    this.#segments(table, scope);
    return this.#compiled();
  }

  /** Returns the function that skims a field by itself. */
  field(entry: FieldEntry, ending: Ending): Skim {
    this.#field(entry, { slots: new Map(), limit: "limit", ending, depth: 0, places: undefined });
    return this.#compiled();
  }

  #compiled(): Skim {
    const variables = Array.from({ length: this.#variables }, (_, index) => `v${index} = 0`).join(", ");
    const code = [
      '"use strict";',
      "return function skim(bytes, view, position, limit, depth) {",
      `if ((state.nodes += ${this.#nodes}) > state.mostNodes || depth + ${this.#depth} > state.deepest) return -1;`,
      variables === "" ? "" : `let ${variables};`,
      ...this.#lines,
      "return position;",
      "};",
    ].join("\n");
    const names = this.#constants.map((_, index) => `k${index}`);
    const make: unknown = new Function("state", ...names, code)(this.#linker.state, ...this.#constants);
    if (isSkim(make)) return make;
    throw new TypeError("the code of a type is no function");
  }

  #emit(line: string): void {
    this.#lines.push(line);
  }

  #constant(value: unknown): string {
    const known = this.#constants.indexOf(value);
    return `k${known >= 0 ? known : this.#constants.push(value) - 1}`;
  }

  #variable(): string {
    return `v${this.#variables++}`;
  }

  /** Ends the skimming where the bytes end before `end`. */
  #short(end: string, { ending }: Scope): string {
    return ending === "open" ? `return state.needs(${end});` : "return -1;";
  }

  #scopeOf({ entries }: StructTable, outer: Omit<Scope, "slots" | "places">): Scope {
    this.#depth = Math.max(this.#depth, outer.depth);
    const dependsOnEarlier = entries.some(mentionsResolved);
    return { ...outer, slots: new Map(), places: dependsOnEarlier ? new Map() : undefined };
  }

  #slot(scope: Scope, slot: number): string {
    let name = scope.slots.get(slot);
    if (name === undefined) {
      name = this.#variable();
      scope.slots.set(slot, name);
    }
    return name;
  }

  #segments({ segments }: StructTable, scope: Scope): void {
    for (const segment of segments) {
      // A function may skim one struct after another, as elements of an array.
      if (scope.places !== undefined) for (const entry of segment.entries) this.#forget(entry, scope.places);
      const { conditions } = segment;
      if (conditions.length === 0) this.#segment(segment, scope);
      else {
        const tests = conditions.map((one) => `(${conditionCode(one, this.#slot(scope, one.slot))})`);
        this.#emit(`if (${tests.join(" && ")}) {`);
        this.#segment(segment, scope);
        if (segment.slots.length > 0) {
          this.#emit("} else {");
          for (const slot of segment.slots) this.#emit(`${this.#slot(scope, slot)} = 0;`);
        }
        this.#emit("}");
      }
    }
  }

  #segment({ fixed, entries }: Segment, scope: Scope): void {
    if (fixed !== undefined && scope.places === undefined) this.#fixed(fixed, scope);
    else for (const entry of entries) this.#member(entry, scope);
  }

  #fixed({ nodes, starts, ends, spans, outline, controls, width, depth }: FixedSegment, scope: Scope): void {
    this.#nodes += nodes.length;
    this.#depth = Math.max(this.#depth, scope.depth + depth);
    const leaves = Int32Array.from([...ends].filter((_, index) => spans[index] === 1));
    const open = scope.ending === "open";
    const short = open ? `return state.needsOneOf(${this.#constant(leaves)}, position, ${scope.limit});` : "return -1;";
    this.#emit(`if (position + ${width} > ${scope.limit}) ${short}`);
    for (const { opcode, offset, slot } of controls) {
      this.#emit(`${this.#slot(scope, slot)} = ${controlCode(opcode, `position + ${offset}`)};`);
    }
    for (const index of outline) {
      const field = nodes[index];
      const name = field !== undefined && showsClass(field) ? field.struct?.name : undefined;
      if (!name) continue;
      const length = (ends[index] ?? 0) - (starts[index] ?? 0);
      this.#emit(`state.lengths[state.class(${this.#constant(name)})] = ${length};`);
    }
    this.#emit(`position += ${width};`);
  }

  /** Says that a field is absent, until it comes. */
  #forget(entry: FieldEntry, places: Map<string, Place>): void {
    const { name } = entry.field;
    if (!isPlainLeaf(entry)) return;
    const place = { entry, start: this.#variable(), end: this.#variable() };
    places.set(name, place);
    this.#emit(`${place.start} = -1;`);
  }

  #member(entry: FieldEntry, scope: Scope): void {
    const place = scope.places?.get(entry.field.name);
    if (place === undefined || place.entry !== entry) this.#field(entry, scope);
    else {
      const start = this.#variable();
      this.#emit(`${start} = position;`);
      this.#field(entry, scope);
      // The rest of a region has no node if nothing is left.
      const isThere = entry.lengthSlot === REST ? `if (position > ${start}) ` : "";
      this.#emit(`${isThere}{ ${place.start} = ${start}; ${place.end} = position; }`);
    }
  }

  #field(entry: FieldEntry, scope: Scope): void {
    switch (entry.opcode) {
      case Opcode.Codec:
        this.#coded(entry, scope);
        break;
      case Opcode.Struct:
        this.#nested(entry, scope);
        break;
      case Opcode.Array:
        this.#array(entry, scope);
        break;
      case Opcode.Bytes:
      case Opcode.Text:
        this.#counted(entry, scope);
        break;
      case Opcode.Polymorphic:
        this.#polymorphic(entry, scope);
        break;
      case Opcode.Choice:
        this.#choice(entry, scope);
        break;
      case Opcode.Region:
        this.#region(entry, scope);
        break;
      case Opcode.Tuple:
        this.#nodes++;
        for (const element of entry.elements) this.#field(element, scope);
        break;
      case Opcode.Resolved:
        this.#resolved(entry, scope);
        break;
      default:
        this.#fixedLeaf(entry, scope);
        break;
    }
  }

  #fixedLeaf({ width, slot, opcode }: FieldEntry, scope: Scope): void {
    this.#nodes++;
    this.#emit(`if (position + ${width} > ${scope.limit}) ${this.#short(`position + ${width}`, scope)}`);
    if (slot >= 0) this.#emit(`${this.#slot(scope, slot)} = ${controlCode(opcode, "position")};`);
    this.#emit(`position += ${width};`);
  }

  /** Writes code that measures a leaf with a codec; returns the variable with its length. */
  #measured(entry: FieldEntry, scope: Scope): string {
    const codec = this.#constant(entry.codec);
    const length = this.#variable();
    const left = `${scope.limit} - position`;
    this.#emit(`${length} = ${codec}.measure(view, position, ${scope.limit});`);
    const isSound = `Number.isInteger(${length}) && ${length} <= ${left} && (${length} > 0 || (${length} === 0 && ${left} === 0))`;
    const open = scope.ending === "open" ? `state.unmeasured(${length}, position, ${scope.limit})` : "-1";
    this.#emit(`if (!(${isSound})) return ${open};`);
    return length;
  }

  /** Writes code that looks at what a codec says of a leaf that ends after `length` bytes. */
  #checked({ codec }: FieldEntry, length: string): void {
    const known = this.#constant(codec);
    if (codec?.remark !== undefined) {
      this.#emit(`if (${known}.remark(${length}, bytes, position) !== undefined) return -1;`);
    }
    if (codec?.problem !== undefined) {
      this.#emit(`if (${known}.problem(bytes, position, position + ${length}) !== undefined) return -1;`);
    }
  }

  #coded(entry: FieldEntry, scope: Scope): void {
    this.#nodes++;
    if (entry.codec === undefined) throw new NotCompiled("a leaf without a codec");
    const length = this.#measured(entry, scope);
    if (entry.slot >= 0) this.#number(entry, this.#slot(scope, entry.slot), length);
    this.#checked(entry, length);
    this.#emit(`position += ${length};`);
  }

  /** Writes code that reads the number in a leaf with a codec. */
  #number(entry: FieldEntry, variable: string, length: string): void {
    this.#emit(`${variable} = state.coded(${this.#constant(entry)}, bytes, position, position + ${length});`);
    this.#emit(`if (!Number.isInteger(${variable})) return -1;`);
  }

  #nested(entry: FieldEntry, scope: Scope): void {
    const { table, imports, captures, field, isOutlined } = entry;
    if (table === undefined) return;
    this.#nodes++;
    const { struct } = table;
    if (struct.introduces !== undefined) this.#emit("state.hasBindings = true;");
    const opened = isOutlined && showsClass(field) && struct.name !== "" ? this.#opened(struct.name) : undefined;
    const isPart = captures.length > 0 || imports.length > 0 || table.entries.length <= FEW;
    if (isPart) this.#part(entry, table, scope);
    else this.#called(this.#linker.ofTable(table, scope.ending), scope);
    if (opened !== undefined) this.#closed(opened);
  }

  /** Writes the code of a struct as part of the code around it. */
  #part({ imports, captures }: FieldEntry, table: StructTable, scope: Scope): void {
    const { limit, ending, depth } = scope;
    const inner = this.#scopeOf(table, { limit, ending, depth: depth + 1 });
    for (const { from, to } of imports) inner.slots.set(to, this.#slot(scope, from));
    this.#segments(table, inner);
    for (const { from, to } of captures) {
      this.#emit(`${this.#slot(scope, to)} = ${this.#slot(inner, from)};`);
    }
  }

  /** Writes the call of another function. */
  #called(program: { readonly skim: Skim }, scope: Scope): void {
    const { limit, depth } = scope;
    this.#emit(`position = ${this.#constant(program)}.skim(bytes, view, position, ${limit}, depth + ${depth + 1});`);
    this.#emit("if (position < 0) return position;");
  }

  /** Writes code that notes a class; returns the variables of its index and its beginning. */
  #opened(name: string): readonly [index: string, start: string] {
    const [index, start] = [this.#variable(), this.#variable()];
    this.#emit(`${index} = state.class(${this.#constant(name)}); ${start} = position;`);
    return [index, start];
  }

  #closed([index, start]: readonly [index: string, start: string]): void {
    this.#emit(`state.lengths[${index}] = position - ${start};`);
  }

  #array(entry: FieldEntry, scope: Scope): void {
    const { inner, slot, lengthSlot, field } = entry;
    if (inner === undefined) return;
    this.#nodes++;
    const first = slot >= 0 && inner.width > 0 ? this.#slot(scope, slot) : undefined;
    if (slot >= 0) this.#emit(`${this.#slot(scope, slot)} = 0;`);
    const readFirst = first === undefined ? "" : `${first} = ${controlCode(inner.opcode, "position")};`;
    if (lengthSlot === REST) {
      if (scope.ending === "open") {
        this.#emit("return -1;");
        return;
      }
      if (inner.width > 0) {
        this.#emit(`if ((${scope.limit} - position) % ${inner.width} !== 0) return -1;`);
        this.#emit(`if ((state.nodes += (${scope.limit} - position) / ${inner.width}) > state.mostNodes) return -1;`);
        if (readFirst !== "") this.#emit(`if (position < ${scope.limit}) ${readFirst}`);
        this.#emit(`position = ${scope.limit};`);
        return;
      }
      const start = this.#variable();
      this.#emit(`while (position < ${scope.limit}) {`);
      this.#emit(`${start} = position;`);
      this.#element(inner, scope);
      this.#emit(`if (position === ${start}) break;`);
      this.#emit("}");
      return;
    }
    const count = this.#length(entry, scope);
    this.#emit(`if (${count} < 0 || ${count} > state.mostNodes) return -1;`);
    const least = `position + ${literal(field.inner?.minimumWidth ?? 0)} * ${count}`;
    this.#emit(`if (${least} > ${scope.limit}) ${this.#short(least, scope)}`);
    if (inner.width > 0) {
      this.#emit(`if ((state.nodes += ${count}) > state.mostNodes) return -1;`);
      if (readFirst !== "") this.#emit(`if (${count} > 0) ${readFirst}`);
      this.#emit(`position += ${inner.width} * ${count};`);
      return;
    }
    this.#emit(`for (; ${count} > 0; ${count}--) {`);
    this.#element(inner, scope);
    this.#emit("}");
  }

  /** Writes the code for one element of an array, whose nodes are counted each time. */
  #element(element: FieldEntry, scope: Scope): void {
    const before = this.#nodes;
    const at = this.#lines.length;
    this.#field(element, scope);
    const nodes = this.#nodes - before;
    this.#nodes = before;
    this.#lines.splice(at, 0, `if ((state.nodes += ${nodes}) > state.mostNodes) return -1;`);
  }

  /** Writes code that computes a length; returns its variable. */
  #length({ field, lengthSlot }: FieldEntry, scope: Scope): string {
    const length = this.#variable();
    const { plus }: LengthRule = field.length;
    const claimed = lengthSlot === NO_SLOT ? literal(plus) : claimedCode(field.length, this.#slot(scope, lengthSlot));
    this.#emit(`${length} = ${claimed};`);
    return length;
  }

  #counted(entry: FieldEntry, scope: Scope): void {
    this.#nodes++;
    const { lengthSlot, field } = entry;
    const isUtf16 = field.encoding === "utf16le";
    if (lengthSlot === REST) {
      if (scope.ending === "open") {
        this.#emit("return -1;");
        return;
      }
      if (field.undeclared !== "") this.#emit(`if (position < ${scope.limit}) return -1;`);
      if (isUtf16) this.#emit(`if ((${scope.limit} - position) & 1) return -1;`);
      this.#emit(`position = ${scope.limit};`);
      return;
    }
    const length = this.#length(entry, scope);
    this.#emit(`if (${length} < 0) return -1;`);
    const end = `position + ${length}`;
    this.#emit(`if (${end} > ${scope.limit}) ${this.#short(end, scope)}`);
    if (field.undeclared !== "") this.#emit(`if (${length} > 0) return -1;`);
    if (isUtf16) this.#emit(`if (${length} & 1) return -1;`);
    this.#emit(`position += ${length};`);
  }

  #polymorphic(entry: FieldEntry, scope: Scope): void {
    const { family, tag: tagEntry } = entry;
    if (family === undefined || tagEntry === undefined) return;
    this.#nodes += 2;
    const [tag, width, target] = [this.#variable(), this.#variable(), this.#variable()];
    const [index, start] = [this.#variable(), this.#variable()];
    if (tagEntry.width > 0) {
      this.#emit(`${width} = ${tagEntry.width};`);
      this.#emit(`if (position + ${width} > ${scope.limit}) ${this.#short(`position + ${width}`, scope)}`);
      this.#emit(`${tag} = ${numberCode(tagEntry.opcode, "position")};`);
    } else {
      const length = this.#measured(tagEntry, scope);
      this.#emit(`${width} = ${length};`);
      this.#number(tagEntry, tag, length);
      this.#checked(tagEntry, length);
    }
    if (family.nullTag !== undefined) {
      this.#emit(`if (${tag} === ${literal(family.nullTag)}) position += ${width}; else {`);
    }
    this.#depth = Math.max(this.#depth, scope.depth);
    const targets = this.#constant(this.#linker.classesOf(entry, scope.ending));
    this.#emit(`${target} = ${targets}.get(${tag});`);
    this.#emit(`if (${target} === undefined) return -1;`);
    this.#emit(`if (${target}.introduces) state.hasBindings = true;`);
    this.#emit(`${index} = ${target}.name === "" ? -1 : state.class(${target}.name); ${start} = position;`);
    const { limit, depth } = scope;
    const call = `${target}.skim(bytes, view, position + ${width}, ${limit}, depth + ${depth + 1})`;
    this.#emit(`position = ${call};`);
    this.#emit("if (position < 0) return position;");
    this.#emit(`if (${index} >= 0) state.lengths[${index}] = position - ${start};`);
    if (family.nullTag !== undefined) this.#emit("}");
  }

  #choice({ selectorSlot, choices, otherwise, field }: FieldEntry, scope: Scope): void {
    const mask = field.selector?.mask ?? -1;
    const selector = this.#slot(scope, selectorSlot);
    const selected = mask === -1 ? selector : `((${selector} & ${literal(mask)}) >>> 0)`;
    const before = this.#nodes;
    let most = 0;
    const branch = (chosen: FieldEntry) => {
      this.#nodes = before;
      this.#field(chosen, scope);
      most = Math.max(most, this.#nodes);
    };
    this.#emit(`switch (${selected}) {`);
    for (const [value, chosen] of choices ?? []) {
      this.#emit(`case ${literal(value)}: {`);
      branch(chosen);
      this.#emit("break; }");
    }
    this.#emit("default: {");
    if (otherwise === undefined) this.#emit("return -1;");
    else branch(otherwise);
    this.#emit("} }");
    this.#nodes = Math.max(before, most);
  }

  #region(entry: FieldEntry, scope: Scope): void {
    const { inner, lengthSlot, compressed } = entry;
    if (inner === undefined) return;
    const end = this.#variable();
    if (lengthSlot === REST) {
      if (scope.ending === "open") {
        this.#emit("return -1;");
        return;
      }
      this.#emit(`${end} = ${scope.limit};`);
      this.#emit(`if (position < ${end}) {`);
    } else {
      const length = this.#length(entry, scope);
      this.#emit(`if (${length} !== 0) {`);
      this.#emit(`if (${length} < 0) return -1;`);
      this.#emit(`${end} = position + ${length};`);
      this.#emit(`if (${end} > ${scope.limit}) ${this.#short(end, scope)}`);
    }
    if (compressed !== undefined) {
      this.#emit(`if (${conditionCode(compressed, this.#slot(scope, compressed.slot))}) return -1;`);
    }
    this.#field(inner, { ...scope, limit: end, ending: "bounded" });
    this.#emit(`if (position !== ${end}) return -1;`);
    this.#emit("}");
  }

  #resolved(entry: FieldEntry, { places, limit, ending, depth }: Scope): void {
    if (places === undefined) throw new NotCompiled("a type that depends on fields, outside a struct");
    const [member, program] = [this.#variable(), this.#variable()];
    const known = [...places.values()];
    const list = known.map(({ start, end }) => `${start}, ${end}`).join(", ");
    const resolver = this.#constant(
      this.#linker.resolverOf(
        entry,
        known.map((place) => place.entry),
        ending,
      ),
    );
    this.#emit(`${member} = [${list}];`);
    this.#emit(`${program} = ${resolver}.of(bytes, view, ${member});`);
    this.#emit(`if (${program} === undefined) return -1;`);
    this.#emit(`position = ${program}.skim(bytes, view, position, ${limit}, depth + ${depth});`);
    this.#emit("if (position < 0) return position;");
  }
}

function mentionsResolved({ opcode, inner, elements, choices, otherwise }: FieldEntry): boolean {
  if (opcode === Opcode.Resolved) return true;
  if (opcode === Opcode.Struct) return false;
  return [inner, otherwise, ...elements, ...(choices?.values() ?? [])].some(
    (one) => one !== undefined && mentionsResolved(one),
  );
}

/** True for a field that is one leaf, whose value can be read between two places. */
function isPlainLeaf({ width, opcode }: FieldEntry): boolean {
  return width > 0 || opcode === Opcode.Codec || opcode === Opcode.Bytes || opcode === Opcode.Text;
}

/** The expression for the length that a number claims: see `claimedLength`. */
function claimedCode({ mask, times, plus }: LengthRule, number: string): string {
  if (![mask, times, plus].every(Number.isInteger)) throw new NotCompiled("a length that is not whole");
  const masked = mask === -1 ? number : `(${number} & ${literal(mask)})`;
  const multiplied = times === 1 ? masked : `${masked} * ${literal(times)}`;
  return plus === 0 ? multiplied : `${multiplied} + ${literal(plus)}`;
}

function isSkim(made: unknown): made is Skim {
  return typeof made === "function";
}
