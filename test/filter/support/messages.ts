import type { Message } from "../../../src/dissect/message.js";
import { compileFilter, FilterError, Vocabulary } from "../../../src/filter/index.js";
import { type DissectedMessage, dissect } from "../../../src/index.js";
import { Decoder } from "../../../src/schema/decode/decode.js";
import { Extent } from "../../../src/schema/decode/window.js";
import type { StructType, Type } from "../../../src/schema/index.js";
import { viewOf } from "../../../src/schema/language/byte-source.js";
import type { NameLookup } from "../../../src/schema/language/field-tree.js";
import type { MessageContext } from "../../../src/schema/language/message-context.js";
import { sample } from "../../support/samples.js";

/** All messages of a recorded session, copied. */
export async function messagesOf(name: string): Promise<DissectedMessage[]> {
  const messages: DissectedMessage[] = [];
  for await (const message of dissect(sample(`${name}.pcap`), { keys: [sample(`${name}.keys`)] }))
    messages.push(message);
  return messages;
}

/** The properties of a message, unless a test specifies others. */
export const ORDINARY: Omit<Message, "name" | "nodes" | "length"> = {
  number: 7,
  status: "ok",
  offset: 0,
  notes: [],
  origin: { frame: 12, seconds: Date.UTC(2026, 10, 20, 4, 55, 7) / 1000, nanoseconds: 123_456_789 },
  frames: [11, 12],
  conversation: {
    stream: 3,
    transport: "tcp",
    client: { address: "10.1.2.3", port: 50_312 },
    server: { address: "10.1.9.9", port: 14_617 },
    clientIsKnown: true,
    path: "",
    packets: { c2s: 0, s2c: 0 },
    payloadBytes: { c2s: 0, s2c: 0 },
    missingBytes: { c2s: 0, s2c: 0 },
    unaccepted: { c2s: 0, s2c: 0 },
    first: { frame: 1, seconds: 0, nanoseconds: 0 },
    last: { frame: 12, seconds: 0, nanoseconds: 0 },
  },
  direction: "c2s",
  protocol: "toy.words",
};

/** What is known about a message besides its bytes. */
interface Known {
  readonly settings?: unknown;
  readonly names?: NameLookup;
  readonly context?: MessageContext;
}

/** A message of this type with these bytes. */
export function messageOf(
  type: StructType<unknown>,
  hex: string,
  more: Partial<Message> = {},
  { settings, names, context }: Known = {},
): Message {
  const bytes = Buffer.from(hex.replace(/\s+/g, ""), "hex");
  const decoder = new Decoder();
  decoder.settings = settings;
  decoder.names = names;
  decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact);
  decoder.nodes.context = context;
  return { ...ORDINARY, name: type.struct.name, nodes: decoder.nodes, length: bytes.length, ...more };
}

/** A stretch of a stream that is not a message. */
export function stretch(name: string, more: Partial<Message> = {}): Message {
  return { ...ORDINARY, name, nodes: undefined, length: 5, status: "truncated", ...more };
}

/** The names of these types. */
export function vocabularyOf(...types: readonly StructType<unknown>[]): Vocabulary {
  const named = types.map((type): [string, Type<unknown>] => [type.struct.name, type]);
  return new Vocabulary([{ name: "toy", types: new Map(named), protocols: ["toy.words", "toy.numbers"] }]);
}

/** The error for an expression: the reason, and the part that is marked. */
export function errorIn(text: string, vocabulary: Vocabulary): { reason: string; at: string } {
  try {
    compileFilter(text, vocabulary);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const { start, length } = error.span;
    return { reason: error.reason, at: text.slice(start, start + length) };
  }
  return { reason: "", at: "" };
}
