import { isObject, type Json } from "../common/json.js";
import type { Entry, Form, Space } from "./normal-form.js";

/** Votes of a pair of messages for their labels, if there are no other messages like them. */
const CERTAIN = 1000;

/** The votes for a pair of labels, and the number of the first message that voted for it. */
interface Votes {
  readonly count: number;
  readonly first: number;
}

/**
 * Maps the labels of one recording, one to one, to those of the other that stand for the same thing. Decided by the
 * majority of the messages that are otherwise alike.
 */
export class IdentifierMapping {
  readonly #votes = new Map<string, Map<string, Map<string, Votes>>>();
  readonly #foundLabels = new Map<string, Map<string, string>>();
  readonly #expectedLabels = new Map<string, Map<string, string>>();

  /** Counts the votes of two messages of the same form. @param conversation in which they are */
  vote(conversation: number, expected: Entry, found: Entry, isCertain: boolean): void {
    expected.labels.forEach((label, index) => {
      const other = found.labels[index];
      const space = expected.form.shape.spaces[index];
      if (other === undefined || space === undefined) return;
      const votes = inner(inner(this.#votes, keyOf(space, conversation)), label);
      const known = votes.get(other);
      const count = (known?.count ?? 0) + (isCertain ? CERTAIN : 1);
      votes.set(other, { count, first: Math.min(known?.first ?? found.at, found.at) });
    });
  }

  /**
   * Decides by the votes so far, and forgets them. Pairs with more votes come first; among equals, identical labels
   * come first, then those seen earlier.
   */
  settle(): void {
    this.#foundLabels.clear();
    this.#expectedLabels.clear();
    for (const [space, labels] of this.#votes) {
      const candidates = [...labels].flatMap(([label, others]) =>
        [...others].map(([other, { count, first }]) => ({ label, other, count, first, isSame: label === other })),
      );
      candidates.sort((a, b) => b.count - a.count || Number(b.isSame) - Number(a.isSame) || a.first - b.first);
      for (const { label, other } of candidates) this.#bind(space, label, other);
    }
    this.#votes.clear();
  }

  /** The found label that stands for the same thing as an expected one; undefined if it is not known. */
  foundLabel(space: Space, conversation: number, label: string): string | undefined {
    return this.#foundLabels.get(keyOf(space, conversation))?.get(label);
  }

  /** The expected label that stands for the same thing as a found one; undefined if it is not known. */
  expectedLabel(space: Space, conversation: number, label: string): string | undefined {
    return this.#expectedLabels.get(keyOf(space, conversation))?.get(label);
  }

  /** The content of an expected message, with its labels replaced by the found ones where they are known. */
  expectedKey({ form, labels }: Entry, conversation: number): string {
    return keyWith(form, labels, (space, label) => this.foundLabel(space, conversation, label));
  }

  /** The same for a found message. */
  foundKey({ form, labels }: Entry, conversation: number): string {
    return keyWith(form, labels, (space, label) =>
      this.expectedLabel(space, conversation, label) === undefined ? undefined : label,
    );
  }

  /** True if two labels stand for the same thing; if neither is bound yet, they do from now on. */
  unify(space: Space, conversation: number, label: string, other: string): boolean {
    return this.#bind(keyOf(space, conversation), label, other);
  }

  #bind(space: string, label: string, other: string): boolean {
    const foundLabels = inner(this.#foundLabels, space);
    const expectedLabels = inner(this.#expectedLabels, space);
    const known = foundLabels.get(label);
    if (known !== undefined || expectedLabels.has(other)) return known === other;
    if (!lookAlike(label, other)) return false;
    foundLabels.set(label, other);
    expectedLabels.set(other, label);
    return true;
  }
}

/** True if two labels are of the same type: a number, text, or an object with the same members. */
function lookAlike(label: string, other: string): boolean {
  const [one, two]: Json[] = [JSON.parse(label), JSON.parse(other)];
  if (!isObject(one) || !isObject(two)) return typeof one === typeof two;
  return Object.keys(one).join() === Object.keys(two).join();
}

function keyWith(
  { id, shape: { spaces } }: Form,
  labels: readonly string[],
  known: (space: Space, label: string) => string | undefined,
): string {
  if (labels.length === 0) return String(id);
  const described = labels.map((label, index) => {
    const space = spaces[index];
    return space === undefined ? undefined : known(space, label);
  });
  return `${id} ${described.join(" ")}`;
}

function keyOf({ what, within }: Space, conversation: number): string {
  return within === "conversation" ? `${what} ${conversation}` : what;
}

function inner<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}
