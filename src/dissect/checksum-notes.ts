import type { ChecksumNote } from "../network/conversation.js";
import type { DirectionStream } from "../session/stream/direction-stream.js";
import type { MessageNote } from "./message.js";

/**
 * Returns notes on the wrong checksums of the packets in which the next bytes of a stream arrived. Checksums left to
 * the network card are not mentioned: a machine's own packets have no others.
 */
export function checksumNotes(stream: DirectionStream, length: number): readonly MessageNote[] {
  return stream.originsOf(length).flatMap(({ frame, checksums = [] }) => {
    const wrong = checksums.filter(({ isOffloaded }) => !isOffloaded);
    return wrong.map((note): MessageNote => {
      return { severity: "warning", path: "", text: `${wrongChecksumText(frame, note)}: it may be damaged` };
    });
  });
}

/** Says which checksum a frame has, and which it should have. */
export function wrongChecksumText(frame: number, { layer, found, expected }: ChecksumNote): string {
  return `frame ${frame} has the ${layer} checksum ${hex(found)} instead of ${hex(expected)}`;
}

function hex(checksum: number): string {
  return `0x${checksum.toString(16).padStart(4, "0")}`;
}
