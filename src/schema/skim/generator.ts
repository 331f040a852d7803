import { Opcode } from "../language/opcode.js";
import { type FieldEntry, type FixedSegment, REST, type Segment, type StructTable } from "../table/struct-table.js";
import { conditionCode, controlCode, literal, NotCompiled, numberCode } from "./code.js";
import { LeafGenerator, type Place, type Scope } from "./leaf-generator.js";
import type { Manner } from "./linker.js";
import type { Skim } from "./skim-state.js";

/** Structs with no more members than this are part of the code around them; others are functions. */
const FEW = 2;

/**
 * Writes the code that skims values of one type: it moves over the bytes, field by field as the decoder does, and answers
 * `LOOK` where the decoder would have anything to say. Names and texts of declarations are never part of the code.
 */
export class Generator extends LeafGenerator {
  /** Returns the function that skims the fields of a struct. */
  struct(table: StructTable, { ending, keep }: Manner): Skim {
    const scope = this.#scopeOf(table, { limit: "limit", ending, keep, depth: 0 });
    this.#segments(table, scope);
    return this.compiled();
  }

  /** Returns the function that skims a field by itself. */
  field(entry: FieldEntry, { ending, keep }: Manner): Skim {
    this.#field(entry, { slots: new Map(), limit: "limit", ending, keep, depth: 0, places: undefined });
    return this.compiled();
  }

  #scopeOf({ entries }: StructTable, outer: Omit<Scope, "slots" | "places">): Scope {
    this.depth = Math.max(this.depth, outer.depth);
    const dependsOnEarlier = entries.some(mentionsResolved);
    return { ...outer, slots: new Map(), places: dependsOnEarlier ? new Map() : undefined };
  }

  #segments({ segments }: StructTable, scope: Scope): void {
    for (const segment of segments) {
      // A function may skim one struct after another, as elements of an array.
      if (scope.places !== undefined) for (const entry of segment.entries) this.#forget(entry, scope.places);
      const { conditions } = segment;
      if (conditions.length === 0) this.#segment(segment, scope);
      else {
        const tests = conditions.map((one) => `(${conditionCode(one, this.slot(scope, one.slot))})`);
        this.emit(`if (${tests.join(" && ")}) {`);
        this.#segment(segment, scope);
        if (segment.slots.length > 0) {
          this.emit("} else {");
          for (const slot of segment.slots) this.emit(`${this.slot(scope, slot)} = 0;`);
        }
        this.emit("}");
      }
    }
  }

  #segment({ fixed, entries }: Segment, scope: Scope): void {
    if (fixed !== undefined && scope.places === undefined) this.#fixed(fixed, scope);
    else for (const entry of entries) this.#member(entry, scope);
  }

  #fixed(segment: FixedSegment, scope: Scope): void {
    const { nodes, ends, spans, controls, width, depth } = segment;
    this.nodes += nodes.length;
    this.depth = Math.max(this.depth, scope.depth + depth);
    const leaves = Int32Array.from([...ends].filter((_, index) => spans[index] === 1));
    const open = scope.ending === "open";
    const short = open ? `return state.needsOneOf(${this.constant(leaves)}, position, ${scope.limit});` : "return -1;";
    this.emit(`if (position + ${width} > ${scope.limit}) ${short}`);
    for (const { opcode, offset, slot } of controls) {
      this.emit(`${this.slot(scope, slot)} = ${controlCode(opcode, `position + ${offset}`)};`);
    }
    const { kept } = this.linker;
    if (nodes.some((field) => kept.hasFunctions(field))) this.emit("state.hasFunctions = true;");
    const left = scope.keep === "whole" ? segment : kept.segment(segment);
    if (left !== undefined) this.emit(`store.addSegment(${this.constant(left)}, 0, position - origin);`);
    this.emit(`position += ${width};`);
  }

  /** Says that a field is absent, until it comes. */
  #forget(entry: FieldEntry, places: Map<string, Place>): void {
    const { name } = entry.field;
    if (!isPlainLeaf(entry)) return;
    const place = { entry, start: this.variable(), end: this.variable() };
    places.set(name, place);
    this.emit(`${place.start} = -1;`);
  }

  #member(entry: FieldEntry, scope: Scope): void {
    const place = scope.places?.get(entry.field.name);
    if (place === undefined || place.entry !== entry) this.#field(entry, scope);
    else {
      const start = this.variable();
      this.emit(`${start} = position;`);
      this.#field(entry, scope);
      // The rest of a region has no node if nothing is left.
      const isThere = entry.lengthSlot === REST ? `if (position > ${start}) ` : "";
      this.emit(`${isThere}{ ${place.start} = ${start}; ${place.end} = position; }`);
    }
  }

  #field(entry: FieldEntry, outer: Scope): void {
    const scope: Scope = this.linker.kept.isWhole(entry.field) ? { ...outer, keep: "whole" } : outer;
    switch (entry.opcode) {
      case Opcode.Codec:
        this.coded(entry, scope);
        break;
      case Opcode.Struct:
        this.#nested(entry, scope);
        break;
      case Opcode.Array:
        this.#array(entry, scope);
        break;
      case Opcode.Bytes:
      case Opcode.Text:
        this.counted(entry, scope);
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
      case Opcode.Tuple: {
        this.nodes++;
        const node = this.#opened(entry, scope);
        for (const element of entry.elements) this.#field(element, scope);
        this.#closed(node);
        break;
      }
      case Opcode.Resolved:
        this.#resolved(entry, scope);
        break;
      default:
        this.fixedLeaf(entry, scope);
        break;
    }
  }

  #nested(entry: FieldEntry, scope: Scope): void {
    const { table, imports, exports, field } = entry;
    if (table === undefined) return;
    this.nodes++;
    if (this.linker.kept.hasFunctions(field)) this.emit("state.hasFunctions = true;");
    const node = this.#opened(entry, scope);
    if (table.bindsNames && node !== undefined) this.emit(`store.nameBindings.push(${node});`);
    const isPart = exports.length > 0 || imports.length > 0 || table.entries.length <= FEW;
    if (isPart) this.#part(entry, table, scope);
    else this.#called(this.linker.ofTable(table, manner(scope)), scope);
    this.#closed(node);
  }

  /** Writes the code of a struct as part of the code around it. */
  #part({ imports, exports }: FieldEntry, table: StructTable, scope: Scope): void {
    const { limit, ending, keep, depth } = scope;
    const inner = this.#scopeOf(table, { limit, ending, keep, depth: depth + 1 });
    for (const { from, to } of imports) inner.slots.set(to, this.slot(scope, from));
    this.#segments(table, inner);
    for (const { from, to } of exports) {
      this.emit(`${this.slot(scope, to)} = ${this.slot(inner, from)};`);
    }
  }

  /** Writes the call of another function. */
  #called(program: { readonly skim: Skim }, scope: Scope): void {
    const { limit, depth } = scope;
    this.emit(`position = ${this.constant(program)}.skim(bytes, view, position, ${limit}, depth + ${depth + 1});`);
    this.emit("if (position < 0) return position;");
  }

  /** Writes code that begins the node of a field, if it is kept or may have such nodes below it; returns its variable. */
  #opened(entry: FieldEntry, { keep }: Scope): string | undefined {
    if (keep === "parts" && !this.linker.kept.has(entry)) return undefined;
    const node = this.variable();
    this.emit(`${node} = store.add(${this.constant(entry)}, 0, position - origin, 0);`);
    return node;
  }

  #closed(node: string | undefined): void {
    if (node !== undefined) this.emit(`store.close(${node}, position - origin);`);
  }

  /** Writes the code for elements of a fixed width, whose number is known to fit. */
  #elements(inner: FieldEntry, count: string, scope: Scope): void {
    if (scope.keep === "whole" || this.linker.kept.hasLeaf(inner)) {
      this.emit(`for (let left = ${count}; left > 0; left--) {`);
      this.keepLeaf(inner, `position + ${inner.width}`, scope);
      this.emit(`position += ${inner.width}; }`);
    } else this.emit(`position += ${inner.width} * ${count};`);
  }

  #array(entry: FieldEntry, scope: Scope): void {
    this.nodes++;
    const node = this.#opened(entry, scope);
    this.#content(entry, scope);
    this.#closed(node);
  }

  #content({ inner, slot, lengthSlot, field }: FieldEntry, scope: Scope): void {
    if (inner === undefined) return;
    const first = slot >= 0 && inner.width > 0 ? this.slot(scope, slot) : undefined;
    if (slot >= 0) this.emit(`${this.slot(scope, slot)} = 0;`);
    const readFirst = first === undefined ? "" : `${first} = ${controlCode(inner.opcode, "position")};`;
    if (lengthSlot === REST) {
      if (scope.ending === "open") {
        this.emit("return -1;");
        return;
      }
      if (inner.width > 0) {
        this.emit(`if ((${scope.limit} - position) % ${inner.width} !== 0) return -1;`);
        this.emit(`if ((state.nodes += (${scope.limit} - position) / ${inner.width}) > state.mostNodes) return -1;`);
        if (readFirst !== "") this.emit(`if (position < ${scope.limit}) ${readFirst}`);
        this.#elements(inner, `(${scope.limit} - position) / ${inner.width}`, scope);
        return;
      }
      const start = this.variable();
      this.emit(`while (position < ${scope.limit}) {`);
      this.emit(`${start} = position;`);
      this.inLoop(() => this.#field(inner, scope));
      this.emit(`if (position === ${start}) break;`);
      this.emit("}");
      return;
    }
    const count = this.length({ field, lengthSlot }, scope);
    this.emit(`if (${count} < 0 || ${count} > state.mostNodes) return -1;`);
    const least = `position + ${literal(field.inner?.minimumWidth ?? 0)} * ${count}`;
    this.emit(`if (${least} > ${scope.limit}) ${this.short(least, scope)}`);
    if (inner.width > 0) {
      this.emit(`if ((state.nodes += ${count}) > state.mostNodes) return -1;`);
      if (readFirst !== "") this.emit(`if (${count} > 0) ${readFirst}`);
      this.#elements(inner, count, scope);
      return;
    }
    this.emit(`for (; ${count} > 0; ${count}--) {`);
    this.inLoop(() => this.#field(inner, scope));
    this.emit("}");
  }

  #polymorphic(entry: FieldEntry, scope: Scope): void {
    const { family, tag: tagEntry } = entry;
    if (family === undefined || tagEntry === undefined) return;
    this.nodes += 2;
    const [tag, width, target] = [this.variable(), this.variable(), this.variable()];
    const node = this.variable();
    if (tagEntry.width > 0) {
      this.emit(`${width} = ${tagEntry.width};`);
      this.emit(`if (position + ${width} > ${scope.limit}) ${this.short(`position + ${width}`, scope)}`);
      this.emit(`${tag} = ${numberCode(tagEntry.opcode, "position")};`);
    } else {
      const length = this.measured(tagEntry, scope);
      this.emit(`${width} = ${length};`);
      this.number(tagEntry, tag, length);
      this.checked(tagEntry, length);
    }
    const tagNode = `store.add(${this.constant(tagEntry)}, 0, position - origin, position + ${width} - origin);`;
    const { kept } = this.linker;
    if (family.nullTag !== undefined) {
      this.emit(`if (${tag} === ${literal(family.nullTag)}) {`);
      const isKept = scope.keep === "whole" || kept.keepsAround;
      if (isKept) this.emit(`${node} = store.add(${this.constant(entry)}, 0, position - origin, 0); ${tagNode}`);
      this.emit(`position += ${width};`);
      if (isKept) this.#closed(node);
      this.emit("} else {");
    }
    this.depth = Math.max(this.depth, scope.depth);
    const targets = this.constant(this.linker.classesOf(entry, manner(scope)));
    this.emit(`${target} = ${targets}.get(${tag});`);
    this.emit(`if (${target} === undefined) return -1;`);
    const isKept = scope.keep === "whole" || kept.hasClasses;
    const added = `store.add(${target}.variant, 0, position - origin, 0)`;
    this.emit(`${node} = ${isKept ? added : `${target}.isWhole ? ${added} : -1`};`);
    if (scope.keep === "whole" || kept.hasLeaf(tagEntry)) this.emit(tagNode);
    else this.emit(`if (${target}.isWhole) ${tagNode}`);
    this.emit(`if (${target}.hasFunctions) state.hasFunctions = true;`);
    this.emit(`if (${target}.bindsNames) store.nameBindings.push(${node});`);
    const { limit, depth } = scope;
    const call = `${target}.skim(bytes, view, position + ${width}, ${limit}, depth + ${depth + 1})`;
    this.emit(`position = ${call};`);
    this.emit("if (position < 0) return position;");
    if (!isKept) this.emit(`if (${node} >= 0)`);
    this.#closed(node);
    if (family.nullTag !== undefined) this.emit("}");
  }

  #choice({ selectorSlot, choices, otherwise, field }: FieldEntry, scope: Scope): void {
    const mask = field.selector?.mask ?? -1;
    const selector = this.slot(scope, selectorSlot);
    const selected = mask === -1 ? selector : `((${selector} & ${literal(mask)}) >>> 0)`;
    const before = this.nodes;
    let most = 0;
    const branch = (chosen: FieldEntry) => {
      this.nodes = before;
      this.#field(chosen, scope);
      most = Math.max(most, this.nodes);
    };
    this.emit(`switch (${selected}) {`);
    for (const [value, chosen] of choices ?? []) {
      this.emit(`case ${literal(value)}: {`);
      branch(chosen);
      this.emit("break; }");
    }
    this.emit("default: {");
    if (otherwise === undefined) this.emit("return -1;");
    else branch(otherwise);
    this.emit("} }");
    this.nodes = Math.max(before, most);
  }

  #region(entry: FieldEntry, scope: Scope): void {
    const { inner, lengthSlot, compressed } = entry;
    if (inner === undefined) return;
    const end = this.variable();
    if (lengthSlot === REST) {
      if (scope.ending === "open") {
        this.emit("return -1;");
        return;
      }
      this.emit(`${end} = ${scope.limit};`);
      this.emit(`if (position < ${end}) {`);
    } else {
      const length = this.length(entry, scope);
      this.emit(`if (${length} !== 0) {`);
      this.emit(`if (${length} < 0) return -1;`);
      this.emit(`${end} = position + ${length};`);
      this.emit(`if (${end} > ${scope.limit}) ${this.short(end, scope)}`);
    }
    if (compressed !== undefined) {
      this.emit(`if (${conditionCode(compressed, this.slot(scope, compressed.slot))}) return -1;`);
    }
    this.#field(inner, { ...scope, limit: end, ending: "bounded" });
    this.emit(`if (position !== ${end}) return -1;`);
    this.emit("}");
  }

  #resolved(entry: FieldEntry, { places, limit, ending, keep, depth }: Scope): void {
    if (places === undefined) throw new NotCompiled("a type that depends on fields, outside a struct");
    const [member, program] = [this.variable(), this.variable()];
    const known = [...places.values()];
    const list = known.map(({ start, end }) => `${start}, ${end}`).join(", ");
    const resolver = this.constant(
      this.linker.resolverOf(
        entry,
        known.map((place) => place.entry),
        { ending, keep },
      ),
    );
    this.emit(`${member} = [${list}];`);
    this.emit(`${program} = ${resolver}.of(bytes, view, ${member});`);
    this.emit(`if (${program} === undefined) return -1;`);
    this.emit(`position = ${program}.skim(bytes, view, position, ${limit}, depth + ${depth});`);
    this.emit("if (position < 0) return position;");
  }
}

function manner({ ending, keep }: Manner): Manner {
  return { ending, keep };
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
