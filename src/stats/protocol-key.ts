import { OTHERS } from "./bounded-map.js";

/**
 * The key under which the traffic of a protocol is counted, such as "tcp moul.auth" (without a protocol if it is not
 * known), and the key shared by protocols that are too many to be counted separately.
 */
export function protocolKeys(transport: string, protocol?: string): readonly [key: string, others: string] {
  return [protocol === undefined ? transport : `${transport} ${protocol}`, `${transport} ${OTHERS}`];
}

/** What a key stands for; without a protocol if it is not known. */
export function protocolOf(key: string): { readonly transport: string; readonly protocol: string | undefined } {
  const end = key.indexOf(" ");
  return end < 0
    ? { transport: key, protocol: undefined }
    : { transport: key.slice(0, end), protocol: key.slice(end + 1) };
}
