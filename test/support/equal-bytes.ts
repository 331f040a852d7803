import { expect } from "vitest";

/**
 * Loaded before each test file (`vitest.config.ts`): bytes that are the same are compared at once. `toEqual` looks at each
 * as at any property of an object, which takes more than two seconds for a megabyte; it still does where they differ, and
 * says where.
 */
function areSameBytes(one: unknown, other: unknown): true | undefined {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined;
  const isSameKind = Object.getPrototypeOf(one) === Object.getPrototypeOf(other);
  return isSameKind && Buffer.compare(one, other) === 0 ? true : undefined;
}

// Files that share a process share what is added.
const ADDED = Symbol.for("moul-dissect.equal-bytes");
if (Reflect.get(globalThis, ADDED) === undefined) {
  Reflect.set(globalThis, ADDED, true);
  expect.addEqualityTesters([areSameBytes]);
}
