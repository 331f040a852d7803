import type { Literal } from "./language/expression.js";
import { messageFields } from "./message-fields.js";
import type { Occurrences } from "./mistakes/occurrences.js";
import { literalValue } from "./value.js";
import type { Vocabulary } from "./vocabulary.js";

/** A word such as "red", of which many texts consist: that a field somewhere has this name means nothing. */
const WORD = /^[a-z]+$/;

/**
 * Says that fields are not compared with each other, as they can be in Wireshark, if the value, which could be a text,
 * is the name of another field; undefined if it need not be one. Otherwise the filter would hardly find anything.
 */
export function otherField(found: Occurrences, literal: Literal, vocabulary: Vocabulary): string | undefined {
  const { form, text } = literal;
  const { bytes } = literalValue(literal);
  if (form !== "word" || bytes !== undefined || WORD.test(text)) return undefined;
  if (found.canBe(text) || !isField(text, vocabulary)) return undefined;
  return `${text} is a field, and fields are not compared with each other; a text has quotes: "${text}"`;
}

/** True for the path of a field; after a name below which any other is allowed, for every path. */
function isField(path: string, vocabulary: Vocabulary): boolean {
  if (messageFields.has(path)) return true;
  const terms = path
    .replace(/^\./, "")
    .split(".")
    .map((name) => vocabulary.get(name));
  const open = terms.findIndex((term) => term?.isOpen);
  const known = open < 0 ? terms : terms.slice(0, open + 1);
  const last = known.at(-1);
  return !known.includes(undefined) && last !== undefined && last.fields.size + last.derived.length > 0;
}
