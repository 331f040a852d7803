import { type FieldFact, fieldFacts, MOST_NAMES, OTHERWISE, ownFacts } from "../../schema/describe/field-list.js";
import { REST_TEXT } from "../../schema/language/rule-text.js";
import type { Struct } from "../../schema/language/struct.js";
import { printable, safeJson } from "../writers/sanitise.js";
import { FIELD_SCHEMA } from "../writers/schema-names.js";
import type { Palette } from "./palette.js";

/** A message or class with the protocol it belongs to. */
export interface Declared {
  readonly protocol: string;
  readonly struct: Struct;
  /** The directions in which a message travels; none for a class. */
  readonly directions: readonly string[];
  /** The fields wanted; without it, all fields are. */
  readonly wanted?: WantedFields;
}

/** The fields with this name, those that have a value with this name, or those about which it is said. */
export interface WantedFields {
  readonly by: "name" | "value" | "word";
  readonly name: string;
}

/** How declarations are shown as text. */
interface DeclaredStyle {
  readonly colors: Palette;
  /**
   * True for a page about one thing: every name of a value on a line of its own, and only the thing's own fields.
   * Otherwise only the first few names, but the fields inside other types too: all paths that can be used.
   */
  readonly isPage: boolean;
}

/** Characters shown of what a field's numbers stand for, where it is shortened. */
const LONGEST_MEANING = 60;
/** Widest column of paths and kinds: a longer one pushes the rest of its line to the right. */
const WIDEST_COLUMN = 40;

const SCHEMA = { schema: FIELD_SCHEMA };

/** True if a path leads to a field of this name, or of this name in JSON. */
export function leadsTo({ path, inJson }: Pick<FieldFact, "path" | "inJson">, name: string): boolean {
  return inJson === name || path === name || path.endsWith(`.${name}`);
}

/** True for one of the fields wanted. */
export function isWanted(fact: FieldFact, { by, name }: WantedFields): boolean {
  switch (by) {
    case "name":
      return leadsTo(fact, name);
    case "value":
      return valuesNamed(fact, name).length > 0;
    case "word":
      return hasWord(fact, name);
  }
}

/** True if a word, or a part of one, is in the name of a field, its meaning, or the names of its values. */
function hasWord({ path, inJson = "", doc, meaning, names = [] }: FieldFact, word: string): boolean {
  const own = path.slice(path.lastIndexOf(".") + 1);
  return [own, inJson, doc, meaning, ...names.map(({ name }) => name)].some((text) => isIn(word, text));
}

/** True if a word is in a text, in capital or small letters. */
export function isIn(word: string, text: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

/** The values of a field that have this name. */
function valuesNamed({ names = [] }: FieldFact, wanted: string): NonNullable<FieldFact["names"]> {
  return names.filter(({ name }) => name === wanted);
}

/** A message or class and its fields, one JSON object per line. */
export function declaredJson({ protocol, struct, directions, wanted }: Declared): string {
  const { name, base, tag, doc } = struct;
  const owner = { protocol, ...(directions.length > 0 ? { message: name, directions } : { class: name }) };
  // Undefined members are left out of the JSON.
  const more = { base: directions.length > 0 ? undefined : base?.name, tag, doc: doc || undefined };
  const head = safeJson({ ...SCHEMA, ...owner, path: "", kind: "struct", ...more });
  const facts =
    wanted === undefined ? [...fieldFacts(struct)] : ownFacts(struct).filter((fact) => isWanted(fact, wanted));
  return `${head}\n${factsJson(owner, facts)}`;
}

/** Fields, one JSON object per line. */
export function factsJson(owner: Readonly<Record<string, unknown>>, facts: readonly FieldFact[]): string {
  const lines = facts.map(({ path, inJson, kind, when, bytes, count, compressed, meaning, doc, sensitive }) => {
    const texts = { meaning: meaning || undefined, doc: doc || undefined };
    return `${safeJson({ ...SCHEMA, ...owner, path, kind, inJson, when, bytes, count, compressed, ...texts, sensitive })}\n`;
  });
  return lines.join("");
}

/** A message or class and its fields, as text. */
export function declaredText({ protocol, struct, directions, wanted }: Declared, style: DeclaredStyle): string {
  const { colors, isPage } = style;
  const { name, base, tag, doc } = struct;
  const words = [
    colors.protocol(protocol)(printable(protocol)),
    colors.heading(printable(name)),
    tag === undefined ? "" : `(${tag})`,
    ...directions,
    base === undefined || directions.length > 0 ? "" : `: ${printable(base.name)}`,
    colors.faint(printable(doc)),
  ];
  const facts = isPage || wanted !== undefined ? ownFacts(struct) : [...fieldFacts(struct)];
  const shown = wanted === undefined ? facts : facts.filter((fact) => isWanted(fact, wanted));
  const listed = wanted === undefined ? shown : shown.map((fact) => narrowed(fact, wanted));
  return `${words.filter((word) => word !== "").join(" ")}\n${factsText(listed, style)}`;
}

/** A field as if no other value of it had a name. */
function narrowed(fact: FieldFact, { by, name: wanted }: WantedFields): FieldFact {
  const { names = [] } = fact;
  if (by === "value") return { ...fact, names: valuesNamed(fact, wanted) };
  const named = by === "word" ? names.filter(({ name }) => isIn(wanted, name)) : [];
  return named.length === 0
    ? fact
    : { ...fact, meaning: named.map(({ number, name }) => `${number} = ${name}`).join(", ") };
}

/** Fields as text, one line each, and more for the names of values. */
export function factsText(facts: readonly FieldFact[], { colors, isPage }: DeclaredStyle): string {
  const width = (of: (fact: FieldFact) => string) =>
    Math.min(WIDEST_COLUMN, Math.max(0, ...facts.map((fact) => of(fact).length)));
  const [paths, kinds] = [width(({ path }) => path), width(({ kind }) => kind)];
  let text = "";
  for (const fact of facts) {
    const { path, kind, meaning, names = [], doc, sensitive } = fact;
    const listed = isPage && names.length <= MOST_NAMES ? names : [];
    const short = meaning.length > LONGEST_MEANING ? `${meaning.slice(0, LONGEST_MEANING)}…` : meaning;
    const brief = listed.length > 0 ? "" : short;
    const mark = sensitive === undefined ? "" : ` [sensitive: ${sensitive.join(", ")}]`;
    const remarks = [...rulesOf(fact).map(printable), colors.label(printable(brief)), printable(doc)];
    const line = `  ${colors.name(path.padEnd(paths))}  ${printable(kind).padEnd(kinds)}  `;
    text += `${line}${remarks.filter((remark) => remark !== "").join("; ")}${mark}`.trimEnd().concat("\n");
    for (const { number, name } of listed) text += `      ${colors.label(printable(`${number} = ${name}`))}\n`;
  }
  return text;
}

/** When a field is present, and how long it is, unless its kind says so already. */
function rulesOf({ inJson, when, kind, bytes, count, compressed }: FieldFact): string[] {
  const isPlain = typeof bytes === "number" && !/^(bytes|text|utf16le)$/.test(kind);
  // The number of bytes already says where the elements end.
  const isCounted = count !== undefined && (count !== REST_TEXT || bytes === undefined);
  return [
    inJson === undefined ? "" : `in JSON: ${inJson}`,
    when === undefined || when === OTHERWISE ? (when ?? "") : `if ${when}`,
    isCounted ? sizeText(count, "element") : "",
    bytes === undefined || isPlain ? "" : sizeText(bytes, "byte"),
    compressed === undefined ? "" : `zlib if ${compressed}`,
  ].filter((rule) => rule !== "");
}

function sizeText(size: number | string, unit: string): string {
  if (size === REST_TEXT) return "to the end";
  return `${size} ${unit}${size === 1 ? "" : "s"}`;
}
