import { isObject, type Json } from "../common/json.js";
import { textFormsOf } from "../dissector/text-forms.js";
import {
  ancestry,
  type DeclaredPart,
  isFamily,
  isField,
  isNamed,
  partsOf,
  reachable,
} from "../schema/describe/declared-parts.js";
import type { Derived } from "../schema/language/derived.js";
import type { Family } from "../schema/language/family.js";
import { Field, UNDISSECTED } from "../schema/language/field.js";
import { Opcode } from "../schema/language/opcode.js";
import type { Struct, StructType } from "../schema/language/struct.js";
import type { Type } from "../schema/language/type.js";

import type { TextForm } from "./byte-search.js";

/** What one dissector declares, as far as filters and columns are concerned. */
interface DissectorDeclarations {
  readonly name: string;
  readonly types: ReadonlyMap<string, Type<unknown>>;
  readonly protocols: readonly string[];
  readonly messages?: ReadonlyMap<string, Readonly<Record<string, readonly StructType<unknown>[]>>>;
  readonly textForms?: readonly TextForm[];
}

/** Everything that a name may stand for. */
export interface Term {
  /** The name as it was declared. */
  readonly name: string;
  /** The fields with this name, in any class. */
  readonly fields: Set<Field>;
  /** The classes and messages with this name, and those derived from them. */
  readonly structs: Set<Struct>;
  /** True if it is the name of a class or a message, about which nothing else need be known. */
  isClass: boolean;
  /** The derived values with this name. */
  readonly derived: DerivedTerm[];
  /** True if what is below it is determined only while decoding, so that any name may follow. */
  isOpen: boolean;
}

/** What is declared about a derived value. */
export type DerivedTerm = Pick<Derived, "schema" | "names" | "areBits" | "areBitNumbers">;

/** Member of creatables in JSON that is not a field. */
export const CLASS = "class";

/** All names that a filter or a column may use: of fields, classes, messages, derived values and protocols. */
export class Vocabulary {
  static readonly #made = new WeakMap<readonly DissectorDeclarations[], Vocabulary>();
  readonly protocols: ReadonlySet<string>;
  /** Ways to write text as bytes, beside the usual ones. */
  readonly textForms: readonly TextForm[];
  readonly #terms = new Map<string, Term>();
  /** The names that families give to the tags of each of their classes. */
  readonly #tags = new Map<Struct, Set<string>>();

  constructor(declarations: readonly DissectorDeclarations[]) {
    this.protocols = new Set(declarations.flatMap(({ protocols }) => protocols));
    this.textForms = textFormsOf(declarations);
    for (const part of reachable([UNDISSECTED, ...declarations.flatMap(wholesOf)])) this.#add(part);
    this.#term(CLASS).derived.push({ schema: { enum: [...this.classes()] } });
  }

  /** Returns the vocabulary of some declarations, which is built only once for the same list. */
  static of(declarations: readonly DissectorDeclarations[]): Vocabulary {
    let vocabulary = Vocabulary.#made.get(declarations);
    if (vocabulary === undefined) {
      vocabulary = new Vocabulary(declarations);
      Vocabulary.#made.set(declarations, vocabulary);
    }
    return vocabulary;
  }

  /** True for a protocol, and for the common beginning of several: `moul` for `moul.auth` and `moul.game`. */
  isProtocol(name: string): boolean {
    for (const protocol of this.protocols) if (isOfProtocol(protocol, name)) return true;
    return false;
  }

  get(name: string): Term | undefined {
    return this.#terms.get(name);
  }

  /** The names of classes and messages. */
  *classes(): Generator<string> {
    for (const { name, isClass } of this.#terms.values()) if (isClass) yield name;
  }

  /** The names below which there are names that no declaration has. */
  *undeclared(): Generator<string> {
    for (const { name, isOpen, fields } of this.#terms.values()) {
      if (isOpen && ![...fields].some(({ candidates }) => candidates.length > 0)) yield name;
    }
  }

  /** The names of fields, classes and messages. */
  names(): IterableIterator<string> {
    return this.#terms.keys();
  }

  /** False if it is certain that a name never occurs below another one. */
  canHold(outer: Term, name: string): boolean {
    if (outer.derived.length > 0 || outer.isOpen || this.#hasTag(outer, name)) return true;
    for (const part of reachable([...outer.structs, ...[...outer.fields].flatMap((field) => [...partsOf(field)])])) {
      if (isField(part) ? isCalled(part, name) || part.opcode === Opcode.Resolved : says(part, name)) return true;
    }
    return false;
  }

  /** True if something that another name stands for has a field or a derived value with this name. */
  declares(outer: Term, name: string): boolean {
    const structs = [...outer.structs, ...[...outer.fields].flatMap(structsIn)];
    if (name === CLASS) return structs.length > 0;
    if (this.#hasTag(outer, name)) return true;
    for (const struct of structs) {
      if (struct.fields.some((field) => hasAlternative(field, name))) return true;
      if (struct.derived.some((derived) => derived.name === name)) return true;
    }
    return false;
  }

  /** True if something that another name stands for begins with a tag of this name, which no class declares itself. */
  #hasTag({ structs, fields }: Term, name: string): boolean {
    for (const struct of structs) if (this.#tags.get(struct)?.has(name) === true) return true;
    return [...fields].flatMap(familiesIn).some(({ tagField }) => isCalled(tagField, name));
  }

  #add(part: DeclaredPart): void {
    if (isField(part)) this.#addField(part);
    else if (isFamily(part)) this.#addFamily(part);
    else {
      for (const { name } of ancestry(part)) if (name !== "") this.#addClass(name, part);
      for (const derived of part.derived) this.#addDerived(derived);
    }
  }

  #addFamily(family: Family): void {
    for (const name of family.names.values()) this.#term(name).isClass = true;
    for (const struct of family.classes()) {
      const tags = this.#tags.get(struct) ?? new Set();
      this.#tags.set(struct, tags.add(family.tagField.name).add(family.tagField.jsonName));
    }
  }

  #addField(field: Field): void {
    // The name that it has in JSON stands for this field alone.
    for (const name of new Set([field.name, field.jsonName])) {
      if (name === "") continue;
      const term = this.#term(name);
      term.fields.add(field);
      if (field.opcode === Opcode.Resolved) term.isOpen = true;
    }
  }

  #addClass(name: string, struct: Struct): void {
    const term = this.#term(name);
    term.isClass = true;
    term.structs.add(struct);
  }

  #addDerived(derived: DerivedTerm & Pick<Derived, "name">): void {
    const term = this.#term(derived.name);
    term.derived.push(derived);
    const members = membersIn(derived.schema);
    if (members?.length === 0) term.isOpen = true;
    for (const [member, inner] of members ?? []) this.#addDerived({ name: member, schema: inner });
  }

  #term(name: string): Term {
    let term = this.#terms.get(name);
    if (term === undefined) {
      term = { name, fields: new Set(), structs: new Set(), isClass: false, derived: [], isOpen: false };
      this.#terms.set(name, term);
    }
    return term;
  }
}

/** True for the name of a field, or the one that it has in JSON. */
export function isCalled(field: Field, name: string): boolean {
  return field.name === name || field.jsonName === name;
}

/** The same, also for the types that the field may have. */
function hasAlternative(field: Field, name: string): boolean {
  return (
    isCalled(field, name) ||
    [field.inner, field.otherForm?.content, ...field.alternatives].some(
      (one) => one !== undefined && one.name === field.name && hasAlternative(one, name),
    )
  );
}

/** Returns the families of what a value of a field, or its elements, can be. */
function familiesIn({ family, inner, elements, alternatives }: Field): Family[] {
  const parts = inner === undefined ? [...elements, ...alternatives] : [inner, ...elements, ...alternatives];
  return [...(family === undefined ? [] : [family]), ...parts.flatMap(familiesIn)];
}

/** True if a protocol has this name, or a name that begins with it: `moul.game` belongs to `moul`. */
export function isOfProtocol(protocol: string, name: string): boolean {
  return protocol === name || protocol.startsWith(`${name}.`);
}

function wholesOf({ types, messages = new Map() }: DissectorDeclarations): DeclaredPart[] {
  const wholes = [...types].map(
    ([name, { descriptor }]) => descriptor.struct ?? descriptor.family ?? new Field(name, descriptor),
  );
  const lists = [...messages.values()].flatMap((directions) => Object.values(directions).flat());
  return [...wholes, ...lists.map(({ struct }) => struct)];
}

/** Returns the structs that a value of a field, or its elements, can be. */
function structsIn({ struct, family, inner, elements, alternatives }: Field): Struct[] {
  const own = family === undefined ? [] : [...family.classes()];
  if (struct !== undefined) own.push(struct);
  if (inner !== undefined) own.push(...structsIn(inner));
  return [...own, ...[...elements, ...alternatives].flatMap(structsIn)];
}

function says(part: Struct | Family, name: string): boolean {
  if (isFamily(part)) return name === CLASS || [...part.names.values()].includes(name);
  if (part.derived.some((derived) => derived.name === name || membersIn(derived.schema) !== undefined)) return true;
  return isNamed(part, name);
}

/** Returns the members that a JSON Schema lists; undefined if it is not the schema of an object. */
function membersIn(schema: Json): [string, Json][] | undefined {
  if (!isObject(schema)) return undefined;
  if (schema["items"] !== undefined) return membersIn(schema["items"]);
  if (schema["type"] !== "object") return undefined;
  return isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
}
