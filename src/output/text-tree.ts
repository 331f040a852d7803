import { type Dissected, directionOf, type Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
import { counted } from "../schema/counted.js";
import { classOf, labelOf } from "../schema/label.js";
import { hex } from "../schema/leaf.js";
import type { Nodes } from "../schema/nodes.js";
import { isArray, Opcode } from "../schema/opcode.js";
import type { Json } from "../schema/struct.js";
import { destinationOf, sourceOf } from "./endpoints.js";
import type { Palette } from "./palette.js";
import { printable } from "./sanitise.js";
import { statusMark } from "./status-mark.js";
import type { TimeColumn } from "./time-column.js";

/** Bytes of a byte string that are shown; all of them are in the JSON. */
const SHOWN_BYTES = 32;
/** Bytes of a field in the column of `--hex`; longer ones are broken off with an ellipsis. */
const HEX_BYTES = 12;
const RANGE_WIDTH = 14;
/** Frames of a message that are named one by one. */
const SHOWN_FRAMES = 4;
/** Characters of a derived value that are shown: it repeats what stands in the fields. */
const SHOWN_DERIVED = 100;

/** How the tree is to be written. */
export interface TreeStyle {
  readonly colors: Palette;
  readonly times: TimeColumn;
  /** Shows the bytes beside the fields. */
  readonly hex: boolean;
}

/** One message as an annotated field tree: a heading, then a line for each field with its byte range. */
export function textTree(message: Message, style: TreeStyle): string {
  return `${heading(message, style)}${fieldLines(message, style)}`;
}

/** Bytes from outside a capture as an annotated field tree. */
export function valueTree(value: Dissected, style: TreeStyle): string {
  const { colors } = style;
  const words = [
    colors.heading(printable(value.name)),
    colors.faint(`(${counted(value.length, "byte")})`),
    statusMark(value, colors),
  ];
  return `${lineOf(words)}${fieldLines(value, style)}`;
}

function fieldLines({ nodes, notes }: Dissected, style: TreeStyle): string {
  const { colors } = style;
  let text = "";
  if (nodes === undefined) {
    for (const note of notes)
      text += `  ${colors.severity(note.severity)(`${note.severity}: ${printable(note.text)}`)}\n`;
    return `${text}\n`;
  }
  text += childLines(nodes, 0, 1, style);
  for (const note of notes) {
    if (note.path === "") text += noteLine(note.severity, note.text, 1, style);
  }
  return `${text}\n`;
}

function heading(message: Message, style: TreeStyle): string {
  const { colors, times } = style;
  const { number, origin, frames, conversation, protocol, name, length } = message;
  const place = `${endpointText(sourceOf(message))} > ${endpointText(destinationOf(message))}`;
  const words = [
    colors.heading(`#${number}`),
    colors.faint(times.text(origin).trim()),
    `stream ${conversation.stream} ${directionOf(message)}`,
    place,
    colors.protocol(protocol)(printable(protocol)),
    colors.heading(printable(name)),
    colors.faint(`(${counted(length, "byte")}, ${framesText(frames)})`),
    statusMark(message, colors),
  ];
  return lineOf(words);
}

function lineOf(words: readonly string[]): string {
  return `${words.filter((word) => word !== "").join(" ")}\n`;
}

/** The frames of a message: all of a few; of many the first, the last, and how many they are. */
function framesText(frames: readonly number[]): string {
  const [first] = frames;
  if (frames.length === 1) return `frame ${first}`;
  return frames.length <= SHOWN_FRAMES
    ? `frames ${frames.join(", ")}`
    : `${frames.length} frames from ${first} to ${frames.at(-1)}`;
}

function childLines(nodes: Nodes, parent: number, depth: number, style: TreeStyle): string {
  let text = "";
  let index = 0;
  for (let node = parent + 1; node < nodes.nextOf(parent); node = nodes.nextOf(node)) {
    const name = nodes.field(node).name || `[${index}]`;
    text += nodeLine(nodes, node, name, depth, style);
    for (const note of nodes.notesOn(node)) text += noteLine(note.severity, note.text, depth + 1, style);
    text += childLines(nodes, node, depth + 1, style);
    index++;
  }
  for (const { name, of, meaning, inTree = true } of nodes.field(parent).struct?.derived ?? []) {
    const value = inTree ? (meaning ?? of)(nodes, parent) : undefined;
    if (value !== undefined) text += derivedLines(name, value, depth, style);
  }
  return text;
}

/** A derived value in brackets: what has members has a line for each of them below its own. */
function derivedLines(name: string, value: Json, depth: number, style: TreeStyle): string {
  const members = membersOf(value);
  const shown = members === undefined ? `: ${printable(derivedText(value))}` : "";
  let text = line("", "", depth, `[${printable(name)}${shown}]`, style, style.colors.faint);
  for (const [memberName, member] of members ?? []) text += derivedLines(memberName, member, depth + 1, style);
  return text;
}

/** Members of an object, or of an array that holds objects; undefined for what fits a line. */
function membersOf(value: Json): [string, Json][] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !value.some((element) => typeof element === "object")) return undefined;
  return Object.entries(value);
}

function derivedText(value: Json): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return text.length <= SHOWN_DERIVED ? text : `${text.slice(0, SHOWN_DERIVED)}… (${text.length} characters)`;
}

function nodeLine(nodes: Nodes, node: number, name: string, depth: number, style: TreeStyle): string {
  const { colors } = style;
  const { opcode } = nodes.field(node);
  const source = nodes.source[node] ?? 0;
  const place = `${nodes.startOf(node)}..${nodes.endOf(node)}`;
  const range = source === 0 ? place : `${source}:${place}`;
  const label = labelOf(nodes, node);
  if (isArray(opcode)) {
    let count = 0;
    for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) count++;
    return line(range, "", depth, `${colors.name(printable(name))}: ${counted(count, "element")}`, style);
  }
  if (opcode === Opcode.Struct || opcode === Opcode.Polymorphic) {
    const shown = opcode === Opcode.Polymorphic ? label : (label ?? classOf(nodes, node));
    return line(
      range,
      "",
      depth,
      `${colors.name(printable(name))}: ${colors.label(printable(shown ?? ""))}`.trimEnd(),
      style,
    );
  }
  const value = colors.value(valueText(nodes.value(node)));
  const meant = label === undefined ? "" : ` ${colors.label(`(${printable(label)})`)}`;
  return line(
    range,
    style.hex ? hexColumn(nodes.bytes(node)) : "",
    depth,
    `${colors.name(printable(name))}: ${value}${meant}`,
    style,
  );
}

function noteLine(severity: "error" | "warning" | "note", text: string, depth: number, style: TreeStyle): string {
  return line("", "", depth, style.colors.severity(severity)(`${severity}: ${printable(text)}`), style);
}

function line(
  range: string,
  bytes: string,
  depth: number,
  text: string,
  style: TreeStyle,
  paint: (text: string) => string = (plain) => plain,
): string {
  const column = style.hex ? ` ${bytes.padEnd(HEX_BYTES * 2 + 1)}` : "";
  const margin = style.colors.faint(`${range.padStart(RANGE_WIDTH)}${column}`);
  return `${margin} ${"  ".repeat(depth)}${paint(text)}\n`;
}

function hexColumn(bytes: Uint8Array): string {
  return bytes.length <= HEX_BYTES ? hex(bytes) : `${hex(bytes.subarray(0, HEX_BYTES))}…`;
}

function valueText(value: number | bigint | boolean | string | Uint8Array): string {
  if (typeof value === "string") return printable(JSON.stringify(value));
  if (!(value instanceof Uint8Array)) return String(value);
  if (value.length <= SHOWN_BYTES) return hex(value) || "(no bytes)";
  return `${hex(value.subarray(0, SHOWN_BYTES))}… (${value.length} bytes)`;
}
