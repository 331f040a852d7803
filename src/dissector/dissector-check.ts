import { directions } from "../network/conversation.js";
import { isStructType, isType } from "../schema/language/is-type.js";
import { problemOfKind } from "../schema/language/sensitive.js";
import type { StructType } from "../schema/language/struct.js";
import type { Dissector } from "./dissector.js";
import { problemOfWireshark } from "./wireshark-check.js";

const NAME = /^[a-z][a-z0-9-]*$/;
/** Names of protocols and types end up in JSON, tables and command lines. */
const PROTOCOL = /^[a-z][\w.-]*$/i;
const TYPE = /^\w[\w.-]*$/;

/**
 * Says, in a sentence, why something is not a dissector; undefined if it is one. External modules may be plain
 * JavaScript, which no compiler has checked.
 *
 * @param taken names of the dissectors that are already loaded
 */
export function problemOf(candidate: unknown, taken: ReadonlySet<string>): string | undefined {
  if (typeof candidate !== "object" || candidate === null) return `it is ${kindOf(candidate)}, not an object`;
  const { name, types, protocols, ports, messages, recognise, open } = membersOf(candidate);
  const { definitionEnding, otherReadings, sensitiveKinds, textForms, wireshark } = membersOf(candidate);
  if (typeof name !== "string") return `its name is ${kindOf(name)}, not a string`;
  if (!NAME.test(name)) return `its name ${JSON.stringify(name)} is not made of lower-case letters, digits and hyphens`;
  if (taken.has(name)) return `there is already a dissector named "${name}"`;
  if (!Array.isArray(protocols)) return `its protocols are ${kindOf(protocols)}, not an array of names`;
  for (const protocol of protocols) {
    if (typeof protocol !== "string" || !PROTOCOL.test(protocol))
      return `${text(protocol)} is not a name for a protocol`;
    if (!isNamedAfter(protocol, name)) {
      return `its protocol ${text(protocol)} is not named after it: it has to be "${name}" or begin with "${name}."`;
    }
  }
  if (!(types instanceof Map)) return `its types are ${kindOf(types)}, not a Map of types by name`;
  for (const [key, type] of types) {
    if (typeof key !== "string" || !TYPE.test(key)) return `${text(key)} is not a name for a type`;
    if (!isType(type)) return `its type ${text(key)} is not made with the schema language`;
  }
  const strangeReading = problemOfReadings(otherReadings);
  if (strangeReading !== undefined) return strangeReading;
  const problem = messages === undefined ? undefined : problemOfMessages(messages, protocols);
  if (problem !== undefined) return problem;
  if (ports !== undefined && !Array.isArray(ports)) return `its ports are ${kindOf(ports)}, not an array`;
  const strange = (ports ?? []).findIndex((hint: unknown) => !isPort(hint));
  if (strange >= 0) return `its port ${strange} is not { transport: "tcp" | "udp", port: number }`;
  for (const [member, value] of Object.entries({ recognise, open })) {
    if (typeof value !== "function") return `its ${member} is ${kindOf(value)}, not a function`;
  }
  for (const member of ["readKeys", "readDefinitions", "settingsFor", "otherForms", "stateReader"]) {
    const value: unknown = Reflect.get(candidate, member);
    if (value !== undefined && typeof value !== "function") return `its ${member} is ${kindOf(value)}, not a function`;
  }
  for (const member of ["announces", "isStateless"]) {
    const value: unknown = Reflect.get(candidate, member);
    if (value !== undefined && typeof value !== "boolean") return `its ${member} is ${kindOf(value)}, not a boolean`;
  }
  if (sensitiveKinds !== undefined && !Array.isArray(sensitiveKinds)) {
    return `its sensitiveKinds are ${kindOf(sensitiveKinds)}, not an array`;
  }
  for (const [index, kind] of (sensitiveKinds ?? []).entries()) {
    const mistake = problemOfKind(kind);
    if (mistake !== undefined) return `its kind of private values ${index} cannot be used: ${mistake}`;
  }
  if (textForms !== undefined && !Array.isArray(textForms))
    return `its textForms are ${kindOf(textForms)}, not an array`;
  const strangeForm = (textForms ?? []).findIndex((form: unknown) => !isTextForm(form));
  if (strangeForm >= 0) return `its form of text ${strangeForm} is not { name: string, encode: function }`;
  const strangeFraming = problemOfWireshark(wireshark);
  if (strangeFraming !== undefined) return strangeFraming;
  if (definitionEnding === "") return "its definitionEnding is empty: every file would have it";
  if (definitionEnding !== undefined && typeof definitionEnding !== "string") {
    return `its definitionEnding is ${kindOf(definitionEnding)}, not a string`;
  }
  return undefined;
}

/** True for "moul" and "moul.auth" if the dissector is "moul". */
export function isNamedAfter(protocol: string, dissector: string): boolean {
  return protocol === dissector || protocol.startsWith(`${dissector}.`);
}

/** Says, in a sentence, why something is not a map of other forms of types; undefined if it is one, or not there. */
function problemOfReadings(readings: unknown): string | undefined {
  if (readings === undefined) return undefined;
  if (!(readings instanceof Map)) return `its otherReadings are ${kindOf(readings)}, not a Map of forms by type`;
  for (const [key, reading] of readings) {
    const { type, note }: { type?: unknown; note?: unknown } = Object(reading);
    if (!isType(type) || typeof note !== "string") return `its other reading of ${text(key)} is not { type, note }`;
  }
  return undefined;
}

/** Says, in a sentence, why something is not a map of messages by protocol; undefined if it is one. */
function problemOfMessages(messages: unknown, protocols: readonly unknown[]): string | undefined {
  if (!(messages instanceof Map)) return `its messages are ${kindOf(messages)}, not a Map of messages by protocol`;
  for (const [protocol, lists] of messages) {
    if (typeof protocol !== "string" || !PROTOCOL.test(protocol))
      return `${text(protocol)} is not a name for a protocol`;
    if (!protocols.includes(protocol)) return `its messages are of ${text(protocol)}, which is not among its protocols`;
    for (const direction of directions) {
      const list: unknown = Object(lists)[direction];
      if (!Array.isArray(list)) return `the messages of ${protocol} have no array ${direction}`;
      const stranger = list.findIndex((type) => !isStructType(type) || !TYPE.test(type.struct.name));
      if (stranger >= 0) return `message ${stranger} of ${protocol}, ${direction}, is not made by struct() or derive()`;
      const twice = nameOfTwo(list);
      if (twice !== undefined) return `two messages of ${protocol}, ${direction}, are named ${twice}`;
    }
  }
  return undefined;
}

/** A name that two different types share; the same type may be listed twice. */
function nameOfTwo(types: readonly StructType<unknown>[]): string | undefined {
  const byName = new Map<string, StructType<unknown>>();
  for (const type of types) {
    const { name } = type.struct;
    if ((byName.get(name) ?? type) !== type) return name;
    byName.set(name, type);
  }
  return undefined;
}

function membersOf(candidate: object): Partial<Record<keyof Dissector, unknown>> {
  return candidate;
}

function isPort(hint: unknown): boolean {
  const { transport, port }: { transport?: unknown; port?: unknown } = Object(hint);
  return (transport === "tcp" || transport === "udp") && typeof port === "number";
}

function isTextForm(form: unknown): boolean {
  const { name, encode }: { name?: unknown; encode?: unknown } = Object(form);
  return typeof name === "string" && typeof encode === "function";
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
