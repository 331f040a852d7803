import { wrongChecksumText } from "../../dissect/checksum-notes.js";
import type { ChecksumNote, Conversation, Direction, NetworkListener, Origin, PacketCounts } from "../../index.js";

/** The most packets with a wrong checksum, and conversations with differing retransmissions, that are named. */
const MOST_NAMED = 10;

/** Gathers what is odd about packets and streams, below the messages, for a report at the end of a run. */
export class PacketRemarks implements Partial<NetworkListener> {
  readonly #wrong: string[] = [];
  /** Retransmitted bytes that differed, by conversation; then the sum for all further conversations. */
  readonly #conflicts = new Map<number, number>();
  #moreConflicts = 0;

  checksum(note: ChecksumNote, { frame }: Origin): void {
    if (note.isOffloaded || this.#wrong.length >= MOST_NAMED) return;
    this.#wrong.push(wrongChecksumText(frame, note));
  }

  conflict({ stream }: Conversation, _direction: Direction, differing: number): void {
    const known = this.#conflicts.get(stream);
    if (known === undefined && this.#conflicts.size >= MOST_NAMED) this.#moreConflicts += differing;
    else this.#conflicts.set(stream, (known ?? 0) + differing);
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
      ...[...this.#conflicts].map(([stream, bytes]) => `stream ${stream}: ${conflictText(bytes)}`),
      ...(this.#moreConflicts > 0 ? [`more streams: ${conflictText(this.#moreConflicts)}`] : []),
    ];
  }
}

function conflictText(bytes: number): string {
  const differ = bytes === 1 ? "byte differs" : "bytes differ";
  return `${bytes} retransmitted ${differ} from the first copy; the first copy is used`;
}
