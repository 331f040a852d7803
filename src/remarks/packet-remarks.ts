import { wrongChecksumText } from "../dissect/checksum-notes.js";
import type { ChecksumNote, Conversation, Origin } from "../network/conversation.js";
import type { PacketCounts } from "../network/network.js";

/** The most packets with a wrong checksum, and conversations with differing retransmissions, that are named. */
const MOST_NAMED = 10;

/** Retransmitted bytes of a conversation that differ from the first copy. */
interface Conflict {
  readonly stream: number;
  differing: number;
}

/** Gathers what is odd about packets and streams, below the messages, for a report at the end of a run. */
export class PacketRemarks {
  readonly #wrong: string[] = [];
  /** The first conversations with conflicts, and then the sum for all others. */
  readonly #conflicts: Conflict[] = [];
  #moreConflicts = 0;

  /** Takes a wrong checksum. */
  checksum(note: ChecksumNote, { frame }: Origin): void {
    if (note.isOffloaded || this.#wrong.length >= MOST_NAMED) return;
    this.#wrong.push(wrongChecksumText(frame, note));
  }

  /** Returns what takes the number of bytes by which retransmissions of a conversation differ. */
  conflictsOf({ stream }: Conversation): (differing: number) => void {
    let own: Conflict | undefined;
    return (differing) => {
      if (own === undefined && this.#conflicts.length < MOST_NAMED) {
        own = { stream, differing: 0 };
        this.#conflicts.push(own);
      }
      if (own === undefined) this.#moreConflicts += differing;
      else own.differing += differing;
    };
  }

  /** One sentence for each oddity. */
  remarks({ checksums }: PacketCounts): string[] {
    const more = [...checksums.values()].reduce((sum, { wrong }) => sum + wrong, 0) - this.#wrong.length;
    const left = [...checksums].filter(([, { offloaded }]) => offloaded > 0);
    return [
      ...this.#wrong,
      ...(more > 0 ? [`${more} more ${more === 1 ? "packet has" : "packets have"} a wrong checksum`] : []),
      ...left.map(([layer, { offloaded }]) => {
        const were = offloaded === 1 ? "packet was" : "packets were";
        return `${offloaded} ${were} recorded on the sending machine, with the ${layer} checksum left to the network card`;
      }),
      ...this.#conflicts.map(({ stream, differing }) => `stream ${stream}: ${conflictText(differing)}`),
      ...(this.#moreConflicts > 0 ? [`more streams: ${conflictText(this.#moreConflicts)}`] : []),
    ];
  }
}

function conflictText(bytes: number): string {
  const differ = bytes === 1 ? "byte differs" : "bytes differ";
  return `${bytes} retransmitted ${differ} from the first copy; the first copy is used`;
}
