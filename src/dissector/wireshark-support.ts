import type { StructType } from "../schema/language/struct.js";
import type { Resolver } from "../schema/language/type.js";

/** What the plugin for Wireshark is given: structs stand for the entries of their tables. */
export type WiresharkData =
  | string
  | number
  | boolean
  | StructType<unknown>
  | readonly WiresharkData[]
  | ReadonlyMap<number, WiresharkData>
  | { readonly [name: string]: WiresharkData };

/**
 * What Wireshark's plugin needs to know of a protocol besides its declarations: the same decisions as those of the
 * dissector, in Lua. The built-in ones show what the sources are given and what they return.
 */
export interface WiresharkSupport {
  /** Source of a module that adds codecs and labels. */
  readonly codecs: string;
  /** Source of a module that says what comes next in a conversation. */
  readonly session: string;
  readonly tcpPorts: readonly number[];
  /** Functions of declarations that describe numbers, with the names of their twins. */
  readonly labels?: ReadonlyMap<unknown, string>;
  readonly resolvers?: ReadonlyMap<Resolver, string>;
  /** Tables for the session. */
  readonly data: { readonly [name: string]: WiresharkData };
  /** Statements that complete `data`. */
  readonly prelude?: string;
}
