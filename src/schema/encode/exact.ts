/**
 * A value together with its bytes, for which the usual writer would make other bytes: a text in an outdated form, a NaN
 * with a payload, the output of another compressor. `encode` writes the bytes as they are. An element that could not be
 * dissected has only bytes: its value is undefined.
 */
export class Exact {
  constructor(
    readonly value: unknown,
    readonly bytes: Uint8Array,
  ) {}
}
