import { byCount, type Statistics } from "../../stats/index.js";
import type { SessionStatistics } from "../session-api.js";

/** Sums, as the page shows them. */
export function statisticsOf(statistics: Statistics): SessionStatistics {
  const { messages, seconds, timeline } = statistics;
  return {
    messages: { ...messages },
    seconds,
    types: statistics.types.sort(byCount),
    errors: statistics.errors.sort(byCount),
    latencies: statistics.latencies.map(({ protocol, name, times }) => ({
      protocol,
      name,
      count: times.count,
      median: times.at(0.5).toFixed(3),
      p95: times.at(0.95).toFixed(3),
      max: times.max.toFixed(3),
    })),
    unanswered: statistics.unanswered.sort(byCount),
    trouble: [...statistics.troubles]
      .filter(([, { count }]) => count > 0)
      .map(([name, { count, bytes }]) => ({ name, count, bytes, filter: filterFor(name) })),
    rates: { width: timeline.width, counts: [...timeline.columns] },
  };
}

/** The filter that lists what is counted as a kind of trouble. */
function filterFor(name: string): string {
  if (name === "gap" || name === "skipped" || name === "encrypted" || name === "undissected") return name;
  return `status == "${name}"`;
}
