import { hasWholeNumbers } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import type { Meaning } from "../schema/language/meaning.js";
import { holdsNodes, isArray } from "../schema/language/opcode.js";
import { flagBits, meaningOf } from "../schema/tree/label.js";
import type { Comparison, Slice } from "./language/expression.js";
import { sliced } from "./language/slice.js";
import { compareNumbers, hasBit, hasBits, masked, numberNamed } from "./named-numbers.js";
import { compareNode } from "./node-value.js";
import { compareScalar, contains, matches, NamedNumber, type Scalar } from "./scalar.js";
import type { Value } from "./value.js";

/** The test for each value of an operand: for a node of a message, or for a value that is not in a node. */
export interface Predicate {
  readonly node: (nodes: FieldTree, node: number) => boolean;
  readonly scalar: (scalar: Scalar) => boolean;
}

/** Satisfied by everything. */
export const always: Predicate = { node: () => true, scalar: () => true };

/** Returns the opposite of a test. */
export function not(test: Predicate): Predicate {
  return {
    node: (nodes, node) => !test.node(nodes, node),
    scalar: (scalar) => !test.scalar(scalar),
  };
}

/** Satisfied by values that satisfy one of several tests. */
export function anyOf(tests: readonly Predicate[]): Predicate {
  return {
    node: (nodes, node) => tests.some((test) => test.node(nodes, node)),
    scalar: (scalar) => tests.some((test) => test.scalar(scalar)),
  };
}

/** Tests each element of an array as a value: one of them has to satisfy the test. */
export function ofElements(test: Predicate): Predicate {
  const node = (nodes: FieldTree, at: number): boolean => {
    if (!isArray(nodes.field(at).opcode)) return test.node(nodes, at);
    for (let child = at + 1; child < nodes.nextOf(at); child = nodes.nextOf(child)) {
      if (node(nodes, child)) return true;
    }
    return false;
  };
  const scalar = (value: Scalar): boolean => (Array.isArray(value) ? value.some(scalar) : test.scalar(value));
  return { node, scalar };
}

/** Which results of comparing (below 0, 0, above 0; NaN if not comparable) satisfy a comparison. */
const ACCEPTED: Readonly<Record<Comparison, (order: number) => boolean>> = {
  "==": (order) => order === 0,
  "===": (order) => order === 0,
  "!=": (order) => order !== 0,
  "!==": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

export function compares(comparison: Comparison, value: Value): Predicate {
  const accepts = ACCEPTED[comparison];
  return {
    node: (nodes, node) => accepts(compareNode(nodes, node, value)),
    scalar: (scalar) => accepts(compareScalar(scalar, value)),
  };
}

/** Satisfied by values between two others, inclusive. */
export function isBetween(first: Value, last: Value): Predicate {
  return {
    node: (nodes, node) => compareNode(nodes, node, first) >= 0 && compareNode(nodes, node, last) <= 0,
    scalar: (scalar) => compareScalar(scalar, first) >= 0 && compareScalar(scalar, last) <= 0,
  };
}

/** Satisfied by texts and byte strings that contain a value, and by flag sets in which the named flags are set. */
export function hasPart(value: Value): Predicate {
  const scalar = (scalar: Scalar) => contains(scalar, value);
  return {
    scalar,
    node(nodes, node) {
      const { meaning } = nodes.field(node);
      if (meaning?.form === "flags") {
        const wanted = numberNamed(meaning, value.text);
        return wanted !== undefined && hasBits(flagBits(nodes, node), wanted);
      }
      return someText(nodes, node, scalar);
    },
  };
}

/** Satisfied by values that a regular expression matches. */
export function hasPattern(pattern: RegExp): Predicate {
  const scalar = (scalar: Scalar) => matches(scalar, pattern);
  return { scalar, node: (nodes, node) => someText(nodes, node, scalar) };
}

/** Tests the meaning of a node, then its value. */
function someText(nodes: FieldTree, node: number, test: (scalar: Scalar) => boolean): boolean {
  const text = meaningOf(nodes, node);
  if (text !== undefined && test(text)) return true;
  return !holdsNodes(nodes.field(node).opcode) && test(nodes.value(node));
}

/** Tests a part of a text, or of the bytes of anything else. */
export function ofSlice(slice: Slice, test: Predicate): Predicate {
  return {
    node(nodes, node) {
      const value = holdsNodes(nodes.field(node).opcode) ? undefined : nodes.value(node);
      // The bytes of a leaf may begin with their own length, which is no part of a byte string.
      const isString = typeof value === "string" || value instanceof Uint8Array;
      return test.scalar(sliced(isString ? value : nodes.bytes(node), slice));
    },
    scalar: (scalar) =>
      (typeof scalar === "string" || scalar instanceof Uint8Array) && test.scalar(sliced(scalar, slice)),
  };
}

/** Tests some bits of a number; without a value to compare, whether one of them is set. */
export function ofBits(mask: Value, comparison: Comparison, value: Value | undefined): Predicate {
  const accepts = ACCEPTED[comparison];
  const test = (number: number | bigint, meaning: Meaning | undefined): boolean => {
    const bits = masked(number, meaning, mask);
    if (bits === undefined) return false;
    if (value === undefined) return compareNumbers(bits, 0) !== 0;
    const named = meaning !== undefined && "names" in meaning ? numberNamed(meaning, value.text) : undefined;
    return accepts(compareNumbers(bits, value.integer ?? named ?? Number.NaN));
  };
  const testNamed = ({ number, naming }: NamedNumber): boolean =>
    naming.form === "bit numbers" ? hasBit(mask, number, naming) : test(number, naming);
  return {
    node(nodes, node) {
      const field = nodes.field(node);
      return hasWholeNumbers(field) && test(flagBits(nodes, node), field.meaning);
    },
    scalar(scalar) {
      if (scalar instanceof NamedNumber) return testNamed(scalar);
      return typeof scalar === "number" && test(scalar, undefined);
    },
  };
}
