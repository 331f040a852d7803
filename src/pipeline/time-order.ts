import type { Packet } from "../capture/packet.js";
import { readCapture } from "../capture/reader.js";
import type { CaptureSource } from "../capture/source.js";
import type { Limits } from "../limits.js";

/** When a packet was captured. */
type Time = Pick<Packet, "seconds" | "nanoseconds">;

/**
 * Sorts captures by the time of their first packets: a shell sorts the pieces of one recording as `a.pcap`, `a.pcap1`,
 * `a.pcap10`, `a.pcap2`. A capture without packets stays after the one it was given after.
 *
 * @param captures can be read again, each as `sourceOf` says
 */
export async function sortedByTime<Capture>(
  captures: readonly Capture[],
  sourceOf: (capture: Capture) => CaptureSource,
  limits: Limits,
): Promise<readonly Capture[]> {
  if (captures.length < 2) return captures;
  const timed: { readonly capture: Capture; readonly time: Time }[] = [];
  let time: Time = { seconds: Number.NEGATIVE_INFINITY, nanoseconds: 0 };
  for (const capture of captures) {
    time = (await firstTime(sourceOf(capture), limits)) ?? time;
    timed.push({ capture, time });
  }
  timed.sort((a, b) => compare(a.time, b.time));
  return timed.map(({ capture }) => capture);
}

function compare(a: Time, b: Time): number {
  // Infinity minus itself is not a number.
  if (a.seconds === b.seconds) return a.nanoseconds - b.nanoseconds;
  return a.seconds < b.seconds ? -1 : 1;
}

/** When the first packet was captured; undefined if there is none. */
async function firstTime(source: CaptureSource, limits: Limits): Promise<Time | undefined> {
  let first: Time | undefined;
  const listener = {
    packet({ seconds, nanoseconds }: Packet): void {
      first ??= { seconds, nanoseconds };
    },
    // It is reported when the capture is read.
    problem(): void {},
  };
  const { name, decompressors } = source;
  await readCapture(source.open(), name, listener, { limits, decompressors, between: () => first === undefined });
  return first;
}
