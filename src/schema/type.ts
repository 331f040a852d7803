import type { Codec } from "./codec.js";
import type { Condition } from "./condition.js";
import type { Family } from "./family.js";
import type { Meaning } from "./meaning.js";
import type { Opcode } from "./opcode.js";
import { expectKinds, type Sensitive } from "./sensitive.js";
import type { Struct } from "./struct.js";

declare const VALUE: unique symbol;
declare const OPTIONAL: unique symbol;

/** Stands for "as many as there are until the region ends"; the same in every copy of the schema language. */
export const rest: unique symbol = Symbol.for("moul-dissect rest");

/**
 * How many elements an array has, or how many bytes a field: a number, the name of an earlier field that holds it
 * (`"a.b"` for a field of an earlier struct), the same with a mask, a factor and a summand (length = (value & mask) *
 * times + plus), or `rest`.
 */
export type Length =
  | number
  | string
  | typeof rest
  | { readonly field: string; readonly mask?: number; readonly times?: number; readonly plus?: number };

/** Compression of a region: zlib behind `literal` bytes that are as they are, `inflatedLength` bytes together. */
export interface Compression {
  readonly when: Condition;
  readonly literal: number;
  /** Name of the earlier field that holds the length of literal and inflated bytes together. */
  readonly inflatedLength: string;
}

/** The earlier field whose value chooses a type; with a mask, only these bits of it. */
export type Selector = string | { readonly field: string; readonly mask: number };

/**
 * Finds the type of a field while decoding.
 *
 * @param member gives the plain value of an earlier field of the same struct
 * @param settings what the run was told, such as descriptors read from files
 * @param nameOf gives the name of something, such as the kind of a game, that the traffic has shown so far
 * @returns the type, or why there is none, as a sentence
 */
export type Resolver = (member: (name: string) => unknown, settings: unknown, nameOf: NameOf) => Type<unknown> | string;

/** Gives the name of something by what kind of thing it is and its number or UUID, if the traffic has shown one. */
export type NameOf = (kind: string, id: string) => string | undefined;

/**
 * What two recordings of the same session have in common of a value that may differ between them. Whether it is there,
 * and whether it is zero or empty, is always the same.
 *
 * - `varies`: nothing else: a time, a random number, a key;
 * - `stands for`: not the value, but where it occurs again: it only stands for something within the conversation or the
 *   whole recording, such as the number of a request for that request.
 */
export type Sameness =
  | { readonly form: "varies" }
  | { readonly form: "stands for"; readonly what: string; readonly within: "conversation" | "recording" };

/** Everything a declaration says of one type: plain data. Which members are set depends on the opcode. */
export interface Row {
  readonly opcode: Opcode;
  /** Name of the wire type for people: `u32le`, `SafeString`, `bytes`, `array`, ... */
  readonly kind: string;
  /** Width in bytes of a leaf with a fixed width, else 0. */
  readonly width: number;
  readonly meaning?: Meaning;
  readonly codec?: Codec<unknown>;
  readonly length?: Length;
  readonly encoding?: "utf8" | "utf16le";
  readonly element?: Row;
  readonly elements?: readonly Row[];
  readonly resolver?: Resolver;
  readonly struct?: Struct;
  readonly family?: Family;
  /** Class that a polymorphic value has to be derived from. */
  readonly base?: Struct;
  readonly selector?: Selector;
  readonly choices?: ReadonlyMap<number, Row>;
  readonly otherwise?: Row;
  readonly content?: Row;
  readonly compression?: Compression;
  /** A region whose content need not be what it usually is: then it is bytes, and no fault. */
  readonly tentative?: boolean;
  /** Of a region in which bytes behind the content are no fault: what becomes of them, as a clause. */
  readonly leftOver?: string;
  readonly conditions?: readonly Condition[];
  readonly doc?: string;
  /** One of the few facts that a one-line summary of a message shows. */
  readonly inSummary?: boolean;
  /** Set for undeclared bytes: the reason, as a sentence. */
  readonly undeclared?: string;
  /** What is private in the values. */
  readonly sensitive?: Sensitive;
  /** True for a piece of HTTP, of which only the values of headers and queries are private. */
  readonly isHttp?: boolean;
  readonly sameness?: Sameness;
}

/**
 * A wire type, as declarations use it. Immutable: each method gives a changed copy. `V` is the type of its plain value,
 * `O` tells whether the field may be absent.
 */
export class Type<out V, out O extends boolean = false> {
  declare readonly [VALUE]: V;
  declare readonly [OPTIONAL]: O;

  constructor(readonly row: Row) {}

  /** Says what the field means, for the tree, `fields` and the reference. */
  doc(text: string): Type<V, O> {
    return new Type({ ...this.row, doc: text });
  }

  /** The field is present only if each of the conditions holds, as well as those that it has already. */
  when(...conditions: readonly Condition[]): Type<V, true> {
    return new Type({ ...this.row, conditions: [...(this.row.conditions ?? []), ...conditions] });
  }

  /** Shows the field in the one-line summary of a message. */
  inSummary(): Type<V, O> {
    return new Type({ ...this.row, inSummary: true });
  }

  /**
   * Says that the values, or the elements, content or choices, are private: `scrub` replaces them. The members
   * of a struct say so themselves.
   */
  sensitive(kind: Sensitive): Type<V, O> {
    expectKinds(kind);
    return new Type(sensitiveRow(this.row, kind));
  }

  /** The same of lines of HTTP, and of paths: only values of headers and queries are replaced. */
  sensitiveHttp(kind: Sensitive): Type<V, O> {
    const { row } = this.sensitive(kind);
    return new Type({ ...row, isHttp: true, ...(row.element && { element: { ...row.element, isHttp: true } }) });
  }

  /** Says that the values are public names, such as of files that come with a game: `scrub` keeps them. */
  public(): Type<V, O> {
    return this.sensitive("public");
  }

  /** The value is another one in each recording of the same session: a time, a random number, a key. */
  varies(): Type<V, O> {
    return new Type({ ...this.row, sameness: { form: "varies" } });
  }

  /** The value only stands for something: another one does as well, if it does so everywhere. */
  standsFor(what: string, within: "conversation" | "recording" = "recording"): Type<V, O> {
    return new Type({ ...this.row, sameness: { form: "stands for", what, within } });
  }
}

function sensitiveRow(row: Row, sensitive: Sensitive): Row {
  const { element, elements, content, choices, otherwise } = row;
  return {
    ...row,
    sensitive,
    ...(element && { element: sensitiveRow(element, sensitive) }),
    ...(elements && { elements: elements.map((one) => sensitiveRow(one, sensitive)) }),
    ...(content && { content: sensitiveRow(content, sensitive) }),
    ...(choices && { choices: new Map([...choices].map(([value, one]) => [value, sensitiveRow(one, sensitive)])) }),
    ...(otherwise && { otherwise: sensitiveRow(otherwise, sensitive) }),
  };
}

/** The plain value of a type: what `plainValue` gives and `encode` takes. */
export type Infer<T> = T extends Type<infer V, boolean> ? V : never;

/** The members of a struct, in the order of the wire. */
export type Members = Readonly<Record<string, Type<unknown, boolean>>>;

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** The plain value of a struct with these members. */
export type InferMembers<M extends Members> = Simplify<
  { [K in keyof M as M[K] extends Type<unknown, false> ? K : never]: Infer<M[K]> } & {
    [K in keyof M as M[K] extends Type<unknown, false> ? never : K]?: Infer<M[K]>;
  }
>;
