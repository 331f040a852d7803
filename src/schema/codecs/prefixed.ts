import { counted } from "../../common/counted.js";
import { expectMembers } from "../../common/expect-object.js";
import { asBytes, encodeLeaf } from "../encode/encode-leaf.js";
import { viewOf } from "../language/byte-source.js";
import type { Codec, CodecPlan } from "../language/codec.js";
import { checkMask } from "../language/condition.js";
import { Field } from "../language/field.js";
import { expectType } from "../language/is-type.js";
import { claimedLength, expectFactors, FACTORS, type Factors, type Length } from "../language/length.js";
import { fits, Opcode, rangeOf } from "../language/opcode.js";
import { expectNumber } from "../language/struct-check.js";
import { Type } from "../language/type.js";
import { wholeNumberEntry } from "../table/compile.js";
import type { FieldEntry } from "../table/struct-table.js";
import { readCodedControl, readNumber } from "../tree/leaf.js";
import { halfUnitIn } from "../tree/text.js";
import { bytes, text, utf16 } from "../words/composites.js";
import { textForm } from "./text-form.js";

/** Options of `prefixed`. */
export interface PrefixedOptions extends Factors {
  /** True if the length includes a zero at the end of the text: it is not shown, and the usual writer writes it. */
  readonly endsWithZero?: boolean;
  /** Name of the type, as shown to people; by default as in "u8-prefixed text". */
  readonly kind?: string;
}

const OPTIONS = [...FACTORS, "endsWithZero", "kind"];
const CONTENTS = new Map<unknown, "bytes" | "text" | "utf16le">([
  [bytes, "bytes"],
  [text, "text"],
  [utf16, "utf16le"],
]);
const SUBJECT = "the length in front of a prefixed text";

/**
 * Text or bytes right after their own length: `prefixed(u8, text)` is a string of Pascal. The length is a whole number
 * of any type; it counts bytes, unless `mask`, `times` and `plus` say otherwise, as in `Length`:
 * `prefixed(u16, utf16, { times: 2 })` counts units of UTF-16.
 */
export function prefixed<V extends string | Uint8Array>(
  length: Type<unknown>,
  of: (length: Length) => Type<V>,
  options: PrefixedOptions = {},
): Type<V> {
  expectLengthType(length);
  expectMembers(options, OPTIONS, "an option of prefixed()");
  expectFactors(options);
  if (options.mask !== undefined) checkMask(options.mask, SUBJECT);
  const content = CONTENTS.get(of);
  if (content === undefined) throw new Error("prefixed() is given bytes, text or utf16 itself: prefixed(u8, text)");
  const { endsWithZero = false, kind = `${length.descriptor.kind}-prefixed ${content}` } = options;
  if (endsWithZero && content === "bytes")
    throw new Error("prefixed bytes have no zero at their end: endsWithZero is for texts");
  const prefix = new Prefix(length, options);
  const { mask, times = 1, plus = 0 } = options;
  const parts = { content, endsWithZero, times, plus, ...(mask !== undefined && { mask: mask >>> 0 }) };
  const plan: CodecPlan = { form: "prefixed", length: length.descriptor, parts };
  const codec = { ...(content === "bytes" ? bytesCodec(prefix) : textCodec(prefix, content, endsWithZero)), plan };
  return new Type({ opcode: Opcode.Codec, kind, width: 0, codec });
}

function expectLengthType(length: Type<unknown>): void {
  expectType(length, SUBJECT);
  const { codec, opcode, conditions } = length.descriptor;
  if (conditions !== undefined) throw new Error(`${SUBJECT} cannot have conditions: put them on the text`);
  if (codec?.isWholeNumber !== true) expectNumber(opcode, "number", SUBJECT);
}

/** The length in front of a leaf. */
class Prefix {
  readonly #entry: FieldEntry;
  readonly #field: Field;
  readonly #factors: Required<Factors>;

  constructor(type: Type<unknown>, { mask = -1, times = 1, plus = 0 }: Factors) {
    this.#field = new Field("length", type.descriptor);
    this.#entry = wholeNumberEntry(this.#field);
    this.#factors = { mask, times, plus };
  }

  /** True if every number that the length can be makes sense. */
  get isSound(): boolean {
    const { codec } = this.#field;
    const { mask, times } = this.#factors;
    const { least, greatest } = rangeOf(this.#field);
    const extremes = mask === -1 ? [least, greatest] : [0, mask];
    return codec === undefined && Number.isInteger(times) && extremes.every((one) => isLength(this.#claim(one)));
  }

  #claim(number: number): number {
    return claimedLength(this.#factors, number);
  }

  /** Returns the width of the length itself; if it is not all there, the width needed, negated. */
  width(view: DataView, start: number, limit: number): number {
    const { width, codec } = this.#field;
    if (codec !== undefined) return codec.measure(view, start, limit);
    return start + width > limit ? -width : width;
  }

  /** Returns the number of bytes that should follow: it may be negative, or not whole. */
  claimed(view: DataView, start: number, width: number): number {
    const { opcode, codec } = this.#field;
    if (codec === undefined) return this.#claim(readNumber(opcode, view, start));
    const all = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    return this.#claim(readCodedControl(this.#entry, all, start, start + width));
  }

  /** Returns where what follows the length begins. */
  after(bytes: Uint8Array, start: number, end: number): number {
    const { width, codec } = this.#field;
    return start + (codec === undefined ? width : codec.measure(viewOf(bytes), start, end));
  }

  measure(view: DataView, start: number, limit: number): number {
    const width = this.width(view, start, limit);
    if (width < 0) return width;
    const claimed = this.claimed(view, start, width);
    const length = isLength(claimed) ? width + claimed : width;
    return start + length > limit ? -length : length;
  }

  /** Says what is wrong with the length, as words that follow the name of the leaf. */
  problem(bytes: Uint8Array, start: number, end: number): string | undefined {
    const after = this.after(bytes, start, end);
    const own = this.#field.codec?.problem?.(bytes, start, after);
    if (own !== undefined) return `has a length that ${own}`;
    const claimed = this.claimed(viewOf(bytes), start, after - start);
    return isLength(claimed) ? undefined : `would have a length of ${claimed}`;
  }

  /** Returns some bytes with their length in front. */
  write(content: Uint8Array): Uint8Array {
    const { mask, times, plus } = this.#factors;
    const number = (content.length - plus) / times;
    const most = this.#claim(mask === -1 ? rangeOf(this.#field).greatest : mask);
    if (content.length > most) throw new RangeError(`holds at most ${counted(most, "byte")}`);
    const isExact = Number.isInteger(number) && this.#claim(number) === content.length;
    if (!isExact || !fits(number, this.#field)) {
      throw new RangeError(`takes ${content.length} bytes, which its length cannot say`);
    }
    return Buffer.concat([encodeLeaf(this.#field, number), content]);
  }
}

function isLength(claimed: number): boolean {
  return Number.isInteger(claimed) && claimed >= 0;
}

/** What all leaves after their length have in common. */
function common(prefix: Prefix): Pick<Codec<unknown>, "measure" | "problem"> {
  return {
    measure: (view, start, limit) => prefix.measure(view, start, limit),
    ...(!prefix.isSound && { problem: (all, start, end) => prefix.problem(all, start, end) }),
  };
}

function bytesCodec(prefix: Prefix): Codec<Uint8Array> {
  return {
    ...common(prefix),
    read: (all, start, end) => all.subarray(prefix.after(all, start, end), end),
    yields: "text",
    write: (value) => prefix.write(asBytes(value)),
  };
}

function textCodec(prefix: Prefix, kind: "text" | "utf16le", endsWithZero: boolean): Codec<string> {
  const form = textForm(kind === "text" ? "utf8" : kind, endsWithZero);
  return {
    ...common(prefix),
    read: (all, start, end) => form.read(all, prefix.after(all, start, end), end),
    yields: "text",
    ...(kind === "utf16le" && {
      remark: (length, all, start) => halfUnitIn(start + length - prefix.after(all, start, start + length)),
    }),
    copyAscii: (all, start, end, target, at) => form.copyAscii(all, prefix.after(all, start, end), end, target, at),
    write: (value) => prefix.write(form.write(value)),
  };
}
