import type { NameOf } from "../language/type.js";

/** Thrown for a value that cannot be encoded: the message says which field, and why. */
export class EncodeError extends Error {}

/** Options of `encode`. */
export interface EncodeOptions {
  /** True if the value may end early, as one decoded from malformed or truncated bytes does. */
  readonly isPartial?: boolean;
  /** Passed to `resolved` types, as in decoding. */
  readonly settings?: unknown;
  /** The names that the traffic had shown when the value was decoded. */
  readonly nameOf?: NameOf;
}

/** The members of a struct. */
export type Members = Readonly<Record<string, unknown>>;

/** Bytes under construction. */
export class Output {
  readonly #parts: Uint8Array[] = [];

  constructor(
    readonly options: Required<EncodeOptions>,
    /** The struct that is being encoded. */
    public members: Members,
  ) {}

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
