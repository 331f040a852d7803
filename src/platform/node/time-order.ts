import type { Packet } from "../../capture/packet.js";
import { readCapture } from "../../capture/reader.js";
import type { Limits } from "../../limits.js";
import { captureAt, isReadOnce } from "./capture-file.js";

/** When a packet was captured. */
type Time = Pick<Packet, "seconds" | "nanoseconds">;

/**
 * Sorts captures by the time of their first packets: a shell sorts the pieces of one recording as `a.pcap`, `a.pcap1`,
 * `a.pcap10`, `a.pcap2`. A capture without packets stays after the one it was given after. If any can be read only
 * once, such as standard input, the given order is kept.
 */
export async function inOrderOfTime(paths: readonly string[], limits: Limits): Promise<readonly string[]> {
  if (paths.length < 2 || (await Promise.all(paths.map(isReadOnce))).includes(true)) return paths;
  const timed: { readonly path: string; readonly time: Time }[] = [];
  let time: Time = { seconds: Number.NEGATIVE_INFINITY, nanoseconds: 0 };
  for (const path of paths) {
    time = (await firstTime(path, limits)) ?? time;
    timed.push({ path, time });
  }
  timed.sort((a, b) => compare(a.time, b.time));
  return timed.map(({ path }) => path);
}

function compare(a: Time, b: Time): number {
  // Infinity minus itself is not a number.
  if (a.seconds === b.seconds) return a.nanoseconds - b.nanoseconds;
  return a.seconds < b.seconds ? -1 : 1;
}

/** When the first packet was captured; undefined if there is none. */
async function firstTime(path: string, limits: Limits): Promise<Time | undefined> {
  let first: Time | undefined;
  const listener = {
    packet({ seconds, nanoseconds }: Packet): void {
      first ??= { seconds, nanoseconds };
    },
    // It is reported when the capture is read.
    problem(): void {},
  };
  const source = captureAt(path);
  const { name, decompressors } = source;
  await readCapture(source.open(), name, listener, { limits, decompressors, between: () => first === undefined });
  return first;
}
