import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { has64Bits, type Opcode } from "../../schema/language/opcode.js";
import type { Struct } from "../../schema/language/struct.js";
import { readNumber } from "../../schema/tree/leaf.js";
import type { BooleanValues } from "../columns/boolean-values.js";
import type { Builder, StructBuilder } from "../columns/builder.js";
import type { Leaf } from "../columns/leaf.js";
import { NumberValues } from "../columns/number-values.js";
import type { PrefixedValues } from "../columns/prefixed-values.js";
import type { Value } from "../table.js";

/** What is returned instead of a definition level for a value that does not fit. */
export const MISFIT = -1;

/** Enters the value of a node in a leaf, without its levels; returns its definition level, or `MISFIT`. */
export type EnterValue = (nodes: FieldTree, node: number) => number;

/**
 * Adds what a node has to leaves, with its levels; false if it does not fit.
 *
 * @param repetition the list that goes on with it: 0 for a new row
 */
export type Append = (nodes: FieldTree, node: number, repetition: number) => boolean;

/** What a field is in a column, or in a part of one. */
export type Part = TextPart | NumberPart | NullPart | ListPart | StructPart | NoPart;

/** A text, bytes or JSON. */
export interface TextPart {
  readonly kind: "text";
  readonly leaf: Leaf;
  /** Those of the leaf. */
  readonly values: PrefixedValues;
  readonly enter: EnterValue;
}

/** A number or a truth value. */
export interface NumberPart {
  readonly kind: "number";
  readonly leaf: Leaf;
  /** Those of the leaf. */
  readonly values: NumberValues | BooleanValues;
  readonly read: (nodes: FieldTree, node: number) => Value;
  /** Undefined if it depends on the value whether it fits. */
  readonly opcode: Opcode | undefined;
  /** The level of a value that does not fit: `MISFIT`, or that of null for a number behind a name, which says enough. */
  readonly otherwise: number;
  /** The level if there is no value. */
  readonly absent: number;
}

/** A number that does not fit, but whose name says enough. */
export interface NullPart {
  readonly kind: "null";
  readonly leaf: Leaf;
}

/** A list. */
export interface ListPart {
  readonly kind: "list";
  readonly leaves: readonly Leaf[];
  readonly append: Append;
}

/** A struct whose fields have columns of their own. */
export interface StructPart {
  readonly kind: "struct";
  readonly builder: StructBuilder;
  readonly fields: Members;
}

/** Which of the columns of a struct its fields belong to. */
export interface Members {
  /** What the columns are made with. */
  readonly builders: readonly Builder[];
  member(field: Field): Member;
  /** @param absent the definition level of a value that is not there */
  derived(struct: Struct, absent: number): readonly DerivedMember[];
}

/** What a field is in the columns: in one of them, and in that for the number behind its name. */
export interface Member {
  readonly at: number;
  readonly part: Part | undefined;
  readonly rawAt: number;
  readonly rawPart: Part | undefined;
}

/** A value that follows from others. */
export interface DerivedMember {
  readonly at: number;
  readonly part: Part;
}

/** What does not fit, whatever its value is. */
export interface NoPart {
  readonly kind: "none";
}

export const NO_PART: NoPart = { kind: "none" };

/** Adds a number, with its levels; false if it does not fit. */
export function appendNumber(part: NumberPart): Append {
  const { leaf, values, read, opcode } = part;
  if (opcode !== undefined && !has64Bits(opcode) && values instanceof NumberValues) {
    return (nodes, node, repetition) => {
      const { view, origin } = nodes.sourceOf(node);
      values.addNumber(readNumber(opcode, view, origin + nodes.startOf(node)));
      leaf.present(repetition);
      return true;
    };
  }
  return (nodes, node, repetition) => {
    const value = read(nodes, node);
    const level = values.add(value) ? leaf.deepest : levelWithout(part, value);
    if (level === MISFIT) return false;
    leaf.absent(level, repetition);
    return true;
  };
}

/** The level of a value that is not of the type of its column. */
export function levelWithout({ leaf, otherwise, absent }: NumberPart, value: Value): number {
  if (value === undefined) return absent;
  return value === null ? leaf.deepest - 1 : otherwise;
}

/** Adds a text, with its levels; false if it does not fit. */
export function appendText({ leaf, values, enter }: TextPart): Append {
  const { deepest } = leaf;
  return (nodes, node, repetition) => {
    const level = enter(nodes, node);
    if (level === MISFIT) return false;
    if (level === deepest) values.take();
    leaf.absent(level, repetition);
    return true;
  };
}
