import type { Type } from "./type.js";

/** What a twin is given besides the tree; types stand for the entries of their tables. */
export type TwinData =
  | string
  | number
  | boolean
  | Type<unknown>
  | readonly TwinData[]
  | { readonly [name: string]: TwinData | undefined };

/** What does the same as a function of a declaration where there is no JavaScript, as in Wireshark's plugin. */
export interface Twin {
  readonly name: string;
  /** A function, as types may refer to those around them. */
  readonly data?: (() => TwinData) | undefined;
}

const twins = new WeakMap<object, Twin>();

/** Says by which function in Lua, of which name, Wireshark's plugin does the same as this one. Returns the function. */
export function withTwin<F extends object>(made: F, name: string, data?: () => TwinData): F {
  twins.set(made, { name, data });
  return made;
}

/** The twin of a function, if it has one. */
export function twinOf(made: object | undefined): Twin | undefined {
  return made && twins.get(made);
}
