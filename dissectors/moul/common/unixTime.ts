import { packed, secondText } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** Seconds since 1970. */
export const unixTime = packed(u32, (seconds) => `${secondText(seconds)}Z`).varies();
