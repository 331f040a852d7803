import { expectMembers } from "../../common/expect-object.js";
import { asString } from "../encode/encode-leaf.js";
import type { Codec } from "../language/codec.js";
import type { Type } from "../language/type.js";
import { coded, text, utf16 } from "../words/composites.js";
import { textForm } from "./text-form.js";

/** Options of `terminated`. */
export interface TerminatedOptions {
  /**
   * True if a text without a zero goes to the end of its region, as the last text of a message may. Where the message
   * does not have a known length, that is the end of the bytes that have arrived.
   */
  readonly zeroMayBeMissing?: boolean;
  /** Name of the type, as shown to people; by default "zero-terminated text". */
  readonly kind?: string;
}

/**
 * Text up to its first zero, which is part of the leaf, but not shown: `terminated(text)` is a string of C, and
 * `terminated(utf16)` ends at a zero unit.
 */
export function terminated(of: typeof text | typeof utf16, options: TerminatedOptions = {}): Type<string> {
  if (of !== text && of !== utf16) throw new Error("terminated() is given text or utf16 itself: terminated(text)");
  expectMembers(options, ["zeroMayBeMissing", "kind"], "an option of terminated()");
  const { zeroMayBeMissing = false, kind = `zero-terminated ${of === text ? "text" : "utf16le"}` } = options;
  return coded(kind, terminatedCodec(of === text ? "utf8" : "utf16le", zeroMayBeMissing));
}

function terminatedCodec(encoding: "utf8" | "utf16le", zeroMayBeMissing: boolean): Codec<string> {
  const { read, copyAscii, write } = textForm(encoding, true);
  const [measure, unit] = encoding === "utf8" ? [toZeroByte, 1] : [toZeroUnit, 2];
  const measureLast: typeof measure = (view, start, limit) => {
    const length = measure(view, start, limit);
    const left = limit - start;
    // A unit of which half is there needs its other half.
    return length > 0 ? length : left % unit === 0 ? left : -(left + 1);
  };
  return {
    measure: zeroMayBeMissing ? measureLast : measure,
    read,
    yields: "text",
    copyAscii,
    plan: { form: "terminated", parts: { encoding, zeroMayBeMissing } },
    write(value) {
      if (asString(value).includes("\0")) throw new RangeError("would end at the zero in it");
      return write(value);
    },
  };
}

function toZeroByte(view: DataView, start: number, limit: number): number {
  for (let at = start; at < limit; at++) if (view.getUint8(at) === 0) return at + 1 - start;
  return -(limit - start + 1);
}

function toZeroUnit(view: DataView, start: number, limit: number): number {
  for (let at = start; at + 2 <= limit; at += 2) if (view.getUint16(at, true) === 0) return at + 2 - start;
  return -(limit - start + 2);
}
