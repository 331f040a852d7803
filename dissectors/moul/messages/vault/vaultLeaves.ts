import { bytes, prefixed, utf16 } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

/**
 * UTF-16 text with a zero at its end, after the count of its bytes (u32), zero included.
 * Source: vault "Vault node network format"; pnNetProtocol/pnNpCommon.cpp.
 */
export const vaultString = prefixed(u32, utf16, { endsWithZero: true, kind: "vaultString" });

/** Bytes after their count (u32). Source: vault "Vault node network format"; pnNetProtocol/pnNpCommon.cpp. */
export const vaultBlob = prefixed(u32, bytes, { kind: "vaultBlob" });
