import { directionOf, shownDirections, statuses } from "../dissect/message.js";
import { payloadIdText } from "../dissect/payload-id.js";
import { endpointText } from "../network/address.js";
import { type Endpoint, opposite, senderOf } from "../network/conversation.js";
import { severities } from "../schema/language/field-tree.js";
import { contextFields } from "./context-fields.js";
import type { MessageField } from "./message-field.js";
import type { Scalar } from "./scalar.js";

function endpoint(endpoint: Endpoint, test: (value: Scalar) => boolean): boolean {
  return test(endpointText(endpoint)) || test(endpoint.address) || test(endpoint.port);
}

const fields: readonly MessageField[] = [
  {
    name: "number",
    doc: "Number of the message, counted from 1.",
    kind: "number",
    some: ({ number }, test) => test(number),
  },
  {
    name: "frame",
    doc: "Numbers of the frames in which the message arrived; for gap, skipped and encrypted, the first and the last.",
    kind: "number",
    some: ({ frames }, test) => frames.some(test),
  },
  {
    name: "time",
    doc: "When the message was complete.",
    kind: "time",
    some: ({ origin }, test) => test(origin),
  },
  {
    name: "epoch",
    doc: "The same time in nanoseconds since 1970.",
    kind: "text",
    some: ({ origin }, test) => test(String(BigInt(origin.seconds) * 1_000_000_000n + BigInt(origin.nanoseconds))),
  },
  {
    name: "seconds",
    doc: "The same time in seconds since 1970.",
    kind: "number",
    hasFractions: true,
    some: ({ origin }, test) => test(origin.seconds + origin.nanoseconds / 1e9),
  },
  {
    name: "capture.name",
    doc: "Name of the capture file.",
    kind: "text",
    some: ({ origin: { capture } }, test) => capture !== undefined && test(capture.name),
  },
  {
    name: "capture.index",
    doc: "Which of the captures it is, counted from 0.",
    kind: "number",
    some: ({ origin: { capture } }, test) => capture !== undefined && test(capture.index),
  },
  {
    name: "stream",
    doc: "Number of the conversation, counted from 0.",
    kind: "number",
    some: ({ conversation }, test) => test(conversation.stream),
  },
  {
    name: "transport",
    doc: "Transport protocol of the conversation.",
    kind: "text",
    values: ["tcp", "udp"],
    some: ({ conversation }, test) => test(conversation.transport),
  },
  {
    name: "source",
    doc: "Who sent the message: address, port, or both.",
    kind: "endpoint",
    isOneThing: true,
    some: ({ conversation, direction }, test) => endpoint(senderOf(conversation, direction), test),
  },
  {
    name: "destination",
    doc: "Who the message went to: address, port, or both.",
    kind: "endpoint",
    isOneThing: true,
    some: ({ conversation, direction }, test) => endpoint(senderOf(conversation, opposite(direction)), test),
  },
  {
    name: "direction",
    doc: "Which way the message went: from client to server, from server to client, or none, as in multicasts.",
    kind: "text",
    values: shownDirections,
    some: (message, test) => test(directionOf(message)),
  },
  {
    name: "protocol",
    doc: "Name of the protocol.",
    kind: "text",
    some: ({ protocol }, test) => test(protocol),
  },
  {
    name: "message",
    doc: "Name of the message.",
    kind: "text",
    some: ({ name }, test) => test(name),
  },
  {
    name: "status",
    doc: "Result of dissecting the message.",
    kind: "text",
    values: statuses,
    some: ({ status }, test) => test(status),
  },
  {
    name: "length",
    doc: "Length of the message in bytes.",
    kind: "number",
    some: ({ length }, test) => test(length),
  },
  {
    name: "payloadId",
    doc: "Short id of the bytes of the message, the same wherever they are the same: FNV-1a of 64 bits.",
    kind: "text",
    some: (message, test) => {
      const id = payloadIdText(message);
      return id !== undefined && test(id);
    },
  },
  ...contextFields,
  {
    name: "notes",
    doc: "Notes on the message and its fields.",
    kind: "text",
    some: ({ notes }, test) => notes.some(({ text }) => test(text)),
  },
  {
    name: "notes.path",
    doc: "Paths of the fields that have notes.",
    kind: "text",
    some: ({ notes }, test) => notes.some(({ path }) => test(path)),
  },
  {
    name: "notes.severity",
    doc: "Severities of the notes.",
    kind: "text",
    values: severities,
    some: ({ notes }, test) => notes.some(({ severity }) => test(severity)),
  },
];

/** The column of what JSON calls the summary. */
export const SUMMARY = "summary";

/** Members of the JSON that are not fields, with what to use instead. */
export const NO_FIELDS: ReadonlyMap<string, string> = new Map([
  [SUMMARY, "it is made of other fields: use those"],
  ["fields", "leave it out: a path begins with the name of a field"],
  ["schema", "it is the same for all messages"],
]);

/** The fields of messages themselves by name, including the names that they have in JSON. */
export const messageFields: ReadonlyMap<string, MessageField> = new Map([
  ...fields.map((field): [string, MessageField] => [field.name, field]),
  ...fields.flatMap((field): [string, MessageField][] => {
    if (field.name === "frame") return [["frames", field]];
    return field.name === "notes" ? [["notes.text", field]] : [];
  }),
]);
