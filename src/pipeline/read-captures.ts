import { ClockWatch } from "../capture/clock.js";
import type { TimeSpan } from "../capture/delivery.js";
import type { CaptureProblem, Packet } from "../capture/packet.js";
import { type CaptureOutcome, type CaptureResult, readCapture } from "../capture/reader.js";
import type { CaptureSource } from "../capture/source.js";
import type { LimitCounts, Limits } from "../limits.js";
import type { Network } from "../network/network.js";
import { readKeyFile } from "../session/files/key-files.js";
import { readNames } from "../session/files/name-block.js";
import type { FileInMemory } from "../session/files/offered-file.js";
import type { Tracker } from "../session/tracker.js";
import { abortable } from "./abortable.js";
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
  { onProblem, onRemark, onClockSetBack, firstCapture = 0, stop, isFull, share, limits, limitCounts }: ReadingOptions,
  pause: Pause | undefined,
): Promise<CaptureOutcome[]> {
  let keyBytes = 0;
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
    secrets: (bytes: Uint8Array, name: string, isLate: boolean) => {
      const names = readNames(bytes);
      if (names !== undefined) {
        share?.unusual("a capture contains names");
        for (const one of names) tracker.learn(one);
      } else if (keyBytes + bytes.length > limits.keyBytes) limitCounts.reached("keyBytes");
      else if (addKeys({ name, bytes }, tracker, onRemark)) {
        keyBytes += bytes.length;
        if (isLate)
          onRemark?.(`${name}: these keys come after packets; connections that began before are not read with them`);
      }
    },
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

/**
 * Takes keys that a capture contains. They may be of any kind, so those that no dissector knows are not worth a remark.
 *
 * @returns false if no dissector knows them
 */
function addKeys(file: FileInMemory, tracker: Tracker, onRemark: EngineOptions["onRemark"]): boolean {
  const { files, remarks } = readKeyFile(file, tracker.dissectors);
  if (files.length === 0) return false;
  for (const remark of remarks) onRemark?.(remark);
  const isLeftOut = files.map(([dissector, keys]) => !tracker.addKeys(dissector, keys)).includes(true);
  if (isLeftOut) onRemark?.(`${file.name}: there are too many key files; this one is left out`);
  return true;
}
