import { ClockWatch } from "../capture/clock.js";
import type { TimeSpan } from "../capture/delivery.js";
import type { CaptureProblem, Packet } from "../capture/packet.js";
import { type CaptureOutcome, type CaptureResult, readCapture } from "../capture/reader.js";
import type { CaptureSource } from "../capture/source.js";
import type { LimitCounts, Limits } from "../limits.js";
import type { Network } from "../network/network.js";
import type { Tracker } from "../session/tracker.js";
import { abortable } from "./abortable.js";
import { EmbeddedSecrets } from "./embedded-secrets.js";
import type { EngineOptions, RunHooks } from "./options.js";

/** How far captures have been read. */
export interface ReadingPlace {
  /** Which of the captures, counted from 0. */
  readonly capture: number;
  /** Bytes of the file that have been read so far; of a compressed file, compressed bytes. */
  readonly bytes: number;
}

/** Called between blocks of input and waited for; false ends the run early. */
export type Pause = (place: ReadingPlace) => Promise<boolean | undefined> | boolean | undefined;

/** What the reading needs to know. */
interface ReadingOptions
  extends Pick<EngineOptions, "onProblem" | "onRemark" | "onClockSetBack">,
    Pick<RunHooks, "firstCapture" | "isFull" | "stop" | "share"> {
  readonly limits: Limits;
  readonly limitCounts: LimitCounts;
}

/** Passes the packets of captures to the network, one capture after the other; returns how far each was read. */
export async function readCaptures(
  sources: readonly CaptureSource[],
  network: Network,
  tracker: Tracker,
  options: ReadingOptions,
  pause: Pause | undefined,
): Promise<CaptureOutcome[]> {
  const { onProblem, onRemark, onClockSetBack, firstCapture = 0, stop, isFull, share, limits } = options;
  const secrets = new EmbeddedSecrets(tracker, options);
  const clock = onClockSetBack && new ClockWatch(onClockSetBack);
  const packet = network.packet.bind(network);
  const seenPacket = (seen: Packet) => {
    clock?.see(seen);
    share?.order.packet(seen.frame, seen.data.length);
    packet(seen);
  };
  const listener = {
    packet: clock === undefined && share === undefined ? packet : seenPacket,
    problem: (problem: CaptureProblem) => onProblem?.(problem),
    secrets: (bytes: Uint8Array, name: string, isLate: boolean) => secrets.take(bytes, name, isLate),
    remark: (text: string) => onRemark?.(text),
  };
  const captures: CaptureOutcome[] = [];
  let lastFrame = 0;
  let previousSpan: TimeSpan | undefined;
  for (const [capture, source] of sources.entries()) {
    const { name, decompressors } = source;
    const chunks = stop === undefined ? source.open() : abortable(source.open(stop), stop);
    clock?.begin();
    const result: CaptureResult = await readCapture(chunks, name, listener, {
      decompressors,
      index: firstCapture + capture,
      lastFrame,
      limits,
      isFull,
      stop,
      between: (bytes) => pause?.({ capture, bytes }),
    });
    lastFrame = result.lastFrame;
    const { span } = result;
    if (previousSpan !== undefined && span !== undefined && span.begin < previousSpan.end) {
      onRemark?.(`${name} begins before the previous capture ends; they are read one after the other`);
    }
    previousSpan = span ?? previousSpan;
    captures.push(result.outcome);
    if (result.outcome === "stopped") break;
  }
  return captures;
}
