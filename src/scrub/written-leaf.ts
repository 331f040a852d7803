import { encodeLeaf } from "../schema/encode/encode-leaf.js";
import type { Field } from "../schema/language/field.js";

/** A secret that cannot be replaced, or a length that does not fit into its field. */
export class UnwritableError extends Error {}

/**
 * The bytes of a leaf with another value.
 *
 * @throws UnwritableError if the field cannot hold it
 */
export function writtenLeaf(field: Field, value: unknown): Uint8Array {
  try {
    return encodeLeaf(field, value);
  } catch (error) {
    throw new UnwritableError(`${field.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
