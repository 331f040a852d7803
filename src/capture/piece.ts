/**
 * Bytes of a capture in the form that pcap-parser wants after the file header: with the Buffer methods that it calls.
 * It slices three times per packet and builds a method name for every number it reads; with a Buffer, that takes longer
 * than everything else needed to list the conversations of a capture.
 */
export class Piece {
  readonly #view: DataView;
  readonly #start: number;
  readonly #isLittleEndian: boolean;
  /** Number of bytes. */
  readonly length: number;

  private constructor(view: DataView, start: number, length: number, isLittleEndian: boolean) {
    this.#view = view;
    this.#start = start;
    this.#isLittleEndian = isLittleEndian;
    this.length = length;
  }

  /** Wraps bytes without copying them. */
  static of({ buffer, byteOffset, length }: Uint8Array, isLittleEndian: boolean): Piece {
    return new Piece(new DataView(buffer, byteOffset, length), 0, length, isLittleEndian);
  }

  /** The bytes: a view, not a copy. */
  get bytes(): Uint8Array {
    const { buffer, byteOffset } = this.#view;
    return new Uint8Array(buffer, byteOffset + this.#start, this.length);
  }

  slice(start: number, end = this.length): Piece {
    return new Piece(this.#view, this.#start + start, end - start, this.#isLittleEndian);
  }

  readUInt32(offset: number): number {
    return this.#view.getUint32(this.#start + offset, this.#isLittleEndian);
  }
}
