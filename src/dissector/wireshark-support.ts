import type { StructType } from "../schema/language/struct.js";
import type { Resolver } from "../schema/language/type.js";
import type { WiresharkFraming } from "./wireshark-framing.js";

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
export interface WiresharkCode {
  /** Source of a module that adds codecs and labels. */
  readonly codecs?: string;
  /** Sources of further modules that the session uses, by name, in the order in which they need each other. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Source of a module that says whose a conversation is, and what comes next in it. */
  readonly session: string;
  /** Functions of declarations that describe numbers or structs, with the names of their twins. */
  readonly labels?: ReadonlyMap<unknown, string>;
  readonly resolvers?: ReadonlyMap<Resolver, string>;
  /** Tables for the session. */
  readonly data: { readonly [name: string]: WiresharkData };
  /** Further tables, of what `settingsFor` of the dissector made of definition files. */
  readonly settings?: (settings: unknown) => { readonly [name: string]: WiresharkData };
  /** Statements that complete `data`. */
  readonly prelude?: string;
}

/** How Wireshark's plugin finds the messages of a protocol: by code in Lua, or by a framing that is data. */
export type WiresharkSupport = WiresharkCode | WiresharkFraming;
