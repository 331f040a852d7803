import type { Codec } from "./codec.js";
import type { Condition } from "./condition.js";
import type { Family } from "./family.js";
import type { Length } from "./length.js";
import type { Meaning } from "./meaning.js";
import type { Opcode } from "./opcode.js";
import { expectKinds, type Sensitive } from "./sensitive.js";
import type { Struct } from "./struct.js";

/** Valid names of fields; paths, JSON and filters depend on them. */
export const FIELD_NAME = /^(?!__proto__$)[A-Za-z_]\w*$/;

declare const VALUE: unique symbol;
declare const OPTIONAL: unique symbol;

/** How a region is compressed: `literal` bytes as they are, followed by a zlib stream. */
export interface Compression {
  readonly when: Condition;
  readonly literal: number;
  /** Name of the earlier field that holds the length of the literal and the inflated bytes together. */
  readonly inflatedLength: string;
}

/** The earlier field whose value chooses a type; with a mask, only those bits of it count. */
export type Selector = string | { readonly field: string; readonly mask: number };

/**
 * Finds the type of a field while decoding.
 *
 * @param member returns the plain value of an earlier field of the same struct
 * @param settings the settings of the run, such as descriptors read from files
 * @param nameOf returns the name of something, such as the kind of a game, if the traffic has shown it so far
 * @returns the type, or a sentence that says why there is none
 */
export type Resolver = (member: (name: string) => unknown, settings: unknown, nameOf: NameOf) => Type<unknown> | string;

/** Returns the name of a thing, given its kind and its number or UUID, if the traffic has shown one. */
export type NameOf = (kind: string, id: string) => string | undefined;

/**
 * How a value may differ between two recordings of the same session. Whether it is present, and whether it is zero or
 * empty, is always the same in both.
 *
 * - `varies`: the value is unrelated: a time, a random number, a key;
 * - `stands for`: the value differs, but occurs in the same places: it only identifies something within the
 *   conversation or the whole recording, as the number of a request identifies that request.
 */
export type Sameness =
  | { readonly form: "varies" }
  | { readonly form: "stands for"; readonly what: string; readonly within: "conversation" | "recording" };

/**
 * Everything a declaration says about one type, as plain data. Which members are set depends on the opcode.
 *
 * A type may be a struct or a family of structs, whose fields have types, and what is derived from a decoded struct is
 * derived from a tree of fields: that is why the files of these import each other.
 */
export interface TypeDescriptor {
  readonly opcode: Opcode;
  /** Name of the wire type, as shown to people: `u32le`, `SafeString`, `bytes`, `array`, ... */
  readonly kind: string;
  /** Width in bytes of a leaf of fixed width, else 0. */
  readonly width: number;
  readonly meaning?: Meaning;
  readonly codec?: Codec<unknown>;
  readonly length?: Length;
  readonly encoding?: "utf8" | "utf16le";
  readonly element?: TypeDescriptor;
  readonly elements?: readonly TypeDescriptor[];
  readonly resolver?: Resolver;
  /** The structs that a resolver may find, as far as they are declared. */
  readonly candidates?: readonly TypeDescriptor[];
  /** Structs that may be somewhere in what it finds. */
  readonly parts?: readonly TypeDescriptor[];
  /** For a resolved type: the own names of members of what it finds, by those that JSON has instead. */
  readonly shownNames?: ReadonlyMap<string, string>;
  readonly struct?: Struct;
  readonly family?: Family;
  /** Class from which a polymorphic value must be derived. */
  readonly base?: Struct;
  readonly selector?: Selector;
  readonly choices?: ReadonlyMap<number, TypeDescriptor>;
  readonly otherwise?: TypeDescriptor;
  readonly content?: TypeDescriptor;
  readonly compression?: Compression;
  /** True for a region whose content need not be of its usual type; if it is not, it stays bytes, without a fault. */
  readonly tentative?: boolean;
  /** For a region in which bytes after the content are no fault: what becomes of them, as a clause. */
  readonly leftOver?: string;
  /** For a region: what its content is instead, if only that makes sense, and a note that says so. */
  readonly otherForm?: { readonly content: TypeDescriptor; readonly note: string };
  readonly conditions?: readonly Condition[];
  readonly doc?: string;
  /** True for one of the few facts that the one-line summary of a message shows. */
  readonly inSummary?: boolean;
  /** For undeclared bytes: the reason, as a sentence. */
  readonly undeclared?: string;
  /** What is private about the values. */
  readonly sensitive?: Sensitive;
  /** True for a piece of HTTP, in which only the values of headers and queries are private. */
  readonly isHttp?: boolean;
  readonly sameness?: Sameness;
  /** See `Type.inJson`. */
  readonly jsonName?: string;
}

/**
 * A wire type, as used in declarations. Immutable: each method returns a changed copy. `V` is the type of its plain
 * value, and `O` says whether the field may be absent.
 */
export class Type<out V, out O extends boolean = false> {
  declare readonly [VALUE]: V;
  declare readonly [OPTIONAL]: O;

  constructor(readonly descriptor: TypeDescriptor) {}

  /** Says what the field means, for the tree, `fields` and the reference. */
  doc(text: string): Type<V, O> {
    return new Type({ ...this.descriptor, doc: text });
  }

  /** Makes the field present only if all of these conditions hold, along with any that it already has. */
  when(...conditions: readonly Condition[]): Type<V, true> {
    return new Type({ ...this.descriptor, conditions: [...(this.descriptor.conditions ?? []), ...conditions] });
  }

  /** Shows the field in the one-line summary of a message. Of an array, the type of its elements has to be marked. */
  inSummary(): Type<V, O> {
    return new Type({ ...this.descriptor, inSummary: true });
  }

  /**
   * Marks the values as private, so that `scrub` replaces them. This covers the elements of an array, the content of a
   * region and the types of a choice; the members of a struct are marked one by one.
   */
  sensitive(kind: Sensitive): Type<V, O> {
    expectKinds(kind);
    return new Type(sensitiveDescriptor(this.descriptor, { sensitive: kind }));
  }

  /** Like `sensitive`, for lines of HTTP and for paths: only the values of headers and queries are replaced. */
  sensitiveHttp(kind: Sensitive): Type<V, O> {
    expectKinds(kind);
    return new Type(sensitiveDescriptor(this.descriptor, { sensitive: kind, isHttp: true }));
  }

  /** Marks the values as public names, such as those of files that come with a game: `scrub` keeps them. */
  public(): Type<V, O> {
    return this.sensitive("public");
  }

  /**
   * Gives the field another name in JSON, beside which filters and columns know its own, too: where another message, or
   * another class in the same place, has something of a different JSON type under its name. An alternative of a choice
   * may have one as well.
   */
  inJson(name: string): Type<V, O> {
    if (!FIELD_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid field name`);
    return new Type({ ...this.descriptor, jsonName: name });
  }

  /** Says that the value differs in each recording of the same session: a time, a random number, a key. */
  varies(): Type<V, O> {
    return new Type({ ...this.descriptor, sameness: { form: "varies" } });
  }

  /** Says that the value only identifies something: any other would do, if used in all the same places. */
  standsFor(what: string, within: "conversation" | "recording" = "recording"): Type<V, O> {
    return new Type({ ...this.descriptor, sameness: { form: "stands for", what, within } });
  }
}

/** The descriptor with these marks, as are those of the elements, the content and the choices that it has. */
function sensitiveDescriptor(
  descriptor: TypeDescriptor,
  marks: Pick<TypeDescriptor, "sensitive" | "isHttp">,
): TypeDescriptor {
  const { element, elements, content, choices, otherwise } = descriptor;
  return {
    ...descriptor,
    ...marks,
    ...(element && { element: sensitiveDescriptor(element, marks) }),
    ...(elements && { elements: elements.map((one) => sensitiveDescriptor(one, marks)) }),
    ...(content && { content: sensitiveDescriptor(content, marks) }),
    ...(choices && { choices: new Map([...choices].map(([value, one]) => [value, sensitiveDescriptor(one, marks)])) }),
    ...(otherwise && { otherwise: sensitiveDescriptor(otherwise, marks) }),
  };
}

/** The plain value of a type: what `plainValue` returns and `encode` takes. */
export type Infer<T> = T extends Type<infer V, boolean> ? V : never;

/** The members of a struct, in wire order. */
export type Members = Readonly<Record<string, Type<unknown, boolean>>>;

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** The plain value of a struct with these members. */
export type InferMembers<M extends Members> = Simplify<
  { [K in keyof M as M[K] extends Type<unknown, false> ? K : never]: Infer<M[K]> } & {
    [K in keyof M as M[K] extends Type<unknown, false> ? never : K]?: Infer<M[K]>;
  }
>;
