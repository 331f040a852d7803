/** The bytes of a message of the game server that carries a plNetMessage. */
export function propagated({
  hex,
  classIndex,
}: {
  readonly hex: string;
  readonly classIndex: number | null;
}): Uint8Array {
  const content = Buffer.from(hex, "hex");
  const header = Buffer.alloc(10);
  header.writeUInt16LE(2, 0);
  header.writeUInt32LE(classIndex ?? 0, 2);
  header.writeUInt32LE(content.length, 6);
  return Buffer.concat([header, content]);
}
