/** Reads and changes TCP headers in IP packets, without the code under test. */

/** What a TCP segment says. */
export interface TcpFields {
  readonly sequence: number;
  readonly acknowledgment: number;
  readonly flags: number;
  readonly payload: Uint8Array;
}

/** Where the TCP header begins: the samples have no extension headers. */
function headerStart(ip: Uint8Array): number {
  const first = ip[0] ?? 0;
  return first >> 4 === 6 ? 40 : (first & 0x0f) * 4;
}

function viewOf(ip: Uint8Array): DataView {
  return new DataView(ip.buffer, ip.byteOffset, ip.byteLength);
}

export function isTcp(ip: Uint8Array): boolean {
  return ip.length >= 40 && ip[(ip[0] ?? 0) >> 4 === 6 ? 6 : 9] === 6;
}

/** The length that the IP header states: Ethernet may have padded the packet. */
export function lengthOf(ip: Uint8Array): number {
  const view = viewOf(ip);
  return (ip[0] ?? 0) >> 4 === 6 ? 40 + view.getUint16(4) : view.getUint16(2);
}

export function fieldsOf(ip: Uint8Array): TcpFields {
  const start = headerStart(ip);
  const view = viewOf(ip);
  return {
    sequence: view.getUint32(start + 4),
    acknowledgment: view.getUint32(start + 8),
    flags: ip[start + 13] ?? 0,
    payload: ip.subarray(start + ((ip[start + 12] ?? 0) >> 4) * 4, lengthOf(ip)),
  };
}

/** A copy of a packet with other numbers or flags. */
export function changed(ip: Uint8Array, fields: Partial<Omit<TcpFields, "payload">>): Uint8Array {
  const copy = ip.slice();
  const start = headerStart(ip);
  const view = viewOf(copy);
  if (fields.sequence !== undefined) view.setUint32(start + 4, fields.sequence >>> 0);
  if (fields.acknowledgment !== undefined) view.setUint32(start + 8, fields.acknowledgment >>> 0);
  if (fields.flags !== undefined) copy[start + 13] = fields.flags;
  return copy;
}

/** The source address and port in hexadecimal digits, and the destination's. */
export function endsIn(ip: Uint8Array): readonly [source: string, destination: string] {
  const start = headerStart(ip);
  const [at, length] = (ip[0] ?? 0) >> 4 === 6 ? [8, 16] : [12, 4];
  const hex = (from: number, to: number) => Buffer.from(ip.subarray(from, to)).toString("hex");
  const end = (index: 0 | 1) =>
    `${hex(at + index * length, at + (index + 1) * length)}:${hex(start + 2 * index, start + 2 * index + 2)}`;
  return [end(0), end(1)];
}
