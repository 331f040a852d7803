import type { Json } from "../../common/json.js";
import type { FieldTree } from "./field-tree.js";
import type { Names } from "./meaning.js";

/** A value that is not on the wire but follows from it, shown after the fields of a struct. */
export interface Derived {
  readonly name: string;
  readonly doc: string;
  /** Name of the field whose bits it consists of, if any: a struct without that field is refused. */
  readonly bitsOf?: string;
  /** These bits: bits that the field cannot have are refused. */
  readonly mask?: number;
  /** JSON Schema of the value as shown in JSON. */
  readonly schema: Json;
  /** Returns the value for the struct at `node`, or undefined if it has none. */
  readonly of: (nodes: FieldTree, node: number) => Json | undefined;
  /** If the value is some bytes in hexadecimal: those bytes, from which it is written without making a text of them. */
  readonly bytes?: (nodes: FieldTree, node: number) => Uint8Array | undefined;
  /** Like `of`, with names for numbers, as shown in JSON; `of` by default. */
  readonly meaning?: (nodes: FieldTree, node: number) => Json | undefined;
  /** Like `meaning`, where each member has one JSON type: numbers that lack a name are texts where others have one. */
  readonly uniform?: (nodes: FieldTree, node: number) => Json | undefined;
  /** Names of its numbers, or of their bits, for filters and the list of fields. */
  readonly names?: Names;
  /** True if the names are names of bits. */
  readonly areBits?: boolean;
  /** True if its value is a list of the numbers of those bits that are set: the names are names of such numbers. */
  readonly areBitNumbers?: boolean;
  /** False if the tree shows the same already, in the label of another field or in its bytes. */
  readonly inTree?: boolean;
}

/** The name of something else, which is known already. */
export interface NameOfOther {
  /** What kind of thing that is: "age". */
  readonly nameOf: string;
  /** Field with its number or UUID. */
  readonly in: string;
  /** A text before the name; none by default. */
  readonly before?: string;
}

/** Binds a name to what a struct identifies: which of its fields holds the number or UUID, and which the name. */
export interface NameBinding {
  /** The kind of thing that is named: "player". */
  readonly kind: string;
  /** Field with the number or UUID; `a.b` is a field of a struct in this one, as in the following. */
  readonly id: string;
  /** Field with the name, or what else has it, or a function that makes the name from the struct at `node`. */
  readonly name: string | NameOfOther | ((nodes: FieldTree, node: number) => string | undefined);
  /** A field, and the number that it must have for the binding to apply. */
  readonly when?: { readonly field: string; readonly is: number };
  /** Number or UUID that identifies nothing. */
  readonly except?: number | string;
  /** True if other structs give the same thing a better name: this one counts only until such a name is known. */
  readonly provisional?: boolean;
  /** @deprecated The old name of `provisional`. */
  readonly makeshift?: boolean;
}

/** True if other structs give the same thing a better name. */
export function isProvisional({ provisional, makeshift }: NameBinding): boolean {
  return provisional ?? makeshift ?? false;
}

/** @deprecated The old name of `NameBinding`. */
export type Introduction = NameBinding;
