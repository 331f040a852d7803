import { readCapture } from "../../src/capture/reader.js";
import { openCapture } from "../../src/platform/node/capture-file.js";

/** A line of `--json`, as far as it is looked into. */
interface Line {
  readonly number: number;
  readonly stream: number;
  readonly frames: readonly number[];
  readonly capture?: unknown;
  readonly summary: string;
  readonly payloadId?: string;
  readonly names?: unknown;
  readonly answers?: { readonly number: number };
}

/** A part of a capture: the texts of its packets, and its lines. */
export interface ReadPart {
  readonly packets: readonly string[];
  readonly lines: readonly Line[];
}

/** A text for each packet of a capture, by which it can be found in another one. */
export async function packetsOf(path: string): Promise<readonly string[]> {
  const packets: string[] = [];
  await readCapture(openCapture(path), path, {
    packet: ({ seconds, nanoseconds, linkType, originalLength, data }) => {
      packets.push(`${seconds}.${nanoseconds} ${linkType} ${originalLength} ${Buffer.from(data).toString("hex")}`);
    },
    problem: ({ text }) => {
      throw new Error(text);
    },
  });
  return packets;
}

/** For each packet of a part, its frame in the whole. @param taken frames that other parts have */
function framesIn(whole: readonly string[], part: readonly string[], taken: Set<number>): number[] {
  let at = 0;
  return part.map((packet) => {
    for (; at < whole.length; at++) {
      if (whole[at] !== packet || taken.has(at + 1)) continue;
      taken.add(++at);
      return at;
    }
    throw new Error("a part has a packet that is not in the whole, or in another order");
  });
}

function known<K, V>(map: ReadonlyMap<K, V>, key: K, what: string): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`${what} ${String(key)} is not in the whole`);
  return value;
}

/**
 * The lines of all parts as the whole would number them. Frames are translated by the packets themselves, conversations by
 * the frames, and messages by their order in a conversation: nothing that a line says besides these numbers is touched.
 */
export function inNumbersOfWhole(whole: ReadPart, parts: readonly ReadPart[]): Line[] {
  const streamOf = new Map<number, number>();
  const numbersOf = new Map<number, number[]>();
  for (const { frames, stream, number } of whole.lines) {
    for (const frame of frames) streamOf.set(frame, stream);
    const numbers = numbersOf.get(stream);
    if (numbers === undefined) numbersOf.set(stream, [number]);
    else numbers.push(number);
  }
  const [first] = whole.lines;
  const taken = new Set<number>();
  const lines = parts.flatMap((part) => {
    const frames = framesIn(whole.packets, part.packets, taken);
    const frameOf = (frame: number) => frames[frame - 1] ?? 0;
    const streams = new Map<number, number>();
    const numbers = new Map<number, number>();
    for (const { stream, number, frames: own } of part.lines) {
      if (!streams.has(stream)) streams.set(stream, known(streamOf, frameOf(own[0] ?? 0), "frame"));
      const next = numbersOf.get(known(streams, stream, "stream"))?.shift();
      if (next !== undefined) numbers.set(number, next);
    }
    return part.lines.map((line) => ({
      ...line,
      number: known(numbers, line.number, "message"),
      stream: known(streams, line.stream, "stream"),
      frames: line.frames.map(frameOf),
      ...(first?.capture !== undefined && { capture: first.capture }),
      summary: line.summary.replaceAll(/#(\d+)/g, (text, digits) => {
        const number = numbers.get(Number(digits));
        return number === undefined ? text : `#${number}`;
      }),
      ...(line.answers && {
        answers: { ...line.answers, number: known(numbers, line.answers.number, "message") },
      }),
    }));
  });
  if (taken.size !== whole.packets.length)
    throw new Error(`${whole.packets.length - taken.size} packets are in no part`);
  return lines.sort((one, other) => one.number - other.number);
}
