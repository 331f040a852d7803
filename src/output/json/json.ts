import { type Dissected, directionOf, type Message, type MessageNote } from "../../dissect/message.js";
import { Opcode } from "../../schema/language/opcode.js";
import { writeSummary } from "../text/summary-text.js";
import { Ascii } from "../writers/ascii.js";
import { destinationOf, sourceOf, writeEndpoint } from "../writers/endpoints.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { MESSAGE_SCHEMA } from "../writers/schema-names.js";
import { writeAbsoluteTime } from "../writers/time.js";
import { writeField, writeObject } from "./field-json.js";
import { JsonWriter } from "./json-writer.js";
import { writeRangeTree, writeTree } from "./tree-json.js";

const NUMBER = new PackedBytes('"number":');
const TIME = new PackedBytes(',"time":"');
const FRAMES = new PackedBytes('","frames":[');
const STREAM = new PackedBytes('],"stream":');
const SOURCE = {
  tcp: new PackedBytes(',"transport":"tcp","source":"'),
  udp: new PackedBytes(',"transport":"udp","source":"'),
};
const DESTINATION = new PackedBytes('","destination":"');
const PROTOCOL = {
  c2s: new PackedBytes('","direction":"c2s","protocol":'),
  s2c: new PackedBytes('","direction":"s2c","protocol":'),
  none: new PackedBytes('","direction":"none","protocol":'),
};
const MESSAGE = new PackedBytes('"message":');
const SUMMARY = new PackedBytes(',"summary":');
const STATUS = new PackedBytes(',"status":');
const FIELDS = new PackedBytes(',"fields":');
const NOTES = new PackedBytes(',"notes":');
const LINE_START = new PackedBytes(`{"schema":"${MESSAGE_SCHEMA}",`);
const NO_NOTES = new PackedBytes("[]");
const SEVERITY = new PackedBytes('{"severity":');
const PATH = new PackedBytes(',"path":');
const TEXT = new PackedBytes(',"text":');
const LINE_END = new PackedBytes("}\n");

const shared = new JsonWriter();

/** Returns a message as one line of JSON: plain nested values. */
export function jsonLine(message: Message): string {
  return line(message, writePlace, writeFields).toString();
}

/** Returns a message as one line of JSON: the annotated tree. */
export function jsonTreeLine(message: Message): string {
  return line(message, writePlace, writeWholeTree).toString();
}

/** Returns what `jsonLine` does, in UTF-8, valid until the next line is made. */
export function jsonLineBytes(message: Message): Uint8Array {
  return line(message, writePlace, writeFields).bytes;
}

/** Returns what `jsonTreeLine` does, in UTF-8, valid until the next line is made. */
export function jsonTreeLineBytes(message: Message): Uint8Array {
  return line(message, writePlace, writeWholeTree).bytes;
}

/** Bytes from outside a capture as one line of JSON: plain nested values. */
export function valueLine(value: Dissected): string {
  return line(value, () => {}, writeFields).toString();
}

/** Bytes from outside a capture as one line of JSON: the annotated tree. */
export function valueTreeLine(value: Dissected): string {
  return line(value, () => {}, writeWholeTree).toString();
}

type Writing<T> = (writer: JsonWriter, value: T) => void;

function line<T extends Dissected>(value: T, writeStart: Writing<T>, writeContent: Writing<T>): JsonWriter {
  const writer = shared;
  writer.clear();
  writer.constant(LINE_START);
  writeStart(writer, value);
  writeOutcome(writer, value);
  writeContent(writer, value);
  writeNotes(writer, value.notes);
  writer.constant(LINE_END);
  return writer;
}

/** Writes where a message comes from. */
function writePlace(writer: JsonWriter, message: Message): void {
  const { number, origin, frames, conversation, protocol } = message;
  writer.constant(NUMBER);
  writer.number(number);
  writer.constant(TIME);
  writeAbsoluteTime(writer, origin);
  writer.constant(FRAMES);
  for (let index = 0; index < frames.length; index++) {
    if (index > 0) writer.byte(Ascii.Comma);
    writer.number(frames[index] ?? 0);
  }
  writer.constant(STREAM);
  writer.integer(conversation.stream);
  writer.constant(SOURCE[conversation.transport]);
  writeEndpoint(writer, sourceOf(message));
  writer.constant(DESTINATION);
  writeEndpoint(writer, destinationOf(message));
  writer.constant(PROTOCOL[directionOf(message)]);
  writer.name(protocol);
  writer.byte(Ascii.Comma);
}

function writeOutcome(writer: JsonWriter, value: Dissected): void {
  writer.constant(MESSAGE);
  writer.name(value.name);
  writer.constant(SUMMARY);
  writer.byte(Ascii.Quote);
  writeSummary(writer, value);
  writer.byte(Ascii.Quote);
  writer.constant(STATUS);
  writer.name(value.status);
}

function writeFields(writer: JsonWriter, { nodes, offset, length }: Dissected): void {
  writer.constant(FIELDS);
  if (nodes === undefined) writer.value({ offset, length });
  else if (nodes.field(0).opcode === Opcode.Struct) {
    // A struct shows its fields here even if it has a text for them elsewhere.
    writeObject(writer, nodes, 0);
  } else writeField(writer, nodes, 0);
}

function writeWholeTree(writer: JsonWriter, { nodes, offset, length }: Dissected): void {
  writer.byte(Ascii.Comma);
  if (nodes === undefined) writeRangeTree(writer, offset, length);
  else writeTree(writer, nodes);
}

function writeNotes(writer: JsonWriter, notes: readonly MessageNote[]): void {
  writer.constant(NOTES);
  if (notes.length === 0) {
    writer.constant(NO_NOTES);
    return;
  }
  writer.byte(Ascii.OpeningBracket);
  for (const [index, { severity, path, text }] of notes.entries()) {
    if (index > 0) writer.byte(Ascii.Comma);
    writer.constant(SEVERITY);
    writer.name(severity);
    writer.constant(PATH);
    writer.string(path);
    writer.constant(TEXT);
    writer.string(text);
    writer.byte(Ascii.ClosingBrace);
  }
  writer.byte(Ascii.ClosingBracket);
}
