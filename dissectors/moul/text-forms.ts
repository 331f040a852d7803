import type { TextForm } from "moul-dissect/dissector";

function inverted(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => ~byte);
}

/** How texts in game messages and vault nodes look on the wire: those of SafeString and safeWString. */
export const textForms: readonly TextForm[] = [
  { name: "SafeString", encode: (text) => inverted(Buffer.from(text, "utf8")) },
  { name: "SafeWString", encode: (text) => inverted(Buffer.from(text, "utf16le")) },
];
