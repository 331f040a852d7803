import { are, counted } from "../common/counted.js";
import { DUPLICATE } from "../network/conversations.js";
import type { PacketCounts } from "../network/network.js";

/** The most kinds of other packets that are named. */
const MOST_KINDS = 3;

/** The commonest kinds of packets that belong to no conversation: " (ARP: 3, ICMP: 2)"; empty without any. */
function kindsText(others: PacketCounts["others"]): string {
  if (others.size === 0) return "";
  const kinds = [...others].sort(([, one], [, other]) => other - one).map(([what, count]) => `${what}: ${count}`);
  const more = kinds.length > MOST_KINDS ? [`${counted(kinds.length - MOST_KINDS, "more kind")}`] : [];
  return ` (${[...kinds.slice(0, MOST_KINDS), ...more].join(", ")})`;
}

/**
 * Why there is nothing to list in a capture, as far as its packets tell.
 * @param missing what was looked for: "no message of a known protocol was found".
 */
export function whyNothing(missing: string, { packets, cut, others }: PacketCounts): string {
  if (packets === 0) return "there are no packets in the capture";
  const found = `${missing} in ${counted(packets, "packet")}${kindsText(others)}`;
  if (cut === 0) return found;
  return `${found}; only part of ${cut} was captured: record with a larger snap length (tcpdump -s 0)`;
}

/**
 * What is said of packets beside a list of conversations; undefined if there is nothing to say.
 *
 * @param isEmpty whether there are no conversations, although everything was read
 */
export function besideStreams(isEmpty: boolean, counts: PacketCounts): string | undefined {
  return isEmpty ? whyNothing("there are no TCP or UDP conversations", counts) : outsideText(counts);
}

/** What is said of packets that belong to no conversation, except duplicates; undefined if there are none. */
function outsideText(counts: PacketCounts): string | undefined {
  const others = new Map([...counts.others].filter(([what]) => what !== DUPLICATE));
  const packets = [...others.values()].reduce((sum, count) => sum + count, 0);
  if (packets === 0) return undefined;
  return `${counted(packets, "packet")} ${are(packets)} in no conversation${kindsText(others)}`;
}

/** Why a capture may have nothing to show. */
export function nothingFound(packets: PacketCounts): string {
  const reason = whyNothing("no message of a known protocol was found", packets);
  if (packets.tcp + packets.udp === 0) return reason;
  if (packets.tcp === 0) {
    const tunnels = "a tunnel over UDP is followed only at its registered port";
    return `${reason}; none of it is TCP: ${tunnels}, and -d names the protocol of other datagrams`;
  }
  const advice = "a connection is recognised by its first bytes, so the recording must begin before it does";
  return `${reason}; ${advice}, unless -d names its protocol`;
}
