import { counted } from "../../common/counted.js";
import { empty } from "../../common/empty.js";
import type { Dissected } from "../../dissect/message.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { isWhole } from "../../schema/language/opcode.js";
import type { Fact } from "../../schema/language/struct.js";
import { factText } from "../../schema/tree/fact-text.js";
import { FoundNames } from "../../schema/tree/found-names.js";
import { classOf, labelOf, meaningOf } from "../../schema/tree/label.js";
import { hex } from "../../schema/tree/leaf.js";
import type { TextWriter } from "../writers/byte-writer.js";
import { LineWriter } from "../writers/line-writer.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { PlainWriter } from "../writers/plain-writer.js";
import { printable } from "../writers/sanitise.js";
import { scalarText } from "../writers/scalar-text.js";
import { lengthOf } from "../writers/string-access.js";
import { NodesAround } from "./nodes-around.js";
import { FactForm, type SummaryField, summaryFields } from "./summary-field.js";

/** Most facts in one summary: a line has to be readable at a glance. */
const MOST_FACTS = 7;
/** Most characters of one fact. */
const LONGEST_FACT = 60;
/** Most bytes of a text that are copied although only its beginning is shown. */
const MOST_COPIED = 512;

const BETWEEN_CLASSES = new PackedBytes(" > ");
const BEFORE_FACTS = new PackedBytes(": ");
const BETWEEN_FACTS = new PackedBytes(", ");
const MORE_FACTS = new PackedBytes(", …");
const OPENING = new PackedBytes(" (");
const CLOSING = new PackedBytes(")");

const shared = new LineWriter();
const plain = new PlainWriter();
/** Lists that are reused for every message: what a summary shows, and what it shows of the facts' fields. */
const classNodes: number[] = [];
const factNodes: number[] = [];
const factFields: SummaryField[] = [];
const around = new NodesAround();

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
  gather(nodes);
  const hasClasses = writeClasses(writer, nodes);
  for (let index = 0; index < factNodes.length && index < MOST_FACTS; index++) {
    if (index > 0) writer.constant(BETWEEN_FACTS);
    else if (hasClasses) writer.constant(BEFORE_FACTS);
    writeFact(writer, nodes, index);
  }
  if (factNodes.length > MOST_FACTS) writer.constant(MORE_FACTS);
  const hasContent = hasClasses || factNodes.length > 0;
  const label = hasContent ? undefined : nodes.field(0).struct?.label?.(nodes, 0);
  if (label !== undefined) writer.text(shortened(label));
  const remark = tree.annotation(0);
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
  gather(nodes);
  return factNodes.slice(0, most).map((_node, index) => {
    shared.clear();
    writeFact(shared, nodes, index);
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

/**
 * Finds the classes that belong in a summary and are not in an array, and the leaves and structs to show, and one more,
 * which shows where the last of them is not the only fact.
 */
function gather(nodes: FieldTree): void {
  empty(classNodes);
  empty(factNodes);
  empty(factFields);
  around.begin();
  const { outline } = nodes;
  let arrayEnd = 0;
  let factEnd = 1;
  for (let index = 0; index < outline.length; index++) {
    const node = outline[index] ?? 0;
    if (node === 0) continue;
    const own = summaryFields.of(nodes.field(node));
    if (own.isArray) arrayEnd = Math.max(arrayEnd, nodes.nextOf(node));
    else if (own.showsClass && node >= arrayEnd) classNodes.push(node);
    if (!own.isFact || node < factEnd || factNodes.length > MOST_FACTS) continue;
    if (own.form === FactForm.Own) factEnd = nodes.nextOf(node);
    factNodes.push(node);
    factFields.push(own);
  }
}

/** Writes the classes; returns whether there are any. */
function writeClasses(writer: TextWriter, nodes: FieldTree): boolean {
  let hasClasses = false;
  for (let index = 0; index < classNodes.length; index++) {
    const node = classNodes[index] ?? 0;
    const { className } = summaryFields.of(nodes.field(node));
    const name = className === undefined ? classOf(nodes, node) : "";
    if (name === undefined) continue;
    if (hasClasses) writer.constant(BETWEEN_CLASSES);
    hasClasses = true;
    if (className === undefined) writer.text(name);
    else writer.constant(className);
  }
  return hasClasses;
}

/**
 * The field whose name a fact is shown under: its own or, if several facts share that name, the field of which it is
 * the only fact, such as `sender` for the name of the object that a key refers to. An element is named after its array.
 */
function namingField(nodes: FieldTree, node: number, field: SummaryField): SummaryField {
  const isElement = field.name === "";
  if (!isElement && isOnlyOne(field.name)) return field;
  let best = field;
  const outers = around.of(nodes, node);
  for (let depth = outers.length - 1; depth >= 0; depth--) {
    const outer = outers[depth] ?? 0;
    const isAlone = isAloneIn(nodes, outer, node);
    const own = summaryFields.of(nodes.field(outer));
    // The elements of an array have no name, and share that of the array.
    if ((!isAlone && !own.isArray) || own.isCreatable) break;
    if (own.name !== "") best = own;
    if (!isAlone || isElement) break;
  }
  return best;
}

function isOnlyOne(name: string): boolean {
  let count = 0;
  for (let index = 0; index < factFields.length; index++) if (factFields[index]?.name === name) count++;
  return count === 1;
}

function isAloneIn(nodes: FieldTree, outer: number, node: number): boolean {
  const end = nodes.nextOf(outer);
  for (const other of factNodes) if (other > outer && other < end && other !== node) return false;
  return true;
}

/** Writes a fact. The facts of a message have to be written in order. @param index which one it is */
function writeFact(writer: TextWriter, nodes: FieldTree, index: number): void {
  const node = factNodes[index];
  const own = factFields[index];
  if (node === undefined || own === undefined) return;
  if (own.fact !== undefined) {
    writeOwn(writer, own.fact(nodes, node));
    return;
  }
  writer.constant(namingField(nodes, node, own).key);
  switch (own.form) {
    case FactForm.Name:
      if (writeName(writer, nodes, node, own)) return;
      break;
    case FactForm.Reference:
      writeReference(writer, nodes, node, own);
      return;
    case FactForm.Number:
      writeScalar(writer, nodes.number(node));
      return;
    case FactForm.Text:
      if (writeText(writer, nodes, node, own)) return;
      break;
  }
  writeOther(writer, nodes, node, own);
}

/** Writes what a struct says about itself. */
function writeOwn(writer: TextWriter, fact: Fact): void {
  if (!Array.isArray(fact)) {
    writer.text(shortened(factText(fact)));
    return;
  }
  const start = writer.length;
  for (let index = 0; index < fact.length; index++) {
    const part = fact[index] ?? "";
    if (typeof part === "number") writer.rounded(part);
    else writer.text(part);
  }
  // No character takes less than a byte.
  if (writer.length - start <= LONGEST_FACT) return;
  writer.truncate(start);
  writer.text(shortened(factText(fact)));
}

/** Writes the name of a number, by which alone it is shown; false if it has none. */
function writeName(writer: TextWriter, nodes: FieldTree, node: number, own: SummaryField): boolean {
  const number = nodes.number(node);
  const known = own.names.get(number);
  if (known !== undefined) {
    writer.constant(known);
    return true;
  }
  const label = meaningOf(nodes, node);
  if (label === undefined) return false;
  const text = shortened(label);
  if (isSafeAnywhere(text)) own.names.keep(number, new PackedBytes(text));
  writer.text(text);
  return true;
}

/** What follows a number that stands for something with a name: bytes where no writer has to change them. */
const foundNames = new FoundNames((_kind, name) => {
  const text = shortened(name);
  return isSafeAnywhere(text) ? new PackedBytes(` (${text})`) : text;
});

function writeReference(writer: TextWriter, nodes: FieldTree, node: number, own: SummaryField): void {
  const number = nodes.number(node);
  writer.integer(number);
  const name = nodes.names && foundNames.of(nodes.names, own.kinds, number);
  if (name instanceof PackedBytes) writer.constant(name);
  else if (typeof name === "string") writeInParentheses(writer, name);
}

function writeInParentheses(writer: TextWriter, text: string): void {
  writer.constant(OPENING);
  writer.text(text);
  writer.constant(CLOSING);
}

/** Writes a text; false, with nothing written, for anything else. */
function writeText(writer: TextWriter, nodes: FieldTree, node: number, { copyAscii }: SummaryField): boolean {
  if (copyAscii === undefined) return false;
  const start = nodes.startOf(node);
  const end = nodes.endOf(node);
  const { bytes, origin } = nodes.sourceOf(node);
  writer.quote();
  const isLong = end - start > MOST_COPIED;
  if (isLong || !writer.copied(copyAscii, bytes, origin + start, origin + end, LONGEST_FACT)) {
    writer.text(shortened(String(nodes.value(node))));
  }
  writer.quote();
  return true;
}

/** Writes a fact of any kind, with what it means. */
function writeOther(writer: TextWriter, nodes: FieldTree, node: number, own: SummaryField): void {
  const { meaning, opcode } = own.field;
  const label = meaningOf(nodes, node);
  // A number that has a name is shown by its name alone.
  if (label !== undefined && meaning?.form !== "reference" && isWhole(opcode)) {
    writer.text(shortened(label));
    return;
  }
  if (label === undefined && writeText(writer, nodes, node, own)) return;
  const value = nodes.value(node);
  // For a reference that consists of several numbers, the label says enough.
  if (meaning?.form === "reference" && label !== undefined && !(value instanceof Uint8Array)) {
    writeScalar(writer, value);
    writeInParentheses(writer, shortened(label));
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

/** True for a text that is the same in all forms of output. */
function isSafeAnywhere(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

function shortened(text: string): string {
  if (lengthOf(text) <= LONGEST_FACT) return text;
  // Does not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(LONGEST_FACT - 1)) ? LONGEST_FACT - 1 : LONGEST_FACT;
  return `${text.slice(0, end)}…`;
}
