/**
 * A value together with its bytes, where the usual writer would make other bytes of it: a text in an outdated form, a
 * NaN with a payload, the output of another compressor. `encode` writes the bytes as they are. Of an element that could
 * not be taken apart there are only the bytes: the value is undefined.
 */
export class Exact {
  constructor(
    readonly value: unknown,
    readonly bytes: Uint8Array,
  ) {}
}
