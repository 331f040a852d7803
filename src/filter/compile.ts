import type { Message } from "../dissect/message.js";
import { hasBytes, valuePatterns } from "./byte-search.js";
import type { Use } from "./derived-value.js";
import type { Comparison, Expression, Literal, Operand, Slice } from "./language/expression.js";
import { FilterError } from "./language/filter-error.js";
import { parseFilter } from "./language/parser.js";
import { longestPart } from "./language/slice.js";
import { type Occurrences, occurrencesOf } from "./mistakes/occurrences.js";
import { otherField } from "./other-fields.js";
import {
  always,
  anyOf,
  compares,
  hasPart,
  hasPattern,
  isBetween,
  not,
  ofBits,
  ofElements,
  ofSlice,
  type Predicate,
} from "./predicate.js";
import { literalValue, type Value } from "./value.js";
import type { Vocabulary } from "./vocabulary.js";

/** True for a message that passes. */
export type MessageFilter = (message: Message) => boolean;

/**
 * Compiles a display filter. Names are looked up, values converted and regular expressions compiled once, so that only
 * what the expression asks for is read from each message.
 *
 * @throws FilterError if the text is not a filter, or names something that does not exist
 */
export function compileFilter(text: string, vocabulary: Vocabulary): MessageFilter {
  return compileExpression(parseFilter(text), text, vocabulary);
}

/** Compiles an expression that has already been parsed. */
export function compileExpression(expression: Expression, text: string, vocabulary: Vocabulary): MessageFilter {
  return new Compiler(text, vocabulary).filter(expression);
}

class Compiler {
  constructor(
    readonly text: string,
    readonly vocabulary: Vocabulary,
  ) {}

  filter(expression: Expression): MessageFilter {
    switch (expression.kind) {
      case "or": {
        const terms = expression.terms.map((term) => this.filter(term));
        return (message) => terms.some((term) => term(message));
      }
      case "and": {
        const terms = expression.terms.map((term) => this.filter(term));
        return (message) => terms.every((term) => term(message));
      }
      case "not": {
        const term = this.filter(expression.term);
        return (message) => !term(message);
      }
      default:
        return this.#relation(expression);
    }
  }

  #relation(expression: Extract<Expression, { readonly operand: Operand }>): MessageFilter {
    const { operand } = expression;
    if (expression.kind === "contains" && isFrame(operand)) return this.#frameContains(expression.value);
    const found = this.#found(operand);
    const hasValue = expression.kind !== "exists" || operand.slice !== undefined || operand.mask !== undefined;
    if (hasValue && found.lack !== undefined) throw new FilterError(found.lack, this.text, operand.path);
    const part = (test: Predicate) => (operand.slice === undefined ? test : ofSlice(operand.slice, test));
    switch (expression.kind) {
      case "exists":
        if (operand.mask !== undefined) return some(found, this.#bits(found, operand, "!=", undefined));
        return operand.slice === undefined ? found.exist : some(found, part({ ...always, scalar: isNotEmpty }));
      case "compare": {
        const { comparison, value } = expression;
        const test =
          operand.mask === undefined
            ? part(compares(comparison, this.#value(found, operand, useOf(comparison), value)))
            : this.#bits(found, operand, comparison, value);
        return comparison === "!=" || comparison === "===" ? every(found, test) : some(found, test);
      }
      case "contains":
        return some(found, part(hasPart(this.#value(found, operand, "contained", expression.value))));
      case "matches":
        this.#value(found, operand, "matched", expression.value);
        return some(found, part(hasPattern(this.#pattern(expression.value))));
      case "in": {
        const tests = expression.members.map(({ first, last }) => {
          const value = this.#value(found, operand, last === undefined ? "compared" : "ordered", first);
          if (last === undefined) return compares("==", value);
          return isBetween(value, this.#value(found, operand, "ordered", last));
        });
        return some(found, part(anyOf(tests)));
      }
    }
  }

  /** As in Wireshark, but of a message: its bytes, and what was inflated from them. */
  #frameContains(literal: Literal): MessageFilter {
    const patterns = valuePatterns(literalValue(literal), this.vocabulary.textForms);
    if (patterns.length === 0) {
      throw new FilterError("a frame contains bytes (1f:8b) or a text in quotes", this.text, literal);
    }
    return ({ nodes }) => nodes !== undefined && hasBytes(nodes, patterns);
  }

  #found({ path, slice, mask }: Operand): Occurrences {
    if (slice !== undefined && mask !== undefined) {
      throw new FilterError("only a whole number has bits to test, not a part of its bytes", this.text, slice);
    }
    return occurrencesOf(path, this.vocabulary, this.text);
  }

  #bits(found: Occurrences, operand: Operand, comparison: Comparison, compared: Literal | undefined): Predicate {
    if (operand.mask === undefined) return always;
    const mask = this.#value(found, operand, "mask", operand.mask);
    const value = compared && this.#value(found, operand, "bits", compared);
    const isOutside =
      mask.integer !== undefined && value?.integer !== undefined && (value.integer & ~mask.integer) !== 0n;
    if (isOutside && useOf(comparison) === "compared") {
      const reason = `no number has the bits of ${value.text} once it is cut down to those of ${mask.text}`;
      throw new FilterError(reason, this.text, compared ?? operand.mask);
    }
    return ofBits(mask, comparison, value);
  }

  /** Returns a value; throws if it can never be used with the operand. */
  #value(found: Occurrences, { slice }: Operand, use: Use, literal: Literal): Value {
    const value = literalValue(literal);
    const part = slice === undefined || use === "matched" ? use : "slice";
    const reason =
      found.mistake(part, value) ??
      otherField(found, literal, this.vocabulary) ??
      (slice && use !== "matched" && use !== "ordered" ? tooLong(slice, value) : undefined);
    if (reason !== undefined) throw new FilterError(reason, this.text, literal);
    if (literal.form === "time" && value.instant === undefined) {
      throw new FilterError(`there is no such time as ${literal.text}`, this.text, literal);
    }
    if (literal.form === "number" && !Number.isFinite(value.number)) {
      throw new FilterError(`${literal.text} is more than any number can be; write Infinity`, this.text, literal);
    }
    return value;
  }

  /** Compiles a regular expression, which ignores case, as in Wireshark. */
  #pattern(literal: Literal): RegExp {
    try {
      return new RegExp(literal.text, "iu");
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^.*: /s, "") : "";
      throw new FilterError(`this is not a regular expression: ${why}`, this.text, literal);
    }
  }
}

/** True for the bytes of a message: `frame contains`. */
function isFrame({ path, slice, mask }: Operand): boolean {
  return !path.isField && path.names.join(".") === "frame" && slice === undefined && mask === undefined;
}

/** How a value is used in a comparison. */
function useOf(comparison: Comparison): Use {
  return comparison === "<" || comparison === "<=" || comparison === ">" || comparison === ">="
    ? "ordered"
    : "compared";
}

/** Says that a part of something is always shorter than what it is compared with, if it is. */
function tooLong(slice: Slice, { text, bytes = Buffer.from(text) }: Value): string | undefined {
  const most = longestPart(slice);
  if (Math.min(text.length, bytes.length) <= most) return undefined;
  return `this part is never longer than ${most}: it cannot be or contain ${text}, which is`;
}

function isNotEmpty(scalar: unknown): boolean {
  return (typeof scalar === "string" || scalar instanceof Uint8Array) && scalar.length > 0;
}

/** True for messages in which one value satisfies the test. */
function some(found: Occurrences, test: Predicate): MessageFilter {
  const each = ofElements(test);
  return (message) => found.some(message, each);
}

/** True for messages that have values, all of which satisfy the test. */
function every(found: Occurrences, test: Predicate): MessageFilter {
  const any = ofElements(always);
  const fails = ofElements(not(test));
  return (message) => found.some(message, any) && !found.some(message, fails);
}
