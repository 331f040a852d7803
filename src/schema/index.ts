/** The language in which wire formats are declared. */

export { copyOf } from "../common/copy-of.js";
export type { Json } from "../common/json.js";
export { type PrefixedOptions, prefixed } from "./codecs/prefixed.js";
export { type TerminatedOptions, terminated } from "./codecs/terminated.js";
export { Decoder } from "./decode/decode.js";
export { Extent, type Window } from "./decode/window.js";
export { encode } from "./encode/encode.js";
export { EncodeError, type EncodeOptions } from "./encode/output.js";
export { plainValue } from "./encode/value.js";
export { viewOf } from "./language/byte-source.js";
export type { Codec } from "./language/codec.js";
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
export type { Derived, Introduction, NameBinding, NameOfOther } from "./language/derived.js";
export { Family, type FamilyOptions } from "./language/family.js";
export type { DecodedTree, FieldTree, LeafValue, Note, Selection, Severity, Wanted } from "./language/field-tree.js";
export { type Factors, type Length, rest } from "./language/length.js";
export type { Names } from "./language/meaning.js";
export type {
  Answer,
  Circumstances,
  MessageContext,
  PlayerTrouble,
  Referent,
  StatedVersion,
} from "./language/message-context.js";
export type { Outcome } from "./language/outcome.js";
export {
  type Disclosure,
  type OwnKind,
  type Sensitive,
  type SensitiveKind,
  sensitiveKinds,
} from "./language/sensitive.js";
export { type Fact, type Struct, type StructOptions, StructType } from "./language/struct.js";
export { type TwinData, withTwin } from "./language/twin.js";
export { type Infer, type InferMembers, type Members, type NameOf, type Resolver, Type } from "./language/type.js";
export { factText } from "./tree/fact-text.js";
export { microsecondText, secondText } from "./tree/instant.js";
export { hex } from "./tree/leaf.js";
export { singleNumber, singleText } from "./tree/single-text.js";
export { decodeText, decodeUtf16, halfUnitIn, readUtf16 } from "./tree/text.js";
export { type Bits, bits } from "./words/bits.js";
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
} from "./words/composites.js";
export { type DerivedFlags, derivedFlags } from "./words/derived-flags.js";
export {
  type BitNames,
  bool,
  enumeration,
  flags,
  i8,
  packed,
  reference,
  remarked,
  u8,
  uuid,
} from "./words/numbers.js";
export { type OptionalBy, optionalBy } from "./words/optional-by.js";
export { derive, group, struct } from "./words/structs.js";
