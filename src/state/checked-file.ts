import { md5 } from "@noble/hashes/legacy.js";
import { Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2, zlibInflateReset } from "pako";
import { counted } from "../common/counted.js";
import type { TransferredFile } from "./transfers.js";

/** What tells zlib to expect gzip, with windows of any length (zlib.h, "inflateInit2"). */
const GZIP = 15 + 16;
/** The greatest factor by which a zlib stream can grow when inflated. */
const MOST_PER_BYTE = 1032;

/** A file that was transferred, as it is of use: unpacked if the list says that it is packed. */
export interface CheckedFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** Whether it is whole, and what the list says. */
  readonly state: string;
  /** True if `content` is not what was transferred, but what was packed in that. */
  readonly isUnpacked: boolean;
}

/** Holds a file against the list of files, and unpacks it. @param mostBytes of what is unpacked */
export function checkedFile(file: TransferredFile, mostBytes: number): CheckedFile {
  const { name, size, bytes, isWhole, error, listed } = file;
  const asSent = (state: string): CheckedFile => ({ name, content: bytes, state, isUnpacked: false });
  if (error !== undefined) return asSent(`refused: ${error}`);
  if (!isWhole) return asSent(`incomplete: ${bytes.length} of ${counted(size, "byte")}`);
  if (listed === undefined) return asSent("whole; no list has it");
  if (listed.transferHash !== "" && !hasHash(bytes, listed.transferHash))
    return asSent("not what the list says: the MD5 differs");
  if (!listed.isPacked) return asSent("whole, as listed");
  const content = unpacked(bytes, Math.min(mostBytes, Math.max(listed.size, 1)));
  if (content === undefined) return asSent("whole, as listed; it cannot be unpacked");
  const isSame = hasHash(content, listed.hash);
  const state = isSame ? "whole, as listed, unpacked" : "unpacked; not what the list says: the MD5 differs";
  return { name: listed.name, content, state, isUnpacked: true };
}

/** What is packed as gzip; undefined if it is damaged, or longer than `mostBytes`. */
export function unpacked(bytes: Uint8Array, mostBytes: number): Uint8Array | undefined {
  const stream = new ZStream();
  zlibInflateInit2(stream, GZIP);
  const output = new Uint8Array(Math.min(mostBytes, MOST_PER_BYTE * bytes.length));
  stream.input = bytes;
  stream.next_in = 0;
  stream.avail_in = bytes.length;
  stream.output = output;
  stream.next_out = 0;
  stream.avail_out = output.length;
  for (;;) {
    if (zlibInflate(stream, Z_FINISH) !== Z_STREAM_END) return undefined;
    // Zeros may fill it up; anything else has to be another member.
    if (stream.avail_in === 0 || bytes[stream.next_in] === 0) return output.subarray(0, stream.next_out);
    zlibInflateReset(stream);
  }
}

/** @param hash MD5 in hexadecimal digits */
function hasHash(bytes: Uint8Array, hash: string): boolean {
  const digits = Array.from(md5(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  return digits.join("") === hash.toLowerCase();
}
