import { OTHERS } from "./bounded-map.js";

/**
 * The key under which the traffic of a protocol is counted, "tcp moul.auth" (without a protocol if it is not known),
 * and the key for all that is too many to be counted by itself.
 */
export function protocolKeys(transport: string, protocol?: string): readonly [key: string, others: string] {
  return [protocol === undefined ? transport : `${transport} ${protocol}`, `${transport} ${OTHERS}`];
}
