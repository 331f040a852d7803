/** Returns a Buffer of the same bytes. For use inside only: the types of the package do without those of Node.js. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
