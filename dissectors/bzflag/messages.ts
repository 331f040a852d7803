import {
  bytes,
  derive,
  type Infer,
  type InferMembers,
  type Members,
  packed,
  type StructOptions,
  type StructType,
  struct,
} from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";

/** Largest whole message, header included. Source: facts, section 1, MaxPacketLen. */
export const MAX_MESSAGE_BYTES = 1024;

/** Bytes of the header: length and code. Source: facts, section 2, "TCP message". */
export const HEADER_BYTES = 4;

/** A code as text: two letters, or a number if it is not printable. */
export function codeText(code: number): string {
  const text = String.fromCharCode(code >>> 8, code & 0xff);
  return /^[!-~]{2}$/.test(text) ? text : `0x${code.toString(16).padStart(4, "0")}`;
}

/** The numeric value of a code given as two letters or as a number. */
export function codeOf(code: string | number): number {
  return typeof code === "number" ? code : (code.charCodeAt(0) << 8) | code.charCodeAt(1);
}

/** The code of a message or of a block of the world: two ASCII letters. Source: facts, section 4. */
export const code = packed(u16, codeText);

const header = struct("message", {
  len: u16.doc("Bytes after the header."),
  code,
});

/**
 * Declares a message: header, then its fields.
 *
 * @param letters its code, or a number if the code is not letters
 */
export function message<M extends Members>(
  name: string,
  letters: string | number,
  members: M,
  options: Pick<StructOptions, "doc" | "introduces"> = {},
): StructType<Infer<typeof header> & InferMembers<M>> {
  return derive(name, header, members, { tag: codeOf(letters), ...options });
}

/** Content of a message whose meaning is up to the programs that exchange it. */
export const content = bytes("len");
