/** The language in which wire formats are declared. */

export { type Bits, bits } from "./bits.js";
export { viewOf } from "./byte-source.js";
export type { Answer, Circumstances, Referent } from "./circumstances.js";
export type { Codec } from "./codec.js";
export {
  array,
  bytes,
  choice,
  coded,
  type Factors,
  type Findable,
  type Polymorphic,
  polymorphic,
  resolved,
  text,
  tuple,
  undeclared,
  usually,
  utf16,
  within,
  withinEither,
} from "./composites.js";
export { atLeast, below, type Condition, equals, flag, isFalse, isTrue, masked, notEquals } from "./condition.js";
export { copyOf } from "./copy-of.js";
export { Decoder, Extent, type Window } from "./decode.js";
export { type DerivedFlags, derivedFlags } from "./derived-flags.js";
export { EncodeError, type EncodeOptions, encode } from "./encode.js";
export { Family, type FamilyOptions } from "./family.js";
export type { DecodedTree, FieldTree, Note, Severity } from "./field-tree.js";
export { microsecondText, secondText } from "./instant.js";
export type { Json } from "./json.js";
export { hex, type LeafValue } from "./leaf.js";
export {
  type BitNames,
  bool,
  enumeration,
  flags,
  i8,
  type Names,
  packed,
  reference,
  remarked,
  u8,
  uuid,
} from "./numbers.js";
export { type OptionalBy, optionalBy } from "./optional-by.js";
export type { Outcome } from "./outcome.js";
export { type PrefixedOptions, prefixed } from "./prefixed.js";
export { type Disclosure, type Sensitive, type SensitiveKind, sensitiveKinds } from "./sensitive.js";
export { singleText } from "./single-text.js";
export {
  type Derived,
  derive,
  group,
  type Introduction,
  type Struct,
  type StructOptions,
  StructType,
  struct,
} from "./struct.js";
export { type TerminatedOptions, terminated } from "./terminated.js";
export { decodeText, decodeUtf16, halfUnitIn, readUtf16 } from "./text.js";
export { type Infer, type InferMembers, type Length, type Members, type NameOf, rest, Type } from "./type.js";
export { plainValue } from "./value.js";
