import { counted } from "../../common/counted.js";
import { empty } from "../../common/empty.js";
import type { Dissected } from "../../dissect/message.js";
import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { isArray, isWhole, Opcode } from "../../schema/language/opcode.js";
import { copierOf } from "../../schema/tree/copy-text.js";
import { classOf, labelOf, meaningOf, showsClass } from "../../schema/tree/label.js";
import { hex } from "../../schema/tree/leaf.js";
import { PerField } from "../../schema/tree/per-field.js";
import type { TextWriter } from "../writers/byte-writer.js";
import { LineWriter } from "../writers/line-writer.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { PlainWriter } from "../writers/plain-writer.js";
import { printable } from "../writers/sanitise.js";
import { scalarText } from "../writers/scalar-text.js";
import { lengthOf } from "../writers/string-access.js";

/** Most facts in one summary: a line has to be readable at a glance. */
const MOST_FACTS = 7;
/** Most characters of one fact. */
const LONGEST_FACT = 60;

const BETWEEN_CLASSES = new PackedBytes(" > ");
const BEFORE_FACTS = new PackedBytes(": ");
const BETWEEN_FACTS = new PackedBytes(", ");
const MORE_FACTS = new PackedBytes(", …");
const OPENING = new PackedBytes(" (");
const CLOSING = new PackedBytes(")");

/** What a summary shows of each field besides its values: its name before the value, and the name of its class. */
const summaryFields = new PerField((field) => ({
  key: new PackedBytes(`${field.name}=`),
  className: new PackedBytes(field.struct?.name ?? ""),
  copyAscii: copierOf(field),
}));

const shared = new LineWriter();
const plain = new PlainWriter();
/** Lists that are reused for every message. */
const factNodes: number[] = [];
const around: number[] = [];

/**
 * What a message says, in one line: its classes from the outermost to the innermost, then the facts that its
 * declarations mark for the summary, or its label if there are neither, then what the dissector adds. Safe for a
 * terminal.
 */
export function summaryText(message: Dissected): string {
  shared.clear();
  writeSummary(shared, message);
  return shared.toString();
}

/** Returns the same with all text as it is, in UTF-8; valid until the next summary is made. */
export function plainSummary(message: Dissected): Uint8Array {
  plain.clear();
  writeSummary(plain, message);
  return plain.bytes;
}

/** Writes what `summaryText` returns, as safe as the writer makes it. */
export function writeSummary(writer: TextWriter, { nodes: tree, notes, status, length }: Dissected): void {
  if (tree === undefined) {
    const text = notes[0]?.text ?? "";
    writer.text(status === "encrypted" ? `${counted(length, "byte")} ${text}` : text);
    return;
  }
  const nodes = tree.outlined;
  const hasClasses = writeClasses(writer, nodes);
  const facts = factsOf(nodes);
  for (let index = 0; index < Math.min(facts.length, MOST_FACTS); index++) {
    if (index > 0) writer.constant(BETWEEN_FACTS);
    else if (hasClasses) writer.constant(BEFORE_FACTS);
    writeFact(writer, nodes, facts[index] ?? 0, facts);
  }
  if (facts.length > MOST_FACTS) writer.constant(MORE_FACTS);
  const hasContent = hasClasses || facts.length > 0;
  const label = hasContent ? undefined : nodes.field(0).struct?.label?.(nodes, 0);
  if (label !== undefined) writer.text(shortened(label));
  const remark = tree.annotations.get(0);
  if (remark !== undefined) writer.text(`${hasContent || label !== undefined ? " " : ""}(${remark})`);
}

/**
 * What bytes from outside a capture say, in one line. They are looked at on their own: a value that would have an empty
 * summary shows its label or its first fields. Safe for a terminal.
 */
export function valueText(value: Dissected): string {
  const { nodes } = value;
  const text = summaryText(value);
  if (text !== "" || nodes === undefined) return text;
  const label = labelOf(nodes, 0);
  return printable(label === undefined || label === value.name ? firstFields(nodes) : shortened(label));
}

/** The first facts of a summary, each as it is in there: `fileName="dat/global.age"`. Safe for a terminal. */
export function firstFacts(nodes: FieldTree, most: number): string[] {
  const facts = factsOf(nodes);
  return facts.slice(0, most).map((node) => {
    shared.clear();
    writeFact(shared, nodes, node, facts);
    return shared.toString();
  });
}

function firstFields(nodes: FieldTree): string {
  const texts: string[] = [];
  for (let node = 1; node < nodes.count && texts.length < MOST_FACTS; node++) {
    const { name } = nodes.field(node);
    if (nodes.hasChildren(node) || name === "") continue;
    const value = nodes.value(node);
    const label = labelOf(nodes, node);
    const text = value instanceof Uint8Array ? hex(value) : scalarText(value);
    texts.push(`${name}=${shortened(label === undefined ? text : `${text} (${label})`)}`);
  }
  for (const { name, of, inTree = true } of nodes.field(0).struct?.derived ?? []) {
    const value = inTree ? of(nodes, 0) : undefined;
    if (value !== undefined) texts.push(`${name}=${shortened(JSON.stringify(value))}`);
  }
  return texts.slice(0, MOST_FACTS).join(", ");
}

/** Writes the classes that belong in a summary and are not in an array; returns whether there are any. */
function writeClasses(writer: TextWriter, nodes: FieldTree): boolean {
  let hasClasses = false;
  let arrayEnd = 0;
  for (const node of nodes.outline) {
    const field = nodes.field(node);
    const { struct } = field;
    if (node === 0) continue;
    if (isArray(field.opcode)) arrayEnd = Math.max(arrayEnd, nodes.nextOf(node));
    else if (showsClass(field) && node >= arrayEnd) {
      const name = classOf(nodes, node);
      if (name === undefined) continue;
      if (hasClasses) writer.constant(BETWEEN_CLASSES);
      hasClasses = true;
      if (struct === undefined) writer.text(name);
      else writer.constant(summaryFields.of(field).className);
    }
  }
  return hasClasses;
}

/** The leaves and structs to show, and one more, which shows where the last of them is not the only fact. */
function factsOf(nodes: FieldTree): readonly number[] {
  empty(factNodes);
  let end = 1;
  for (const node of nodes.outline) {
    if (node < end) continue;
    const field = nodes.field(node);
    if (field.struct?.fact !== undefined) end = nodes.nextOf(node);
    else if (!field.inSummary || isArray(field.opcode) || showsClass(field)) continue;
    factNodes.push(node);
    if (factNodes.length > MOST_FACTS) break;
  }
  return factNodes;
}

/**
 * The field whose name a fact is shown under: its own or, if several facts share that name, the field of which it is
 * the only fact, such as `sender` for the name of the object that a key refers to. An element is named after its array.
 */
function namingField(nodes: FieldTree, node: number, facts: readonly number[]): Field {
  const field = nodes.field(node);
  const isElement = field.name === "";
  if (!isElement && isOnlyOne(nodes, node, field.name, facts)) return field;
  let best = field;
  const outers = nodesAround(nodes, node);
  for (let depth = outers.length - 1; depth >= 0; depth--) {
    const outer = outers[depth] ?? 0;
    const isAlone = isAloneIn(nodes, outer, node, facts);
    const own = nodes.field(outer);
    // The elements of an array have no name, and share that of the array.
    if ((!isAlone && !isArray(own.opcode)) || own.opcode === Opcode.Polymorphic) break;
    if (own.name !== "") best = own;
    if (!isAlone || isElement) break;
  }
  return best;
}

function isOnlyOne(nodes: FieldTree, node: number, name: string, facts: readonly number[]): boolean {
  for (const other of facts) if (other !== node && nodes.field(other).name === name) return false;
  return true;
}

function isAloneIn(nodes: FieldTree, outer: number, node: number, facts: readonly number[]): boolean {
  const end = nodes.nextOf(outer);
  for (const other of facts) if (other > outer && other < end && other !== node) return false;
  return true;
}

/** The nodes that contain a node, from the outermost to the innermost, without the root. */
function nodesAround(nodes: FieldTree, node: number): readonly number[] {
  empty(around);
  for (let at = 1; at < node; ) {
    const end = nodes.nextOf(at);
    if (end > node) around.push(at++);
    else at = end;
  }
  return around;
}

function writeFact(writer: TextWriter, nodes: FieldTree, node: number, facts: readonly number[]): void {
  const field = nodes.field(node);
  const { meaning, opcode, struct } = field;
  if (struct?.fact !== undefined) {
    writer.text(shortened(struct.fact(nodes, node)));
    return;
  }
  const own = summaryFields.of(field);
  const naming = namingField(nodes, node, facts);
  writer.constant(naming === field ? own.key : summaryFields.of(naming).key);
  const label = meaningOf(nodes, node);
  // A number that has a name is shown by its name alone.
  if (label !== undefined && meaning?.form !== "reference" && isWhole(opcode)) {
    writer.text(shortened(label));
    return;
  }
  const isShort = nodes.endOf(node) - nodes.startOf(node) <= LONGEST_FACT;
  const copyAscii = label === undefined && isShort ? own.copyAscii : undefined;
  if (copyAscii !== undefined) {
    const { bytes, origin } = nodes.sourceOf(node);
    writer.quote();
    if (!writer.copied(copyAscii, bytes, origin + nodes.startOf(node), origin + nodes.endOf(node))) {
      writer.text(String(nodes.value(node)));
    }
    writer.quote();
    return;
  }
  const value = nodes.value(node);
  // For a reference that consists of several numbers, the label says enough.
  if (meaning?.form === "reference" && label !== undefined && !(value instanceof Uint8Array)) {
    writeScalar(writer, value);
    writer.constant(OPENING);
    writer.text(shortened(label));
    writer.constant(CLOSING);
    return;
  }
  if (label === undefined && typeof value === "number") {
    writeScalar(writer, value);
    return;
  }
  const short = shortened(label ?? (value instanceof Uint8Array ? hex(value) : scalarText(value)));
  if (typeof value === "string") writer.quote();
  writer.text(short);
  if (typeof value === "string") writer.quote();
}

function writeScalar(writer: TextWriter, value: number | bigint | boolean | string): void {
  if (typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0)) writer.integer(value);
  else writer.text(scalarText(value));
}

function shortened(text: string): string {
  if (lengthOf(text) <= LONGEST_FACT) return text;
  // Does not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(LONGEST_FACT - 1)) ? LONGEST_FACT - 1 : LONGEST_FACT;
  return `${text.slice(0, end)}…`;
}
