import { misspelt, suggestion } from "../../common/nearest.js";
import { rangeNames } from "../../dissect/sync/skipped-range.js";
import { normalAddress } from "../../network/address.js";
import { isComparison, type Use } from "../derived-value.js";
import type { MessageField } from "../message-field.js";
import type { Value } from "../value.js";
import type { Vocabulary } from "../vocabulary.js";
import { canTake, some } from "./mistakes.js";

/** The fields whose value is the name of a message. */
const NAMES_A_MESSAGE: ReadonlySet<string> = new Set(["message", "answers.message", "answeredBy.message"]);

/** Does the same as `mistakeIn` for what is known about every message; says so if a field of that name is meant. */
export function mistakeInMessageField(
  field: MessageField,
  use: Use,
  value: Value,
  vocabulary: Vocabulary,
): string | undefined {
  const mistake = mistakeInFact(field, use, value, vocabulary);
  const term = vocabulary.get(field.name);
  if (mistake === undefined || term === undefined || !canTake(term, use, value)) {
    return mistake;
  }
  return `${mistake}${mistake.endsWith("?") ? " For" : "; for"} the field of that name, write .${field.name}`;
}

function mistakeInFact(field: MessageField, use: Use, value: Value, vocabulary: Vocabulary): string | undefined {
  const { name, kind } = field;
  if (use === "mask" || use === "bits") return `${name} has no bits to test`;
  switch (kind) {
    case "number":
      if (!isComparison(use)) return `${name} is a number, which has no parts`;
      if (Number.isNaN(value.number)) return `${name} is a number, which ${value.text} is not`;
      return use === "ordered" || field.hasFractions || isCount(value.number)
        ? undefined
        : `${name} is a whole number, 0 or more, which ${value.text} is not`;
    case "time":
      if (isComparison(use) && value.instant !== undefined) return undefined;
      return `${name} is compared with a time such as 2026-11-20T04:55:07.5Z`;
    case "endpoint":
      return value.isWord || (use === "compared" && !isEndpoint(value))
        ? `${name} is an address, a port, or both with a colon, which ${value.text} is not`
        : undefined;
    case "text":
      return mistakeInText(field, use, value, vocabulary);
  }
}

function isCount(number: number): boolean {
  return Number.isInteger(number) && number >= 0;
}

function mistakeInText(field: MessageField, use: Use, value: Value, vocabulary: Vocabulary): string | undefined {
  const { name } = field;
  const known = knownValues(field, vocabulary);
  if (known === undefined || known.includes(value.text)) return undefined;
  if (field.values !== undefined && !isComparison(use)) {
    const isPart =
      use === "contained" ? known.some((each) => each.includes(value.text)) : matchesOne(value.text, known);
    return isPart ? undefined : `${name} is never anything with ${value.text} in it; it is ${some(known)}`;
  }
  if (!isComparison(use)) return undefined;
  // In quotes it may be any name, unless all are listed, or it is one of them but for a slip of the keyboard.
  if (field.values === undefined && value.isText) {
    if (use !== "compared") return undefined;
    const what = NAMES_A_MESSAGE.has(name) ? "type of message" : name;
    const slip = misspelt(value.text, known);
    if (slip !== undefined) return `no ${what} is called ${value.text}; did you mean ${slip}?`;
    // Summaries on a terminal show names without their prefix.
    const meant = suggestion(
      value.text,
      known.filter((each) => each.endsWith(`_${value.text}`)),
    );
    return meant === "" ? undefined : `no ${what} is called ${value.text}${meant}`;
  }
  const similar = suggestion(value.text, known);
  if (!NAMES_A_MESSAGE.has(name)) return `${name} is never ${value.text}${similar || `; it is ${some(known)}`}`;
  // A dissector names unknown messages as it likes.
  const others = similar === "" ? "; names" : `${similar} Names`;
  return `no type of message is called ${value.text}${others} of unknown messages need quotes`;
}

/** True if a regular expression matches one of the texts, or is none, which is said elsewhere. */
function matchesOne(pattern: string, texts: readonly string[]): boolean {
  try {
    const expression = new RegExp(pattern, "iu");
    return texts.some((text) => expression.test(text));
  } catch {
    return true;
  }
}

const ENDPOINT = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d+)$/i;
const LAST_PORT = 0xffff;

/** True for an address, a network, a port, or an address with a port. */
function isEndpoint({ text, number, subnet }: Value): boolean {
  if (!Number.isNaN(number)) return isCount(number) && number <= LAST_PORT;
  if (subnet !== undefined || normalAddress(text) !== undefined) return true;
  const [, v6, v4 = v6, port] = ENDPOINT.exec(text) ?? [];
  return v4 !== undefined && normalAddress(v4) !== undefined && Number(port) <= LAST_PORT;
}

/** True for one of the possible values, or if that may be the name of any field. */
export function isValueOfMessageField(field: MessageField, name: string, vocabulary: Vocabulary): boolean {
  return field.name === "notes.path" || knownValues(field, vocabulary)?.includes(name) === true;
}

/** Returns the values that are declared; undefined if none are. */
function knownValues({ name, values }: MessageField, vocabulary: Vocabulary): readonly string[] | undefined {
  if (name === "protocol") return [...vocabulary.protocols];
  return NAMES_A_MESSAGE.has(name) ? [...vocabulary.classes(), ...rangeNames] : values;
}
