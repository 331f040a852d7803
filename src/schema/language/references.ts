import { type Condition, equals, masked, Test } from "./condition.js";
import type { Field } from "./field.js";

/** How much of a number is used: all of it, some of its bits, or some that a condition tests. */
export type Usage = "number" | "bits" | "tested bits";

/** An earlier field whose number a rule of a field uses: a condition, a length, a choice. */
export interface Reference {
  /** Its name; `a.b` is a field of an earlier struct. */
  readonly path: string;
  readonly usage: Usage;
  /** Name of the field with the rule; empty for an element of an array. */
  readonly by: string;
  /** The rule. */
  readonly rule: "condition" | "length" | "choice";
  /**
   * Returns the condition or, for a choice, what its selector has to be for each of its alternatives.
   *
   * @throws Error for a selector with a mask that conditions cannot have
   */
  readonly conditions: () => readonly Condition[];
}

/** Lists what the rules of a field refer to, and those of the types in it that belong to the same struct. */
export function* referencesOf(field: Field): Generator<Reference> {
  const { name: by, struct, conditions, length, selector, choices, compression } = field;
  for (const condition of [...(struct?.outer ?? []), ...conditions]) yield byCondition(by, condition);
  if (isComputed(field)) yield byLength(by, length.claimedBy, usageWith(length.mask));
  if (selector !== undefined) {
    const { field: path, mask } = selector;
    const chosen = () => [...(choices?.keys() ?? [])].map((value) => chosenBy(path, mask, value));
    yield { path, usage: usageWith(mask), by, rule: "choice", conditions: chosen };
  }
  if (compression !== undefined) {
    yield byCondition(by, compression.when);
    yield byLength(by, compression.inflatedLength, "number");
  }
  for (const part of field.within) yield* referencesOf(part);
}

function isComputed({ descriptor: { length } }: Field): boolean {
  return typeof length === "string" || typeof length === "object";
}

function byLength(by: string, path: string, usage: Usage): Reference {
  return { path, usage, by, rule: "length", conditions: () => [] };
}

function byCondition(by: string, condition: Condition): Reference {
  // What is not a condition at all is refused by struct-check.ts.
  const { field, test }: Partial<Condition> = Object(condition);
  const usage = test === Test.AnyBit || test === Test.MaskedEquals ? "tested bits" : "number";
  return { path: field ?? "", usage, by, rule: "condition", conditions: () => [condition] };
}

/** What a mask leaves of a number; -1 keeps all of it. */
function usageWith(mask: number): Usage {
  return mask === -1 ? "number" : "bits";
}

/** The condition for a choice to be made. */
function chosenBy(field: string, mask: number, value: number): Condition {
  return mask === -1 ? equals(field, value) : masked(field, mask, value);
}
