import { packed, secondText } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

/** Seconds since 1970. */
export const unixTime = packed(u32, (seconds) => `${secondText(seconds)}Z`).varies();
