import { isArray, isObject, type Json } from "../common/json.js";
import { type Field, UNDISSECTED_NAME } from "../schema/language/field.js";
import { has64Bits, Opcode } from "../schema/language/opcode.js";
import type { Struct } from "../schema/language/struct.js";
import { ancestors, inOrder, lengthsIn, numberOf, otherNames, sorted } from "./declared.js";
import type { Place } from "./ignored-paths.js";

/** What becomes of the values of a message: each method returns what replaces the value. */
export interface Visitor {
  /** A value that differs from recording to recording. */
  readonly varying: (value: Json) => Json;
  /** A value that only stands for something of a kind ("player"). */
  readonly label: (value: Json, field: Field) => Json;
  /** A state of unknown format, with times in it. */
  readonly opaque: (value: Json) => Json;
  /**
   * True to keep values that follow from others (lengths of bytes that are present, derived values), and the order of
   * the members.
   */
  readonly keepsSurplus: boolean;
  /** Called for each class on the way. */
  readonly classNamed?: (name: string) => void;
}

/** A time within a state: without descriptors, it is not known what a state consists of. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z(\+\d+us)?$/;
const HEX = /^([0-9a-f]{2})+$/;

/**
 * Walks through the values of a message, as in JSON, along their declarations; returns them as changed by the visitor.
 * Values that are not as declared stay as they are: JSON from elsewhere, or from another version, may have some.
 */
export class Walk {
  constructor(readonly visitor: Visitor) {}

  /** The members of a struct. @param place of the struct, for paths that are left out */
  members(struct: Struct, value: Json, place: Place): Json {
    if (!isObject(value)) return value;
    const { keepsSurplus } = this.visitor;
    const lengths = lengthsIn(struct);
    const changed: [string, Json][] = [];
    for (const [shown, member] of keepsSurplus ? Object.entries(value) : inOrder(struct, value)) {
      const name = otherNames(struct).get(shown)?.name ?? shown;
      const field = struct.fields.find((candidate) => candidate.name === name);
      if (!keepsSurplus && isSurplus(struct, name, lengths)) continue;
      const inner = place.enter(name, field === undefined ? [] : classesOf(field, member));
      if (inner === undefined) continue;
      const as = field === undefined ? this.#loose(member, inner) : this.#value(field, member, inner, struct, value);
      changed.push([name, as]);
    }
    // Names from elsewhere may be those of properties that every object has.
    return Object.fromEntries(changed);
  }

  #value(field: Field, value: Json, place: Place, owner?: Struct, siblings?: Json): Json {
    const { visitor } = this;
    if (field.sameness?.form === "varies") return visitor.varying(value);
    if (field.sameness !== undefined || field.meaning?.form === "reference") return visitor.label(value, field);
    switch (field.opcode) {
      case Opcode.Struct:
        return field.struct === undefined ? value : this.members(field.struct, value, place);
      case Opcode.Polymorphic:
        return this.#creatable(field, value, place);
      case Opcode.Array:
      case Opcode.Tuple:
        return this.#elements(field, value, place);
      case Opcode.Region:
        return field.inner === undefined ? value : this.#value(field.inner, value, place, owner, siblings);
      case Opcode.Choice: {
        const chosen = choiceOf(field, value, owner, siblings);
        return chosen === undefined ? value : this.#value(chosen, value, place, owner, siblings);
      }
      case Opcode.Resolved: {
        if (typeof value === "string" && HEX.test(value)) return visitor.opaque(value);
        const struct = structOf(value, field.candidates);
        return struct === undefined ? this.#loose(value, place, field) : this.members(struct, value, place);
      }
      default:
        // Where names are usual, a number without one may be a text.
        return typeof value === "string" && !has64Bits(field.opcode) ? (unnamed(field, value) ?? value) : value;
    }
  }

  #creatable({ family }: Field, value: Json, place: Place): Json {
    if (!isObject(value) || family === undefined) return value;
    const { class: className, [family.tagName]: tag } = value;
    if (typeof className === "string") this.visitor.classNamed?.(className);
    const number = numberOf(family.tagField, tag);
    const struct =
      typeof className === "string" ? family.named(className) : number === undefined ? undefined : family.get(number);
    return struct === undefined ? this.#loose(value, place) : this.members(struct, value, place);
  }

  #elements(field: Field, value: Json, place: Place): Json {
    if (!isArray(value)) return value;
    return value.flatMap((element, index) => {
      const declared = field.opcode === Opcode.Tuple ? field.elements[index] : field.inner;
      if (declared === undefined) return [element];
      const inner = place.enter("", classesOf(declared, element));
      return inner === undefined ? [] : [this.#value(declared, element, inner)];
    });
  }

  /** A value without a declaration. @param of the field that knows what may be in it */
  #loose(value: Json, place: Place, of?: Pick<Field, "parts" | "shownNames">): Json {
    if (typeof value === "string" && TIME.test(value)) return this.visitor.varying(value);
    if (isArray(value)) {
      return value.flatMap((element) => {
        const inner = place.enter("", namesIn(element));
        return inner === undefined ? [] : [this.#loose(element, inner, of)];
      });
    }
    if (!isObject(value)) return value;
    const struct = structOf(value, of?.parts ?? []);
    if (struct !== undefined) return this.members(struct, value, place);
    const entries = Object.entries(value).map(([name, member]): [string, Json] => [
      of?.shownNames.get(name) ?? name,
      member,
    ]);
    const ordered = this.visitor.keepsSurplus ? entries : sorted(entries, () => 0);
    const members = ordered.flatMap(([name, member]): [string, Json][] => {
      const inner = place.enter(name, namesIn(member));
      return inner === undefined ? [] : [[name, this.#loose(member, inner, of)]];
    });
    return Object.fromEntries(members);
  }
}

function isSurplus(struct: Struct, name: string, lengths: ReadonlySet<string>): boolean {
  return lengths.has(name) || struct.derived.some((derived) => derived.name === name);
}

/** The number of an enumeration that has no name. */
function unnamed(field: Field, value: string): number | undefined {
  if (field.meaning?.form !== "enumeration") return undefined;
  const number = numberOf(field, value);
  return number === undefined || field.meaning.names.has(number) ? undefined : number;
}

/** Names of the classes of a value. */
function classesOf(field: Field, value: Json): readonly string[] {
  if (field.struct !== undefined) return ancestors(field.struct);
  const { class: className } = isObject(value) ? value : {};
  if (typeof className !== "string") return field.inner === undefined ? [] : classesOf(field.inner, value);
  const struct = field.family?.named(className) ?? field.inner?.family?.named(className);
  return struct === undefined ? [className] : ancestors(struct);
}

/** Names that a value without a declaration gives itself: of a class, of a variable of a state. */
function namesIn(value: Json): string[] {
  const { class: className, name } = isObject(value) ? value : {};
  return [className, name].filter((text) => typeof text === "string");
}

/** The alternative chosen for a value: by the selector field, or else the first one that looks like the value. */
function choiceOf(field: Field, value: Json, owner: Struct | undefined, siblings: Json | undefined): Field | undefined {
  const selector = owner?.fields.find(({ name }) => name === field.selector?.field);
  if (selector !== undefined && isObject(siblings)) {
    const number = numberOf(selector, siblings[selector.name] ?? siblings[selector.jsonName]);
    if (number !== undefined) return field.chosen(number);
  }
  return field.alternatives.find((choice) => looksLike(choice, value));
}

/** Returns the first of some structs that a value looks like. */
function structOf(value: Json, fields: readonly Field[]): Struct | undefined {
  return fields.find((field) => looksLike(field, value))?.struct;
}

function looksLike({ struct, opcode, inner }: Field, value: Json): boolean {
  if (struct !== undefined) return isObject(value) && fits(struct, value);
  if (opcode === Opcode.Region && inner !== undefined) return looksLike(inner, value);
  return !isObject(value) && isArray(value) === (opcode === Opcode.Array || opcode === Opcode.Tuple);
}

/** True if a struct declares all members of a value. */
export function fits(struct: Struct, value: Json): boolean {
  if (!isObject(value)) return false;
  const known = new Set([...struct.descriptors.keys(), ...struct.derived.map(({ name }) => name), UNDISSECTED_NAME]);
  return Object.keys(value).every((name) => known.has(name) || otherNames(struct).has(name));
}
