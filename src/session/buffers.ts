import { viewOf } from "../schema/byte-source.js";

/** A buffer and the view of it. */
export interface ViewedBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

const SMALLEST = 2048;
/** Larger buffers are not kept for others. */
const LARGEST_KEPT = 64 * 1024;
/** Bytes of unused buffers of one size that are kept. */
const MOST_KEPT = 256 * 1024;

export const NO_BUFFER: ViewedBuffer = viewed(new Uint8Array(0));

/** Those of the smallest size, which nearly all are, and the others by their size. */
const small: ViewedBuffer[] = [];
const spare = new Map<number, ViewedBuffer[]>();

/**
 * A buffer of at least this length. At any time most directions of most conversations have nothing that waits: those
 * that do take turns with the same few buffers.
 */
export function takeBuffer(length: number): ViewedBuffer {
  if (length <= SMALLEST) return small.pop() ?? viewed(new Uint8Array(SMALLEST));
  let size = SMALLEST;
  while (size < length) size *= 2;
  return spare.get(size)?.pop() ?? viewed(new Uint8Array(size));
}

/** Gives back a buffer that is no longer in use. */
export function giveBack(buffer: ViewedBuffer): void {
  const size = buffer.bytes.length;
  if (size === SMALLEST) {
    if (small.length * size < MOST_KEPT) small.push(buffer);
    return;
  }
  if (size === 0 || size > LARGEST_KEPT) return;
  const others = spare.get(size);
  if (others === undefined) spare.set(size, [buffer]);
  else if (others.length * size < MOST_KEPT) others.push(buffer);
}

function viewed(bytes: Uint8Array): ViewedBuffer {
  return { bytes, view: viewOf(bytes) };
}
