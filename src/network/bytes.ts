// Shifts are used because a DataView would have to be made for every packet, and Buffer's readers are slower
// (measured). Bytes beyond the end read as 0, so callers check lengths where it matters.

/** The unsigned 16-bit number at an offset, big-endian. */
export function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** The same, little-endian. */
export function u16Little(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

/** The unsigned 24-bit number at an offset, big-endian. */
export function u24(bytes: Uint8Array, at: number): number {
  return (u16(bytes, at) << 8) | (bytes[at + 2] ?? 0);
}

/**
 * The 32 bits at an offset, big-endian, as a signed number: sequence numbers and addresses are only compared and
 * subtracted, and as signed numbers they remain small integers in the engine.
 */
export function i32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
