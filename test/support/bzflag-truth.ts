import type { Message } from "../../src/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { isArray, Opcode } from "../../src/schema/language/opcode.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { childrenOf } from "./check.js";
import { recordsOf } from "./truth.js";

/** A line of a truth file, written by a script that took part, or by a decoder that was checked against it. */
export interface TruthLine {
  readonly transport: string;
  readonly src: string;
  readonly dst: string;
  readonly kind: "hello" | "message" | "listserver" | "world";
  readonly stream_offset?: number;
  readonly len: number;
  readonly code?: string;
  readonly name?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly blocks?: readonly Readonly<Record<string, unknown>>[];
  readonly udp_frame?: Readonly<Record<string, unknown>>;
}

export function truthOf(capture: string): TruthLine[] {
  return recordsOf<TruthLine>(capture);
}

/** The form in which a message and a line of a truth file are compared. */
export interface Comparable {
  readonly name: string;
  readonly code: string | undefined;
  readonly length: number;
  readonly values: unknown;
}

/** Names that differ in the truth files: `code` here is the message's own. */
const RENAMED: Readonly<Record<string, string>> = { code: "rejectCode" };
/** What the truth files compute from other values. */
const WORKED_OUT = new Set(["data_len", "trailing_bytes"]);

/** The expected message name for a truth line; lines for worlds, list servers and hellos have none of their own. */
function expectedName({ kind, name, src, fields }: TruthLine): string {
  if (kind === "world") return "World";
  if (kind === "listserver") return "text";
  if (kind === "message") return name === "unknown" ? "Msg_zz" : String(name);
  if (fields?.["text"] !== undefined) return "ClientHello";
  return src.endsWith(":5154") ? "ServerHello" : "Hello";
}

export function expected(line: TruthLine): Comparable {
  const values =
    line.kind === "world"
      ? (line.blocks ?? []).map(truthValue)
      : { ...recordOf(truthValue(line.fields)), ...(line.udp_frame && recordOf(truthValue(line.udp_frame))) };
  return { name: expectedName(line), code: line.code, length: line.len, values };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A value of a truth file in the form of `foundValue`: enumerations and flag sets as their numbers. */
function truthValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(truthValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if ("value" in value && ("name" in value || "bits" in value)) return value.value;
  const kept = entries.filter(([name, inner]) => !WORKED_OUT.has(name) && !(name === "trailing_hex" && inner === ""));
  return Object.fromEntries(
    kept.map(([name, inner]) => [
      camelCase(RENAMED[name] ?? name),
      name === "vars" && Array.isArray(inner) ? inner.map(variable) : truthValue(inner),
    ]),
  );
}

function variable(pair: unknown): unknown {
  return Array.isArray(pair) ? { name: pair[0], value: pair[1] } : pair;
}

/** Fields that the truth files leave out: lengths of other fields. */
const LENGTHS = new Set(["len", "code", "count", "nameLen", "valueLen", "udpFrameEnd"]);

/** A message in the form of the truth files. */
export function found(message: Message): Comparable {
  const { nodes } = message;
  if (nodes === undefined) return { name: message.name, code: undefined, length: message.length, values: undefined };
  const isText = message.protocol === "bzflag.list";
  if (isText) {
    const text = Buffer.from(nodes.bytes(0)).toString("latin1");
    return { name: "text", code: undefined, length: message.length, values: { text } };
  }
  const code = nodes.numberIn(0, "code")?.toString(16).padStart(4, "0");
  if (message.name === "World") {
    const blocks = nodes.child(0, "blocks");
    const values = foundValue(nodes, Math.max(blocks, 0));
    return { name: message.name, code: undefined, length: message.length, values };
  }
  const length = code === undefined ? message.length : (nodes.numberIn(0, "len") ?? -1);
  const values = recordOf(foundValue(nodes, 0));
  const isFixedChat = message.name === "MsgMessage" && message.protocol !== "bzflag.0221";
  const garbage = isFixedChat && { bytesAfterNulNonzero: hasGarbage(nodes.bytes(nodes.child(0, "text"))) };
  return { name: message.name, code, length, values: { ...values, ...garbage } };
}

/** True if anything follows the zero that ends a text. */
function hasGarbage(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(0);
  return end >= 0 && bytes.subarray(end).some((byte) => byte !== 0);
}

function foundValue(nodes: FieldTree, node: number): unknown {
  const { opcode, struct } = nodes.field(node);
  const children = childrenOf(nodes, node);
  if (isArray(opcode)) return children.map((child) => foundValue(nodes, child));
  if (opcode !== Opcode.Struct && opcode !== Opcode.Polymorphic) {
    const value = nodes.value(node);
    if (nodes.field(node).kind === "u32be" && nodes.field(node).meaning?.form === "text" && typeof value === "number") {
      const isAddress = ["host", "source"].includes(nodes.field(node).name);
      return isAddress ? [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".") : value;
    }
    if (value instanceof Uint8Array) return hex(value);
    return typeof value === "boolean" ? Number(value) : value;
  }
  const names = children.map((child) => nodes.field(child).name);
  if (names.every((name) => ["x", "y", "z"].includes(name)) && names.length > 1) {
    return children.map((child) => foundValue(nodes, child));
  }
  const members = children.filter((_, index) => !LENGTHS.has(names[index] ?? ""));
  const value: Record<string, unknown> = {};
  if (opcode === Opcode.Polymorphic) value["block"] = struct?.name.replace("World", "").toLowerCase();
  for (const child of members) {
    const { name } = nodes.field(child);
    if (name === "udpFrame") Object.assign(value, udpFrame(nodes, child));
    else value[name] = foundValue(nodes, child);
  }
  return value;
}

function udpFrame(nodes: FieldTree, node: number): Record<string, unknown> {
  const frame = foundValue(nodes, node);
  return { ...(typeof frame === "object" && frame), marker: nodes.numberIn(node, "marker")?.toString(16) };
}
