import { packed } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

/** IPv4 address as a number: 127.0.0.1 is 0x7f000001. Source: specification, "packed IPv4". */
export const ipv4 = packed(u32, (address) =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join("."),
).sensitive("ip-address");
