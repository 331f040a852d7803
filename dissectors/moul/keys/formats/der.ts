/** One element of ASN.1's distinguished encoding (DER). */
export interface DerElement {
  /** The identifier byte: `derInteger` and its siblings. */
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Identifier bytes of the elements that key files use (ITU-T X.690). */
export const derInteger = 0x02;
export const derOctetString = 0x04;
export const derObjectIdentifier = 0x06;
export const derSequence = 0x30;

/** Header and length of the first element in `bytes`; undefined where no element of a definite length begins. */
export function derHeader(bytes: Uint8Array): { tag: number; start: number; length: number } | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return { tag, start: 2, length: first };
  const lengthBytes = first & 0x7f;
  if (lengthBytes < 1 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) return undefined;
  const length = bytes.subarray(2, 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0);
  return { tag, start: 2 + lengthBytes, length };
}

/** The elements that fill `bytes` one after the other; undefined if they do not fill it exactly. */
export function derElements(bytes: Uint8Array): DerElement[] | undefined {
  const elements: DerElement[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const header = derHeader(rest);
    if (header === undefined || header.start + header.length > rest.length) return undefined;
    const end = header.start + header.length;
    elements.push({ tag: header.tag, content: rest.subarray(header.start, end) });
    rest = rest.subarray(end);
  }
  return elements;
}
