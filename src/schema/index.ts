/** The language in which wire formats are declared. */

export { copyOf } from "../common/copy-of.js";
export type { Json } from "../common/json.js";
export { type PrefixedOptions, prefixed } from "./codecs/prefixed.js";
export { type TerminatedOptions, terminated } from "./codecs/terminated.js";
export { Decoder } from "./decode/decode.js";
export { Extent, type Window } from "./decode/window.js";
export { EncodeError, type EncodeOptions, encode } from "./encode/encode.js";
export { plainValue } from "./encode/value.js";
export type { Codec } from "./language/codec.js";
export {
  array,
  bytes,
  choice,
  coded,
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
} from "./language/composites.js";
export {
  atLeast,
  below,
  type Condition,
  equals,
  flag,
  isFalse,
  isTrue,
  masked,
  notEquals,
} from "./language/condition.js";
export type { Derived, Introduction, NameBinding } from "./language/derived.js";
export { Family, type FamilyOptions } from "./language/family.js";
export { type Factors, type Length, rest } from "./language/length.js";
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
} from "./language/numbers.js";
export { type Disclosure, type Sensitive, type SensitiveKind, sensitiveKinds } from "./language/sensitive.js";
export { type Struct, type StructOptions, StructType } from "./language/struct.js";
export { decodeText, decodeUtf16, halfUnitIn, readUtf16 } from "./language/text.js";
export { type Infer, type InferMembers, type Members, type NameOf, Type } from "./language/type.js";
export { viewOf } from "./tree/byte-source.js";
export { type DerivedFlags, derivedFlags } from "./tree/derived-flags.js";
export type { DecodedTree, FieldTree, Note, Severity } from "./tree/field-tree.js";
export { microsecondText, secondText } from "./tree/instant.js";
export { hex, type LeafValue } from "./tree/leaf.js";
export type { Answer, Circumstances, MessageContext, Referent } from "./tree/message-context.js";
export type { Outcome } from "./tree/outcome.js";
export { singleText } from "./tree/single-text.js";
export { type Bits, bits } from "./words/bits.js";
export { type OptionalBy, optionalBy } from "./words/optional-by.js";
export { derive, group, struct } from "./words/structs.js";
