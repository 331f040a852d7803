import { type Codec, coded, halfUnitIn, readUtf16 } from "../../../../src/schema/index.js";

function measureCounted(view: DataView, start: number, limit: number): number {
  if (start + 4 > limit) return -4;
  const length = 4 + view.getUint32(start, true);
  return start + length > limit ? -length : length;
}

function afterCount(content: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(4 + content.length);
  bytes.writeUInt32LE(content.length, 0);
  bytes.set(content, 4);
  return bytes;
}

const vaultStringCodec: Codec<string> = {
  measure: measureCounted,
  read: (bytes, start, end) => readUtf16(bytes, start + 4, end),
  remark: halfUnitIn,
  write: (value) => afterCount(Buffer.from(`${value}\0`, "utf16le")),
};

/**
 * UTF-16 text with a zero at its end, after the count of its bytes (u32), zero included.
 * Source: vault "Vault node network format"; pnNetProtocol/pnNpCommon.cpp.
 */
export const vaultString = coded("vaultString", vaultStringCodec);

const vaultBlobCodec: Codec<Uint8Array> = {
  measure: measureCounted,
  read: (bytes, start, end) => bytes.subarray(start + 4, end),
  write: afterCount,
};

/** Bytes after their count (u32). Source: vault "Vault node network format"; pnNetProtocol/pnNpCommon.cpp. */
export const vaultBlob = coded("vaultBlob", vaultBlobCodec);
