/** The packets of an Ogg file with one stream, without its heads. */
export function packetsIn(file: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  for (let at = 0; at < file.length; ) {
    const segments = file.subarray(at + 27, at + 27 + (file[at + 26] ?? 0));
    at += 27 + segments.length;
    for (const length of segments) {
      open.push(file.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      packets.push(Buffer.concat(open));
      open = [];
    }
  }
  return packets.slice(2);
}
