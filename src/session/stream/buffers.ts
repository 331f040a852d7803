import { viewOf } from "../../schema/language/byte-source.js";

/** A buffer and a view of it. */
interface ViewedBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

const SMALLEST = 2048;
/** Larger buffers are not kept for reuse. */
const LARGEST_KEPT = 64 * 1024;
/** How many bytes of unused buffers of one size are kept. */
const MOST_KEPT = 256 * 1024;

export const NO_BUFFER: ViewedBuffer = viewed(new Uint8Array(0));

/** Unused buffers, indexed by how many times the smallest size was doubled. */
const spare = Array.from({ length: 1 + Math.log2(LARGEST_KEPT / SMALLEST) }, (): ViewedBuffer[] => []);

/**
 * Returns a buffer of at least this length. In most directions of most conversations nothing waits at any given time;
 * the others take turns with the same few buffers.
 */
export function acquireBuffer(length: number): ViewedBuffer {
  const doubled = doublings(length);
  return spare[doubled]?.pop() ?? viewed(new Uint8Array(SMALLEST * 2 ** doubled));
}

/** Gives back a buffer that is no longer in use. */
export function releaseBuffer(buffer: ViewedBuffer): void {
  const { length } = buffer.bytes;
  const kept = length === 0 ? undefined : spare[doublings(length)];
  if (kept !== undefined && kept.length * length < MOST_KEPT) kept.push(buffer);
}

/** How many times the smallest size has to be doubled to hold `length` bytes. */
function doublings(length: number): number {
  return length <= SMALLEST ? 0 : 32 - Math.clz32((length - 1) / SMALLEST);
}

function viewed(bytes: Uint8Array): ViewedBuffer {
  return { bytes, view: viewOf(bytes) };
}
