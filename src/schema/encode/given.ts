import { Exact } from "./exact.js";
import type { Members } from "./output.js";

/** Returns the value without the bytes that may be given for it. */
export function unwrapped(value: unknown): unknown {
  return value instanceof Exact ? value.value : value;
}

/** @throws TypeError for anything else */
export function asObject(value: unknown): Members {
  const object = unwrapped(value);
  if (isObject(object)) return object;
  throw new TypeError(object === undefined ? "is missing" : "value is not an object");
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws TypeError for anything else */
export function asArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(value === undefined ? "is missing" : "needs an array");
}
