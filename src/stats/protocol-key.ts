import { OTHERS } from "./bounded-map.js";

/**
 * Under which a protocol is counted: the transport and, where it is known, the protocol: "tcp moul.auth". Behind it, what
 * it is counted under where there are too many of them.
 */
export function protocolKeys(transport: string, protocol?: string): readonly [key: string, others: string] {
  return [protocol === undefined ? transport : `${transport} ${protocol}`, `${transport} ${OTHERS}`];
}
