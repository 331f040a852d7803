import type { Dissected, Message, MessageNote } from "../../dissect/message.js";
import { Opcode } from "../../schema/language/opcode.js";
import { writeSummary } from "../text/summary-text.js";
import { Ascii } from "../writers/ascii.js";
import { CURRENT, type JsonVersion } from "../writers/json-version.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { MESSAGE_SCHEMAS } from "../writers/schema-names.js";
import { writeAbsoluteTime } from "../writers/time.js";
import { conversationJson } from "./conversation-json.js";
import { writeFacts } from "./facts-json.js";
import { writeField, writeObject } from "./field-json.js";
import { FieldWriter } from "./field-writer.js";
import { writeMisfits } from "./misfits-json.js";
import { writeRangeTree, writeTree } from "./tree-json.js";

const NUMBER = new PackedBytes('"number":');
const TIME = new PackedBytes(',"time":"');
const FRAMES = new PackedBytes('","frames":[');
const MESSAGE = new PackedBytes('"message":');
const SUMMARY = new PackedBytes(',"summary":"');
const STATUS = new PackedBytes('","status":');
const OK = new PackedBytes('","status":"ok"');
const FIELDS = new PackedBytes(',"fields":');
const NOTES = new PackedBytes(',"notes":');
const LINE_START = {
  1: new PackedBytes(`{"schema":"${MESSAGE_SCHEMAS[1]}",`),
  2: new PackedBytes(`{"schema":"${MESSAGE_SCHEMAS[2]}",`),
};
const NO_NOTES = new PackedBytes("[]");
const SEVERITY = new PackedBytes('{"severity":');
const PATH = new PackedBytes(',"path":');
const TEXT = new PackedBytes(',"text":');
const LINE_END = new PackedBytes("}\n");

const shared = new FieldWriter();

/** Returns a message as one line of JSON: plain nested values. */
export function jsonLine(message: Message, version?: JsonVersion): string {
  return messageLine(message, writeFields, version).toString();
}

/** Returns a message as one line of JSON: the annotated tree. */
export function jsonTreeLine(message: Message, version?: JsonVersion): string {
  return messageLine(message, writeWholeTree, version).toString();
}

/** Returns what `jsonLine` does, in UTF-8, valid until the next line is made. */
export function jsonLineBytes(message: Message, version?: JsonVersion): Uint8Array {
  return messageLine(message, writeFields, version).bytes;
}

/** Returns what `jsonTreeLine` does, in UTF-8, valid until the next line is made. */
export function jsonTreeLineBytes(message: Message, version?: JsonVersion): Uint8Array {
  return messageLine(message, writeWholeTree, version).bytes;
}

/** Bytes from outside a capture as one line of JSON: plain nested values. */
export function valueLine(value: Dissected, version?: JsonVersion): string {
  return dissectedLine(value, writeFields, version).toString();
}

/** Bytes from outside a capture as one line of JSON: the annotated tree. */
export function valueTreeLine(value: Dissected, version?: JsonVersion): string {
  return dissectedLine(value, writeWholeTree, version).toString();
}

type ContentWriting = (writer: FieldWriter, value: Dissected, version: JsonVersion) => void;

function messageLine(message: Message, writeContent: ContentWriting, version: JsonVersion = CURRENT): FieldWriter {
  const writer = shared;
  begin(writer, version);
  writePlace(writer, message);
  writeOutcome(writer, message);
  writeContent(writer, message, version);
  writeNotes(writer, message.notes);
  if (version > 1) {
    writeFacts(writer, message);
    writeMisfits(writer, message);
  }
  writer.constant(LINE_END);
  return writer;
}

function dissectedLine(value: Dissected, writeContent: ContentWriting, version: JsonVersion = CURRENT): FieldWriter {
  const writer = shared;
  begin(writer, version);
  writeOutcome(writer, value);
  writeContent(writer, value, version);
  writeNotes(writer, value.notes);
  if (version > 1) writeMisfits(writer, value);
  writer.constant(LINE_END);
  return writer;
}

function begin(writer: FieldWriter, version: JsonVersion): void {
  writer.clear();
  writer.constant(LINE_START[version]);
}

/** Writes where a message comes from. */
function writePlace(writer: FieldWriter, message: Message): void {
  const { number, origin, frames } = message;
  writer.constant(NUMBER);
  writer.integer(number);
  writer.constant(TIME);
  writeAbsoluteTime(writer, origin);
  writer.constant(FRAMES);
  for (let index = 0; index < frames.length; index++) {
    if (index > 0) writer.byte(Ascii.Comma);
    writer.integer(frames[index] ?? 0);
  }
  writer.constant(conversationJson(message));
}

function writeOutcome(writer: FieldWriter, value: Dissected): void {
  writer.constant(MESSAGE);
  writer.name(value.name);
  writer.constant(SUMMARY);
  writeSummary(writer, value);
  if (value.status === "ok") {
    writer.constant(OK);
    return;
  }
  writer.constant(STATUS);
  writer.name(value.status);
}

function writeFields(writer: FieldWriter, { nodes, offset, length }: Dissected, version: JsonVersion): void {
  writer.constant(FIELDS);
  if (nodes === undefined) writer.value({ offset, length });
  else if (nodes.field(0).opcode === Opcode.Struct) {
    // A struct shows its fields here even if it has a text for them elsewhere.
    writeObject(writer, nodes, 0, version);
  } else writeField(writer, nodes, 0, version);
}

function writeWholeTree(writer: FieldWriter, { nodes, offset, length }: Dissected): void {
  writer.byte(Ascii.Comma);
  if (nodes === undefined) writeRangeTree(writer, offset, length);
  else writeTree(writer, nodes);
}

function writeNotes(writer: FieldWriter, notes: readonly MessageNote[]): void {
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
