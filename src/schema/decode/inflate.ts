import { Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit } from "pako";
import { counted } from "../../common/counted.js";

/** The result of inflating; `bytes` is as much as could be inflated, even if something is wrong. */
interface Inflated {
  readonly bytes: Uint8Array;
  /** Empty if all is well. */
  readonly problem: string;
}

/** The greatest factor by which a zlib stream can grow when inflated. */
const MOST_PER_BYTE = 1032;

/**
 * Inflates a zlib stream that follows `literal` bytes, which are kept as they are. Never produces more than `expected`
 * bytes: a stream that holds more is stopped there. Nor does it allocate more than the stream can inflate to.
 *
 * @param expected length of the literal and inflated bytes together
 */
export function inflateAfter(literal: number, input: Uint8Array, expected: number): Inflated {
  const output = new Uint8Array(Math.max(Math.min(expected, literal + MOST_PER_BYTE * input.length), literal));
  output.set(input.subarray(0, literal));
  const stream = new ZStream();
  stream.input = input;
  stream.next_in = literal;
  stream.avail_in = Math.max(input.length - literal, 0);
  stream.output = output;
  stream.next_out = literal;
  stream.avail_out = output.length - literal;
  zlibInflateInit(stream);
  const result = zlibInflate(stream, Z_FINISH);
  const bytes = output.subarray(0, stream.next_out);
  const problem = (text: string): Inflated => ({ bytes, problem: `the compressed data ${text}` });
  if (result === Z_STREAM_END) {
    if (bytes.length !== expected)
      return problem(`inflates to ${counted(bytes.length, "byte")} instead of ${expected}`);
    const left = stream.avail_in;
    return left === 0
      ? { bytes, problem: "" }
      : problem(`has ${counted(left, "byte")} left over after its zlib stream`);
  }
  if (stream.avail_out === 0 && stream.avail_in > 0) {
    return problem(`inflates to more than the ${counted(expected, "byte")} that it declares`);
  }
  return problem(`is not a complete zlib stream (${stream.msg || "it ends early"})`);
}
