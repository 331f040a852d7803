import { isPcapMagic } from "./pcap.js";
import { BlockType, viewOf } from "./pcapng-blocks.js";

/** Number of bytes at the start of a file that show its format. */
const MAGIC_LENGTH = 4;

type CaptureFormat = "pcap" | "pcapng";

/** The capture format of a file that begins with the given bytes; undefined if it is not a supported one. */
export function captureFormat(start: Uint8Array): CaptureFormat | undefined {
  if (start.length < MAGIC_LENGTH) return undefined;
  const magic = viewOf(start).getUint32(0);
  if (isPcapMagic(magic)) return "pcap";
  return magic === BlockType.section ? "pcapng" : undefined;
}
