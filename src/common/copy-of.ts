/** Returns a copy of some bytes. `slice()` would not do: that of a Buffer copies nothing. */
export function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
