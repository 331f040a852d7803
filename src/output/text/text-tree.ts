import { counted } from "../../common/counted.js";
import type { Json } from "../../common/json.js";
import { type Dissected, directionOf, type Message, type MessageNote } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { holdsNodes, isArray, isSmallWhole, Opcode } from "../../schema/language/opcode.js";
import { asciiCopiers } from "../../schema/tree/copy-text.js";
import { classOf, labelOf } from "../../schema/tree/label.js";
import { Ascii } from "../writers/ascii.js";
import { widthOf } from "../writers/byte-writer.js";
import { destinationOf, sourceOf } from "../writers/endpoints.js";
import { LineWriter } from "../writers/line-writer.js";
import { printable } from "../writers/sanitise.js";
import { scalarText } from "../writers/scalar-text.js";
import { codesOf, type Palette } from "./palette.js";
import { statusMark } from "./status-mark.js";
import type { TimeColumn } from "./time-column.js";

/** Most bytes shown of a byte string; the JSON has all of them. */
const SHOWN_BYTES = 32;
/** Most bytes of a field in the column of `--hex`; longer fields end with an ellipsis. */
const HEX_BYTES = 12;
const HEX_WIDTH = 2 * HEX_BYTES + 1;
const RANGE_WIDTH = 14;
/** Most frames of a message that are listed one by one. */
const SHOWN_FRAMES = 4;
/** Most characters shown of a derived value: it repeats what is in the fields. */
const SHOWN_DERIVED = 100;

const NO_BYTES: Uint8Array = new Uint8Array(0);

const utf8 = new TextDecoder();

/** How the tree is written. */
export interface TreeStyle {
  readonly colors: Palette;
  readonly times: TimeColumn;
  /** Shows the bytes beside the fields. */
  readonly hex: boolean;
}

/** A line of a tree without its margin, for readers who lay it out themselves. */
export interface TreeLine {
  /** The node that it shows or is about; undefined for a note on the whole message. */
  readonly node: number | undefined;
  readonly kind: "field" | "note" | "derived";
  /** 1 for the fields of the message itself. */
  readonly depth: number;
  readonly text: string;
}

/** Where a line is, in what is being written. */
interface PlacedLine extends Omit<TreeLine, "text"> {
  readonly start: number;
}

/** Writes annotated field trees, one after the other: a heading, then a line for each field with its byte range. */
export class TextTree {
  readonly #writer = new LineWriter();
  readonly #faint: readonly [string, string];
  readonly #name: readonly [string, string];
  /** Where the lines are; undefined if nobody asks. */
  #placed: PlacedLine[] | undefined;

  constructor(readonly style: TreeStyle) {
    this.#faint = codesOf(style.colors.faint);
    this.#name = codesOf(style.colors.name);
  }

  /** The tree of a message, in UTF-8, valid until the next one is made. */
  message(message: Message): Uint8Array {
    return this.#tree(heading(message, this.style), message).bytes;
  }

  /** The first line of a message's tree. */
  heading(message: Message): string {
    return heading(message, this.style).trimEnd();
  }

  /** The other lines of a tree, each as `message` writes it, without its byte range and its indentation. */
  lines(dissected: Dissected): TreeLine[] {
    const placed: PlacedLine[] = [];
    this.#placed = placed;
    const { bytes } = this.#tree("", dissected);
    this.#placed = undefined;
    return placed.map(({ start, ...line }) => {
      const text = utf8.decode(bytes.subarray(start, bytes.indexOf(Ascii.LineFeed, start)));
      return { ...line, text };
    });
  }

  /** The tree of bytes from outside a capture. */
  value(value: Dissected): string {
    const { colors } = this.style;
    const words = [
      colors.heading(printable(value.name)),
      colors.faint(`(${counted(value.length, "byte")})`),
      statusMark(value, colors),
    ];
    return this.#tree(lineOf(words), value).toString();
  }

  #tree(firstLine: string, { nodes, notes }: Dissected): LineWriter {
    const writer = this.#writer;
    writer.clear();
    writer.utf8(firstLine);
    if (nodes === undefined) {
      for (const { severity, text } of notes) {
        writer.utf8("  ");
        this.#placed?.push({ node: undefined, kind: "note", depth: 1, start: writer.length });
        writer.utf8(`${this.#noteText(severity, text)}\n`);
      }
    } else {
      const root = nodes.field(0);
      // The heading stands for a root that has fields; one without any needs a line of its own.
      if (!holdsNodes(root.opcode)) this.#node(nodes, 0, root, 0, 1);
      this.#children(nodes, 0, 1);
      for (const note of notes) if (note.path === "") this.#note(note, 1, undefined);
    }
    writer.byte(Ascii.LineFeed);
    return writer;
  }

  #children(nodes: FieldTree, parent: number, depth: number): void {
    const { fields } = nodes;
    const end = nodes.nextOf(parent);
    let index = 0;
    for (let node = parent + 1; node < end; node = nodes.nextOf(node)) {
      const field = fields[node];
      if (field === undefined) break;
      this.#node(nodes, node, field, index++, depth);
      for (const note of nodes.notesOn(node)) this.#note(note, depth + 1, node);
      if (nodes.hasChildren(node) || field.struct !== undefined) this.#children(nodes, node, depth + 1);
    }
    for (const { name, of, meaning, areBits, inTree = true } of fields[parent]?.struct?.derived ?? []) {
      const value = inTree ? of(nodes, parent) : undefined;
      if (value !== undefined)
        this.#derived(name, shownDerived(value, meaning?.(nodes, parent), areBits), depth, parent);
    }
  }

  #node(nodes: FieldTree, node: number, field: Field, index: number, depth: number): void {
    const writer = this.#writer;
    const { colors } = this.style;
    const { opcode } = field;
    const hasNodes = holdsNodes(opcode);
    this.#range(nodes, node);
    this.#margin(depth, this.style.hex && !hasNodes ? nodes.bytes(node) : NO_BYTES);
    this.#placed?.push({ node, kind: "field", depth, start: writer.length });
    writer.ascii(this.#name[0]);
    writer.text(field.name || `[${index}]`);
    writer.ascii(this.#name[1]);
    writer.ascii(":");
    const label = labelOf(nodes, node);
    if (isArray(opcode)) writer.ascii(` ${counted(countIn(nodes, node), "element")}`);
    else if (hasNodes) {
      const shown = opcode === Opcode.Polymorphic ? label : (label ?? classOf(nodes, node));
      const text = printable(shown ?? "").trimEnd();
      if (text !== "") writer.utf8(` ${colors.label(text)}`);
    } else {
      writer.byte(Ascii.Blank);
      this.#value(nodes, node, field);
      if (label !== undefined) writer.safe(` ${colors.label(`(${printable(label)})`)}`);
    }
    writer.byte(Ascii.LineFeed);
  }

  /** Writes the byte range of a node, with the number of its source unless that is the message itself. */
  #range(nodes: FieldTree, node: number): void {
    const writer = this.#writer;
    const [source, start, end] = [nodes.sourceIndexOf(node), nodes.startOf(node), nodes.endOf(node)];
    writer.ascii(this.#faint[0]);
    const width = (source === 0 ? 0 : widthOf(source) + 1) + widthOf(start) + 2 + widthOf(end);
    writer.blanks(RANGE_WIDTH - width);
    if (source !== 0) {
      writer.digits(source);
      writer.ascii(":");
    }
    writer.digits(start);
    writer.ascii("..");
    writer.digits(end);
  }

  /** Writes what is between the byte range and the name: the bytes, if wanted, and blanks for the depth. */
  #margin(depth: number, bytes = NO_BYTES): void {
    const writer = this.#writer;
    if (this.style.hex) {
      writer.byte(Ascii.Blank);
      writer.hex(bytes, 0, Math.min(bytes.length, HEX_BYTES));
      if (bytes.length > HEX_BYTES) writer.utf8("…");
      writer.blanks(HEX_WIDTH - Math.min(2 * bytes.length, HEX_WIDTH));
    }
    writer.ascii(this.#faint[1]);
    writer.blanks(1 + 2 * depth);
  }

  #value(nodes: FieldTree, node: number, field: Field): void {
    const writer = this.#writer;
    if (isSmallWhole(field.opcode)) {
      writer.integer(nodes.number(node));
      return;
    }
    const { copyAscii } = asciiCopiers.of(field);
    if (copyAscii !== undefined) {
      const { bytes, origin } = nodes.sourceOf(node);
      const [start, end] = [origin + nodes.startOf(node), origin + nodes.endOf(node)];
      if (writer.quotedAscii(copyAscii, bytes, start, end)) return;
    }
    const value = nodes.value(node);
    if (typeof value === "string") writer.safe(printable(JSON.stringify(value)));
    else if (!(value instanceof Uint8Array)) writer.ascii(scalarText(value));
    else if (value.length === 0) writer.ascii("(no bytes)");
    else {
      writer.hex(value, 0, Math.min(value.length, SHOWN_BYTES));
      if (value.length > SHOWN_BYTES) writer.utf8(`… (${value.length} bytes)`);
    }
  }

  #note({ severity, text }: Pick<MessageNote, "severity" | "text">, depth: number, node: number | undefined): void {
    this.#line(this.#noteText(severity, text), { node, kind: "note", depth });
  }

  #noteText(severity: MessageNote["severity"], text: string): string {
    return this.style.colors.severity(severity)(`${severity}: ${printable(text)}`);
  }

  /** Writes a derived value in brackets; each of its members, if it has any, gets a line below. */
  #derived(name: string, value: Json, depth: number, node: number): void {
    const members = membersOf(value);
    const shown = members === undefined ? `: ${printable(derivedText(value))}` : "";
    this.#line(this.style.colors.faint(`[${printable(name)}${shown}]`), { node, kind: "derived", depth });
    for (const [memberName, member] of members ?? []) this.#derived(memberName, member, depth + 1, node);
  }

  /** Writes a line that is not a field. */
  #line(text: string, line: Omit<TreeLine, "text">): void {
    const writer = this.#writer;
    writer.ascii(this.#faint[0]);
    writer.blanks(RANGE_WIDTH);
    this.#margin(line.depth);
    this.#placed?.push({ ...line, start: writer.length });
    writer.safe(text);
    writer.byte(Ascii.LineFeed);
  }
}

function heading(message: Message, { colors, times }: TreeStyle): string {
  const { number, origin, frames, conversation, protocol, name, nodes, length } = message;
  const place = `${endpointText(sourceOf(message))} > ${endpointText(destinationOf(message))}`;
  const words = [
    colors.heading(`#${number}`),
    colors.faint(times.text(origin).trim()),
    `stream ${conversation.stream} ${directionOf(message)}`,
    place,
    colors.protocol(protocol)(printable(protocol)),
    colors.heading(printable(name)),
    colors.faint(`(${counted(length, "byte")}, ${nodes === undefined ? rangeFramesText(frames) : framesText(frames)})`),
    statusMark(message, colors),
  ];
  return lineOf(words);
}

function lineOf(words: readonly string[]): string {
  return `${words.filter((word) => word !== "").join(" ")}\n`;
}

/** The frames of a message: all of them if they are few, otherwise the first, the last and their number. */
function framesText(frames: readonly number[]): string {
  const [first] = frames;
  if (frames.length === 1) return `frame ${first}`;
  return frames.length <= SHOWN_FRAMES
    ? `frames ${frames.join(", ")}`
    : `${frames.length} frames from ${first} to ${frames.at(-1)}`;
}

/** The frames of a range that is not a message: only the first and the last are known. */
function rangeFramesText(frames: readonly number[]): string {
  return frames.length === 1 ? framesText(frames) : `frames ${frames.join(" to ")}`;
}

/** Members of an object, or of an array that contains objects; undefined for a value that fits on one line. */
function membersOf(value: Json): [string, Json][] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !value.some((element) => typeof element === "object")) return undefined;
  return Object.entries(value);
}

/** As with a field, a number is followed by its name or those of its bits; anything else is replaced by its meaning. */
function shownDerived(value: Json, meaning: Json = value, areBits = false): Json {
  const name = areBits && Array.isArray(meaning) ? meaning.join(" | ") : meaning;
  if (typeof value !== "number" || typeof name !== "string") return meaning;
  return name === "" ? value : `${value} (${name})`;
}

function derivedText(value: Json): string {
  const text = Array.isArray(value) ? value.join(", ") || "none" : String(value);
  return text.length <= SHOWN_DERIVED ? text : `${text.slice(0, SHOWN_DERIVED)}… (${text.length} characters)`;
}

/** The elements that an array has, without what could not be dissected. */
function countIn(nodes: FieldTree, array: number): number {
  let count = 0;
  for (let child = array + 1; child < nodes.nextOf(array); child = nodes.nextOf(child)) {
    // Elements have no name.
    if (nodes.field(child).name === "") count++;
  }
  return count;
}
