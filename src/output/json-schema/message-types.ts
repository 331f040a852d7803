import type { JsonSchema } from "./terms.js";
import { messagesIn, typescriptOf } from "./typescript.js";

const PACKAGE = "moul-dissect";

const HEAD = `/**
 * Types of messages, generated from the declarations: \`moul-dissect schema --typescript\`.
 */
import type { DissectedMessage } from "${PACKAGE}";

`;

const TAIL = `
/** The name of a declared message. */
export type MessageName = Exclude<keyof MessageFields, "gap" | "skipped" | "encrypted">;

/** What is known about each message, whatever it contains: a line of JSON without its fields. */
export interface Line {
  readonly schema: "moul-dissect.message/2";
  readonly number: number;
  readonly time: string;
  readonly frames: readonly number[];
  readonly stream: number;
  readonly transport: "tcp" | "udp";
  readonly source: string;
  readonly destination: string;
  readonly direction: "c2s" | "s2c" | "none";
  readonly protocol: string;
  readonly summary: string;
  readonly status: "ok" | "malformed" | "truncated" | "unknown" | "encrypted";
  readonly notes: readonly { readonly severity: "error" | "warning" | "note"; readonly path: string; readonly text: string }[];
  readonly capture?: { readonly name: string; readonly index: number };
  readonly epoch: string;
  readonly seconds: number;
  readonly length: number;
  readonly payloadId?: string;
  readonly answers?: Link;
  readonly answeredBy?: Link;
  readonly error?: string;
  readonly player?: { readonly id: number | string; readonly name?: string };
  readonly age?: { readonly id: string; readonly name?: string };
  readonly names?: readonly { readonly path: string; readonly kind: string; readonly name: string }[];
  readonly misfits?: readonly { readonly path: string; readonly value: string }[];
}

/** Another message, and the milliseconds between the two. */
export interface Link {
  readonly number: number;
  readonly message: string;
  readonly milliseconds?: number;
}

/** A line of JSON: its \`message\` says which \`fields\` it has. */
export type MessageLine = {
  [Name in keyof MessageFields]: Line & { readonly message: Name; readonly fields: MessageFields[Name] };
}[keyof MessageFields];

/** A message of the library: its \`name\` says which \`fields\` it has. */
export type KnownMessage = {
  [Name in MessageName]: DissectedMessage & { readonly name: Name; readonly fields: MessageFields[Name] };
}[MessageName];

/** True for a message that is declared; comparing its \`name\` then tells the type of its \`fields\`. */
export declare function isKnown(message: DissectedMessage): message is KnownMessage;

/** The line of JSON of a message, if it is declared. */
export declare function lineOf(message: DissectedMessage): MessageLine | undefined;
`;

/** A module of TypeScript types of messages, as a declaration file. */
export function messageTypes(schema: JsonSchema): string {
  return HEAD + typescriptOf(schema) + TAIL;
}

/** The functions of that module, in JavaScript. */
export function messageModule(schema: JsonSchema): string {
  const names = messagesIn(schema).map(([name]) => name);
  const ranges = ["gap", "skipped", "encrypted"];
  return `const ranges = new Set(${JSON.stringify(ranges)});
const names = new Set(${JSON.stringify(names)});
export const isKnown = ({ name }) => names.has(name) && !ranges.has(name);
export const lineOf = (message) => (names.has(message.name) ? message.toJSON() : undefined);
`;
}
