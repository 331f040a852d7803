import { byCount, type Latency, type PartyCount, troubles } from "../../stats/index.js";
import type { CaptureName } from "../writers/capture-name.js";
import { safeJson } from "../writers/sanitise.js";
import { STATS_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime } from "../writers/time.js";
import { duration, hierarchy, perSecond, type StatsReport } from "./stats-report.js";

/** The statistics as one JSON object, on one line; with the capture, where several are recordings of
 * their own. */
export function statsJson(report: StatsReport & { readonly capture?: CaptureName }): string {
  const { capture, statistics, packets, isFiltered, isComplete } = report;
  const { first, messages, timeline } = statistics;
  const seconds = duration(report);
  const rate = (count: number) => rounded(perSecond(count, seconds));
  const object = {
    schema: STATS_SCHEMA,
    ...(capture && { capture }),
    complete: isComplete,
    start: first === undefined ? null : absoluteTime(first),
    seconds: rounded(seconds),
    messages: { ...messages, perSecond: rate(messages.count) },
    hierarchy: hierarchy(report),
    limits: Object.fromEntries(packets.limits),
    ...(packets.unaccepted.bytes > 0 && { unaccepted: packets.unaccepted.bytes }),
    types: statistics.types
      .sort(byCount)
      .map(({ protocol, name, count, bytes }) => ({ protocol, message: name, count, bytes, perSecond: rate(count) })),
    classes: statistics.classes
      .sort(byCount)
      .map(({ name, count, bytes }) => ({ class: name, count, bytes, perSecond: rate(count) })),
    players: statistics.players.map(partyJson),
    ages: statistics.ages.map(partyJson),
    latencies: statistics.latencies.map(latencyJson),
    pings: statistics.pings.map(latencyJson),
    unanswered: isFiltered
      ? null
      : statistics.unanswered
          .sort(byCount)
          .map(({ protocol, name, count, numbers }) => ({ protocol, request: name, count, numbers })),
    errors: statistics.errors
      .sort(byCount)
      .map(({ protocol, error, name, count }) => ({ protocol, error, message: name, count })),
    trouble: Object.fromEntries(troubles.map((trouble) => [trouble, statistics.troubles.get(trouble)])),
    timeline: { columnSeconds: timeline.width, messages: timeline.columns },
  };
  return `${safeJson(object)}\n`;
}

function partyJson({ dissector, kind, id, scope, name, c2s, s2c }: PartyCount): unknown {
  return { dissector, kind, id, ...(scope !== "" && { scope }), name: name === "" ? null : name, c2s, s2c };
}

function latencyJson({ protocol, name, times }: Latency): unknown {
  return {
    protocol,
    request: name,
    count: times.count,
    min: rounded(times.min),
    median: rounded(times.at(0.5)),
    p95: rounded(times.at(0.95)),
    max: rounded(times.max),
  };
}

/** Rounds to six decimal places: the rest is an artefact of binary fractions. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(6));
}
