import { sha256 } from "@noble/hashes/sha2.js";
import { defaultLimits } from "../limits.js";
import type { EngineOptions } from "../pipeline/options.js";
import { ClockRemarks } from "../remarks/clock-remarks.js";
import { besideStreams } from "../remarks/packet-kinds.js";
import { type Hash, type StreamFacts, StreamRecorder } from "../stats/index.js";
import { passMessages } from "./dissect.js";
import type { EndOfRun } from "./end-of-run.js";
import type { CaptureInputs } from "./inputs.js";

/** What is wanted of conversations, besides the options of any run. */
export interface StreamOptions extends Omit<EngineOptions, "filter" | "network" | "onClockSetBack"> {
  /** True to have the SHA-256 of what each side sent, which takes most of the time. */
  readonly hashes?: boolean;
  /** Makes a SHA-256, where the surroundings have a faster one. */
  readonly hash?: () => Hash;
}

/** The conversations of a run, and how it ended. */
export interface FoundStreams {
  readonly streams: readonly StreamFacts[];
  readonly end: EndOfRun;
}

/** The conversations in captures, in the order of their first packets, whether they are recognised or not. */
export async function streams(captures: CaptureInputs, options: StreamOptions = {}): Promise<FoundStreams> {
  const { hashes = false, hash = () => sha256.create(), ...others } = options;
  const clock = new ClockRemarks();
  const found: StreamFacts[] = [];
  const { listedGaps } = { ...defaultLimits, ...options.limits };
  const network = new StreamRecorder({ mostGaps: listedGaps, hash: hashes ? hash : undefined }, (facts) => {
    found.push({ ...facts, isTimed: clock.times(facts.conversation) });
  });
  const end = await passMessages(captures, { ...others, network, onClockSetBack: clock.onClockSetBack }, undefined);
  found.sort((a, b) => a.conversation.stream - b.conversation.stream);
  const isRead = end.captures.every((outcome) => outcome === "whole");
  const beside = besideStreams(found.length === 0 && isRead, end.packets);
  const remarks = [...end.remarks, ...clock.remarksOnStreams(), ...(beside === undefined ? [] : [beside])];
  return { streams: found, end: { ...end, remarks } };
}
