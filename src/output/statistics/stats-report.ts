import type { PacketCounts } from "../../network/network.js";
import { byName, type Statistics, type Traffic } from "../../stats/index.js";

/** Everything that the `stats` command reports about a run. */
export interface StatsReport {
  readonly statistics: Statistics;
  readonly traffic: Traffic;
  readonly packets: PacketCounts;
  /** True if only messages that pass a filter were counted. */
  readonly isFiltered: boolean;
  /** False if the run was stopped before the captures ended. */
  readonly isComplete: boolean;
  /** True if the clock was set back between the first message and the last one: how long they took is not known. */
  readonly isClockSetBack?: boolean;
}

/** Seconds from the earliest message to the latest one; undefined if that is not known. */
export function duration({ statistics, isClockSetBack }: StatsReport): number | undefined {
  return isClockSetBack === true ? undefined : statistics.seconds;
}

/** A count per second; undefined if no time has passed, or it is not known how much. */
export function perSecond(count: number, seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? count / seconds : undefined;
}

/** The protocol of conversations that are not recognised. */
const UNKNOWN_PROTOCOL = "unknown";

/** Packets that no longer belong to a conversation, such as the last acknowledgement of a connection. */
const AFTER_THE_END = "(after the end of conversations)";

/** One line of the hierarchy: packets, transports, protocols. */
export interface Layer {
  readonly depth: number;
  readonly name: string;
  readonly packets?: number;
  readonly conversations?: number;
  readonly bytes?: number;
  readonly missing?: number;
  readonly messages?: number;
}

/** The protocols nested in each other, with what was not understood. */
export function hierarchy({ statistics, traffic, packets }: StatsReport): Layer[] {
  const messages = statistics.protocols;
  const sums = traffic.sums();
  const layers: Layer[] = [{ depth: 0, name: "packets", packets: packets.packets }];
  for (const transport of ["tcp", "udp"] as const) {
    const own = sums.filter((sum) => sum.transport === transport);
    if (own.length === 0) continue;
    const sum = { conversations: 0, bytes: 0, missing: 0, messages: 0 };
    const below = own.map(({ key, protocol, conversations, bytes, missing, packets: some }): Layer => {
      const count = messages.get(key)?.count ?? 0;
      sum.conversations += conversations;
      sum.bytes += bytes;
      sum.missing += missing;
      sum.messages += count;
      return {
        depth: 2,
        name: protocol ?? UNKNOWN_PROTOCOL,
        packets: some,
        conversations,
        bytes,
        missing,
        messages: count,
      };
    });
    layers.push({ depth: 1, name: transport, packets: packets[transport], ...sum }, ...below.sort(byName));
    const late = packets[transport] - own.reduce((total, { packets }) => total + packets, 0);
    if (late > 0) layers.push({ depth: 2, name: AFTER_THE_END, packets: late });
  }
  const others = [...packets.others].map(([name, count]) => ({ depth: 1, name, packets: count }));
  return [...layers, ...others.sort(byName)];
}
