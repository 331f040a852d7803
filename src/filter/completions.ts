import type { Json } from "../common/json.js";
import { isObject } from "../common/json.js";
import { messageFields } from "./message-fields.js";
import type { Term, Vocabulary } from "./vocabulary.js";

/** Something that may stand at a place in a filter. */
export interface FilterCompletion {
  /** Replaces the characters before the place that `replaces` counts. */
  readonly text: string;
  readonly replaces: number;
  readonly doc: string;
}

/** A path and an operator: what follows is a value. */
const BEFORE_VALUE =
  /([A-Za-z_.][\w.]*)\s*(?:===?|!==?|[<>]=?|&|~|\b(?:eq|ne|lt|gt|le|ge|contains|matches|any_eq|all_ne|all_eq|any_ne)\b|\bin\s*\{(?:[^}]*[,\s.])?)\s*(["']?[\w.:]*)$/;
/** The path that is being written. */
const PATH = /[A-Za-z_.][\w.]*$/;
/** A text that is being written, in which nothing is completed. */
const IN_TEXT = /^(?:[^"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*["'][^"']*$/s;

/**
 * Lists what may stand at a place in a display filter: names of fields, classes, messages and protocols, or, after an
 * operator, the values of the field before it; the likeliest first.
 *
 * @param place the number of characters before the cursor
 */
export function completionsAt(text: string, place: number, vocabulary: Vocabulary, most = 50): FilterCompletion[] {
  const before = text.slice(0, place);
  const value = BEFORE_VALUE.exec(before);
  if (value !== null) return valuesOf(value[1] ?? "", value[2] ?? "", vocabulary).slice(0, most);
  if (IN_TEXT.test(before)) return [];
  const path = PATH.exec(before)?.[0] ?? "";
  if (path === "") return [];
  const dot = path.lastIndexOf(".");
  return namesAfter(path.slice(0, Math.max(dot, 0)), path.slice(dot + 1), vocabulary).slice(0, most);
}

function namesAfter(outer: string, typed: string, vocabulary: Vocabulary): FilterCompletion[] {
  const found: FilterCompletion[] = [];
  const whole = outer === "" ? typed : `${outer}.${typed}`;
  const add = (text: string, replaces: number, doc: string) => found.push({ text, replaces, doc });
  for (const protocol of [...vocabulary.protocols].sort()) {
    if (protocol.startsWith(whole) && whole !== "") add(protocol, whole.length, "Protocol.");
  }
  for (const { name, doc } of messageFields.values()) {
    if (name.startsWith(whole) && !found.some(({ text }) => text === name)) add(name, whole.length, doc);
  }
  const holder = outer === "" ? undefined : vocabulary.get(outer.slice(outer.lastIndexOf(".") + 1));
  if (outer !== "" && holder === undefined) return found;
  for (const name of matching(typed, vocabulary.names())) {
    if (holder !== undefined && !vocabulary.declares(holder, name)) continue;
    const term = vocabulary.get(name);
    if (term !== undefined) add(name, typed.length, docOf(term));
  }
  return found;
}

/** The names that contain what was typed: those that begin with it first. */
function matching(typed: string, names: Iterable<string>): string[] {
  const lower = typed.toLowerCase();
  const beginning: string[] = [];
  const containing: string[] = [];
  for (const name of names) {
    const at = name.toLowerCase().indexOf(lower);
    if (at === 0) beginning.push(name);
    else if (at > 0 && lower.length >= 3) containing.push(name);
  }
  const shortFirst = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);
  return [...beginning.sort(shortFirst), ...containing.sort(shortFirst)];
}

function docOf({ fields, structs, derived, name }: Term): string {
  for (const { doc } of fields) if (doc !== "") return doc;
  for (const struct of structs) if (struct.name === name && struct.doc !== "") return struct.doc;
  const [field] = fields;
  if (field !== undefined) return `Field (${field.kind}).`;
  return derived.length > 0 ? "Derived value." : "Class or message.";
}

function valuesOf(path: string, typed: string, vocabulary: Vocabulary): FilterCompletion[] {
  const found = new Map<string, string>();
  const quote = /^["']/.exec(typed)?.[0] ?? "";
  const fact = messageFields.get(path);
  const names = (values: Iterable<string>) => {
    for (const value of values) found.set(quote === "" ? `"${value}"` : `${quote}${value}${quote}`, "");
  };
  if (fact?.values !== undefined) names(fact.values);
  if (path === "protocol") names(vocabulary.protocols);
  if (path === "message") names(vocabulary.classes());
  const term = fact === undefined ? vocabulary.get(path.slice(path.lastIndexOf(".") + 1)) : undefined;
  for (const { meaning } of term?.fields ?? []) {
    if (meaning?.form !== "enumeration" && meaning?.form !== "flags") continue;
    for (const [number, name] of meaning.names) if (/^\w+$/.test(name)) found.set(name, String(number));
  }
  for (const { names: numbers = {}, schema } of term?.derived ?? []) {
    for (const [name, number] of Object.entries(numbers)) found.set(name, String(number));
    names(textsIn(schema));
  }
  const wanted = quote === "" ? typed : typed.slice(1);
  return [...found]
    .filter(([text]) => text.toLowerCase().includes(wanted.toLowerCase()))
    .map(([text, doc]) => ({ text, replaces: typed.length, doc }));
}

/** The texts that a JSON Schema lists. */
function textsIn(schema: Json): string[] {
  if (!isObject(schema) || !Array.isArray(schema["enum"])) return [];
  return schema["enum"].filter((value) => typeof value === "string");
}
