import { are, counted, were } from "../common/counted.js";
import { DUPLICATE } from "../network/conversations.js";
import type { PacketCounts } from "../network/network.js";

/** The most conversations that are named. */
const MOST_NAMED = 10;

/** Sentences on packets that are part of no message although their protocol may be known. */
export function strayPacketRemarks({ others, unaccepted }: Pick<PacketCounts, "others" | "unaccepted">): string[] {
  const duplicates = others.get(DUPLICATE) ?? 0;
  const texts: string[] = [];
  if (duplicates > 0) {
    const leftOut = duplicates === 1 ? "the duplicate is" : "the duplicates are";
    texts.push(
      `${counted(duplicates, "UDP datagram")} ${were(duplicates)} recorded twice; ${leftOut} left out (--keep-duplicates keeps them)`,
    );
  }
  if (unaccepted.bytes > 0) {
    const named = [...unaccepted.streams].slice(0, MOST_NAMED).map(([stream, bytes]) => `stream ${stream}: ${bytes}`);
    const more = unaccepted.streams.size > MOST_NAMED ? ", and others" : "";
    texts.push(
      `${counted(unaccepted.bytes, "byte")} of TCP data ${were(unaccepted.bytes)} not accepted by the other end, and ${are(unaccepted.bytes)} in no message (${named.join(", ")}${more})`,
    );
  }
  return texts;
}
