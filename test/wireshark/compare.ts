import type { ShownField } from "./pdml.js";

/** A node of `--format json-tree`. */
export interface OwnNode {
  readonly name: string;
  readonly kind: string;
  readonly value: unknown;
  readonly label?: string;
  readonly start: number;
  readonly end: number;
  readonly source: number;
  readonly children?: readonly OwnNode[];
}

/** What is different in the plugin, for a reason that the page about it gives; each is counted. */
export const exceptions = {
  /** Bytes that could not be dissected have one field for all, with the name in the line. */
  undissected: 0,
  /** A number of 1 byte that is true is 1 to Wireshark, whatever it is. */
  otherTrue: 0,
  /** Bytes after their own length are marked without that. */
  afterLength: 0,
};

/** What is known about every message; the others are its fields. */
const FACTS = new Set(
  "message protocol direction status number summary class answers answeredBy answers.milliseconds names.name".split(
    " ",
  ),
);

/** Returns the first difference between the fields of a message in Wireshark and here; undefined if there is none. */
export function differenceOf(shown: ShownField, own: readonly OwnNode[], prefix: string): string | undefined {
  return differenceIn(shown.fields, own, { prefix, start: firstStart(shown, prefix), path: "", parent: 0 });
}

interface Place {
  readonly prefix: string;
  /** Offset of the message in Wireshark's source. */
  readonly start: number;
  readonly path: string;
  /** Where the field around it is, as PDML says. */
  readonly parent: number;
}

function isFact(name: string, prefix: string): boolean {
  return name.startsWith(`${prefix}.`) && FACTS.has(name.slice(prefix.length + 1));
}

function firstStart(shown: ShownField, prefix: string): number {
  return shown.fields.find(({ name }) => !isFact(name, prefix))?.start ?? 0;
}

function differenceIn(shown: readonly ShownField[], own: readonly OwnNode[], place: Place): string | undefined {
  const fields = shown.filter((field) => !field.isHidden && !isFact(field.name, place.prefix) && !isNote(field));
  const nodes = own.filter(({ kind }) => kind !== "derived");
  if (fields.length !== nodes.length) {
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(" ");
    return `${place.path || "the message"} has the fields ${names(fields)} instead of ${names(nodes)}`;
  }
  for (const [index, node] of nodes.entries()) {
    const field = fields[index];
    const difference = field && differenceBetween(field, node, place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isNote({ name }: ShownField): boolean {
  return name.startsWith("_ws.expert");
}

function differenceBetween(field: ShownField, node: OwnNode, place: Place): string | undefined {
  const path = `${place.path}/${node.name}`;
  const bare = field.name.startsWith(`${place.prefix}.`) ? field.name.slice(place.prefix.length + 1).split(".")[0] : "";
  const isText = field.name === "_ws.lua.text" || field.name === "";
  const shown = isText ? field.line.split(":")[0] : bare;
  const isElement = node.name.startsWith("[");
  if (bare === "undissected" && node.name !== "undissected" && field.line.startsWith(`${node.name}:`)) {
    exceptions.undissected++;
  } else if (!isElement && shown !== node.name) return `${path} is named ${field.name} (${field.line})`;
  const start = startOf(field, node, place);
  const isAfterLength = typeof node.value === "string" && node.value.length === 2 * field.length && start > node.start;
  if (isAfterLength && start + field.length === node.end) exceptions.afterLength++;
  else if (start !== node.start || field.length !== node.end - node.start) {
    return `${path} is at ${start}+${field.length} instead of ${node.start}+${node.end - node.start}`;
  }
  const missing = labelsOf(node).find((label) => !isIn(field.line, label));
  if (missing !== undefined) return `${path} is shown as "${field.line}" without "${missing}"`;
  if (node.children !== undefined) {
    return differenceIn(field.fields, node.children, { ...place, path, parent: field.start });
  }
  return isSame(field, node) ? undefined : `${path} is ${field.show} instead of ${String(node.value)}`;
}

/**
 * What is said about the value of a node, without what it belongs to, which Wireshark has as fields of their own, and that
 * a boolean other than 0 is true.
 */
function labelsOf({ label, kind }: OwnNode): readonly string[] {
  if (label === undefined || kind.startsWith("bool")) return [];
  return label.split("; ").filter((part) => !/^(?:answers|answered by|acknowledges) #/.test(part));
}

/** Most bytes of a line of Wireshark's, which cuts it there. */
const LONGEST_LINE = 238;

/** True if a label is in a line, or as much of it as there is room for. */
function isIn(line: string, label: string): boolean {
  if (line.includes(label)) return true;
  const at = line.lastIndexOf(` (${label.slice(0, 8)}`);
  return Buffer.byteLength(line) >= LONGEST_LINE && at >= 0 && label.startsWith(line.slice(at + 2));
}

/** PDML counts from the start of the field around it where that is greater, which it is only in another source. */
function startOf({ start }: ShownField, node: OwnNode, place: Place): number {
  if (node.source === 0) return start - place.start;
  return start - place.parent === node.start && node.start < place.parent ? node.start : start;
}

/** How booleans are shown: by numbers up to Wireshark 4.2, then by words. */
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ["0", false],
  ["1", true],
  ["False", false],
  ["True", true],
]);

function isSame({ show }: ShownField, { kind, value }: OwnNode): boolean {
  const isTrue = TRUTH.get(show);
  if (typeof value === "boolean") return isTrue === value;
  if (kind.startsWith("bool")) {
    exceptions.otherTrue++;
    return isTrue === true;
  }
  if (kind.startsWith("f") && /^f\d/.test(kind)) return isNear(Number(show.replace(/inf/, "Infinity")), Number(value));
  if (typeof value === "number") return Number(show) === value;
  const text = String(value);
  if (kind === "uuid" || /^[ui]64/.test(kind)) return show === text;
  // Line breaks in an attribute are spaces to whoever reads XML.
  return (
    unescaped(show) === text.replace(/\r\n|[\r\n\t]/g, " ") ||
    unescaped(show) === text ||
    show.replaceAll(":", "") === text
  );
}

/** Wireshark shows six digits of a float. */
function isNear(shown: number, value: number): boolean {
  return Object.is(shown, value) || Math.abs(shown - value) <= Math.abs(value) * 1e-5 + 1e-30;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
};

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|([0-7]{3})|(.))/g, (_, hex, octal, one) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return ESCAPES[one] ?? one;
  });
}
