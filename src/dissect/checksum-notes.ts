import type { ChecksumNote } from "../network/conversation.js";
import type { DirectionStream } from "../session/direction-stream.js";
import type { MessageNote } from "./message.js";

/**
 * What is wrong with the checksums of the packets that the next bytes of a stream came in. Those that were left to the
 * network card are not mentioned: of what a machine sends itself that is all of them.
 */
export function checksumNotes(stream: DirectionStream, length: number): readonly MessageNote[] {
  return stream.originsOf(length).flatMap(({ frame, checksums = [] }) => {
    const wrong = checksums.filter(({ isOffloaded }) => !isOffloaded);
    return wrong.map((note): MessageNote => {
      return { severity: "warning", path: "", text: `${wrongChecksumText(frame, note)}: it may be damaged` };
    });
  });
}

/** Which checksum a frame has, and which it should have. */
export function wrongChecksumText(frame: number, { layer, found, expected }: ChecksumNote): string {
  return `frame ${frame} has the ${layer} checksum ${hex(found)} where ${hex(expected)} fits`;
}

function hex(checksum: number): string {
  return `0x${checksum.toString(16).padStart(4, "0")}`;
}
