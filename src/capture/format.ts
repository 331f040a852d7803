import { isPcapMagic } from "./pcap.js";
import { BlockType, viewOf } from "./pcapng-blocks.js";

/** Number of bytes at the start of a file that show its format. */
const MAGIC_LENGTH = 4;

/** Number of bytes at the start of a file that are enough to say what it is, if it is not a capture. */
export const STRANGER_LENGTH = 64;

type CaptureFormat = "pcap" | "pcapng";

/** The capture format of a file that begins with the given bytes; undefined if it is not a supported one. */
export function captureFormat(start: Uint8Array): CaptureFormat | undefined {
  if (start.length < MAGIC_LENGTH) return undefined;
  const magic = viewOf(start).getUint32(0);
  if (isPcapMagic(magic)) return "pcap";
  return magic === BlockType.section ? "pcapng" : undefined;
}

/** First bytes (hexadecimal) of what people give to a dissector by mistake, and what to call it in the message. */
const KNOWN: readonly (readonly [start: string, what: string])[] = [
  // The reader removes one layer of compression, so these are inside another one.
  ["1f8b", "gzip data inside other compressed data; unpack it first, for example with gunzip"],
  ["28b52ffd", "Zstandard data inside other compressed data; unpack it first, for example with unzstd"],
  ["04224d18", "LZ4 data inside other compressed data; unpack it first, for example with unlz4"],
  ["02214c18", "LZ4 data in the legacy format; unpack it first, for example with unlz4"],
  ["fd377a58", "xz data; unpack it first, for example with unxz"],
  ["425a68", "bzip2 data; unpack it first, for example with bunzip2"],
  ["504b0304", "a ZIP archive; unpack it first"],
  ["377abcaf", "a 7-Zip archive; unpack it first"],
  ["736e6f6f", "a snoop capture; convert it with editcap -F pcap"],
  ["474d4255", "a Microsoft Network Monitor capture; convert it with editcap -F pcap"],
  ["fffe", "UTF-16 text, as Windows PowerShell's > writes it; use -o to write captures"],
  ["7f454c46", "an ELF program"],
  ["4d5a", "a Windows program"],
];

/** Says what a file that is not a capture looks like, from its first `STRANGER_LENGTH` bytes. */
export function describeStranger(bytes: Uint8Array): string {
  const start = bytes.subarray(0, STRANGER_LENGTH);
  if (start.length === 0) return "the file is empty";
  const hex = Buffer.from(start.subarray(0, MAGIC_LENGTH)).toString("hex");
  const known = KNOWN.find(([begin]) => hex.startsWith(begin));
  const what = known?.[1] ?? (isText(start) ? "text" : undefined);
  const found = what === undefined ? `it begins with the bytes ${hex}` : `this is ${what}`;
  return `this is not a capture in pcap or pcapng format: ${found}`;
}

/** True if the bytes are UTF-8 without control characters; the last character may be cut. */
function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return !/[^\P{Cc}\t\n\f\r]/u.test(text);
  } catch {
    return false;
  }
}
