/**
 * Bytes of a capture as pcap-parser wants them behind the header of the file: with what it calls of a Buffer. It cuts
 * pieces off three times for every packet, and puts the names of methods together for every number; with a Buffer that
 * takes longer than all else that is done to list the conversations of a capture.
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

  /** All of some bytes, which are not copied. */
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
