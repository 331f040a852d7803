import type { Encapsulations } from "../encapsulations.js";
import { readLlc } from "./ethernet.js";
import type { LinkPayload } from "./link-payload.js";

/** Frame control and two addresses (ISO 9314-2, 7.2). */
const HEADER = 13;
/** In the frame control: class bit, address length and format; and the format of LLC frames. */
const FORMAT = 0x30;
const LLC_FORMAT = 0x10;

/** Reads a frame of FDDI; returns what `readLink` does. */
export function readFddi(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const at = start + HEADER;
  if (at > out.data.length) return out.lacks(at);
  return ((out.data[start] ?? 0) & FORMAT) === LLC_FORMAT ? readLlc(at, encapsulations, out) : "FDDI without LLC";
}
