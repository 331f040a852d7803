import { isArray, isObject, type Json, jsonText } from "../common/json.js";
import { alignTexts } from "./alignment.js";
import type { FieldDifference } from "./difference.js";
import type { IdentifierMapping } from "./identifier-mapping.js";
import { type Entry, LABEL, type Space, VARYING } from "./normal-form.js";

/** Facts of a message that a field may be named after; as in display filters, the field then has a dot in front. */
const FACTS = ["protocol", "status", "notes"];

/** Compares messages of one conversation field by field. */
export class FieldComparison {
  constructor(
    readonly mapping: IdentifierMapping,
    readonly conversation: number,
  ) {}

  /** The differences between two messages; empty if they say the same. */
  of(expected: Entry, found: Entry): FieldDifference[] {
    if (expected.form === found.form && this.#labelsAgree(expected, found)) return [];
    const differences: FieldDifference[] = [];
    this.#compare(messageOf(expected), messageOf(found), "", differences);
    return differences;
  }

  #labelsAgree({ form, labels }: Entry, found: Entry): boolean {
    return labels.every((label, index) => {
      const [space, other] = [form.shape.spaces[index], found.labels[index]];
      return space !== undefined && other !== undefined && this.#unify(space, label, other);
    });
  }

  #unify(space: Space, label: string, other: string): boolean {
    return this.mapping.unify(space, this.conversation, label, other);
  }

  #compare(expected: Value | undefined, found: Value | undefined, path: string, differences: FieldDifference[]): void {
    if (isList(expected) && isList(found)) this.#elements(expected, found, path, differences);
    else if (isMembers(expected) && isMembers(found)) {
      for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
        const [one, other] = [memberOf(expected, name), memberOf(found, name)];
        this.#compare(one, other, path === "" ? name : `${path}.${name}`, differences);
      }
    } else if (!this.#isSame(expected, found)) {
      const elsewhere = expected instanceof Label ? this.#foundLabel(expected) : undefined;
      differences.push({
        path,
        expected: inFull(expected),
        found: inFull(found),
        ...(elsewhere !== undefined && { elsewhere: JSON.parse(elsewhere) }),
      });
    }
  }

  #isSame(expected: Value | undefined, found: Value | undefined): boolean {
    if (expected instanceof Label && found instanceof Label) {
      return this.#unify(expected.space, expected.text, found.text);
    }
    return jsonText(shown(expected)) === jsonText(shown(found));
  }

  #foundLabel({ space, text }: Label): string | undefined {
    return this.mapping.foundLabel(space, this.conversation, text);
  }

  /** An additional element is one difference: the other elements are compared with those they resemble. */
  #elements(expected: readonly Value[], found: readonly Value[], path: string, differences: FieldDifference[]): void {
    const { mapping, conversation } = this;
    const textOf = (value: Value, known: Known) => jsonText(shown(value, known));
    const pairs = alignTexts(
      expected.map((value) => textOf(value, (label) => this.#foundLabel(label))),
      found.map((value) =>
        textOf(value, ({ space, text }) => mapping.expectedLabel(space, conversation, text) && text),
      ),
    );
    let [one, other] = [0, 0];
    for (const [nextOne, nextOther] of [...pairs, [expected.length, found.length] as const]) {
      while (one < nextOne || other < nextOther) {
        const expectedOne = one < nextOne ? expected[one] : undefined;
        const foundOne = other < nextOther ? found[other] : undefined;
        this.#compare(expectedOne, foundOne, `${path}[${foundOne === undefined ? one : other}]`, differences);
        if (expectedOne !== undefined) one++;
        if (foundOne !== undefined) other++;
      }
      // In those texts, all labels that are not mapped looked the same.
      if (one < expected.length && other < found.length) {
        this.#compare(expected[one], found[other], `${path}[${other}]`, differences);
      }
      [one, other] = [nextOne + 1, nextOther + 1];
    }
  }
}

/** A value that only stands for something. */
class Label {
  constructor(
    readonly space: Space,
    readonly text: string,
  ) {}
}

/** A value of which only `text` is compared. */
class Varying {
  constructor(
    readonly text: string,
    readonly inFull = text,
  ) {}
}

type Value = string | number | boolean | null | Label | Varying | readonly Value[] | { readonly [name: string]: Value };
type Known = (label: Label) => string | undefined;

/** The content of a message: its fields, side by side with the facts that every message has. */
function messageOf(entry: Entry): Value {
  const whole: Json = JSON.parse(entry.form.text);
  const { fields = {}, message: _, notes, ...others } = isObject(whole) ? whole : {};
  const value = asValue(fields, entry);
  const facts = { ...others, ...(isArray(notes) && { notes: notes.map((note, index) => asNote(note, entry, index)) }) };
  if (!isMembers(value)) return { ...facts, fields: value };
  const members = Object.entries(value).map(([name, member]) => [FACTS.includes(name) ? `.${name}` : name, member]);
  return { ...facts, ...Object.fromEntries(members) };
}

function asNote(json: Json, { noteTexts }: Entry, index: number): Value {
  const [note, text] = [String(json), noteTexts[index]];
  return new Varying(note, text === undefined ? note : `${note}: ${text}`);
}

function asValue(json: Json, entry: Entry): Value {
  if (isArray(json)) return json.map((element) => asValue(element, entry));
  if (!isObject(json)) return json;
  const index = json[LABEL];
  if (typeof index === "number") {
    const [space, text] = [entry.form.shape.spaces[index], entry.labels[index]];
    if (space !== undefined && text !== undefined) return new Label(space, text);
  }
  const varying = json[VARYING];
  if (typeof varying === "string") return new Varying(varying);
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, asValue(member, entry)]));
}

/** A value as it is reported, with what is not compared. */
function inFull(value: Value | undefined): Json | undefined {
  return value instanceof Varying ? value.inFull : shown(value);
}

/**
 * A value as it is compared.
 * @param known gives the text of a label; without it, the label's own text is used
 */
function shown(value: Value | undefined, known?: Known): Json | undefined {
  if (value instanceof Label) {
    if (known === undefined) return JSON.parse(value.text);
    return known(value) ?? "";
  }
  if (isList(value)) return value.map((element) => shown(element, known) ?? null);
  if (value instanceof Varying) return value.text;
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member, known) ?? null]));
}

/** A member of its own, not one that every object has. */
function memberOf(members: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

function isMembers(value: Value | undefined): value is { readonly [name: string]: Value } {
  return (
    typeof value === "object" &&
    value !== null &&
    !(value instanceof Label || value instanceof Varying) &&
    !isList(value)
  );
}
