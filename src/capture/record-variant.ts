import { viewOf } from "./pcapng-blocks.js";

/** Length of the header before every packet in bytes (pcap draft, section 5). */
export const RECORD_HEADER_LENGTH = 16;

/**
 * Bytes that a variant of the format has between the header of a packet and its body. The two magic numbers each stand
 * for several variants (Wireshark, wiretap/libpcap.c):
 *
 * - as usual: nothing; 8 bytes in Red Hat 6.1, which has the format as modified by Kuznetzov in 1999-04: interface index
 *   (u32), protocol (u16), packet type (u8), padding; 4 bytes of unknown meaning on Nokia firewalls
 * - modified: 8 bytes, as above; 12 bytes in SuSE 6.3, with the numbers of two processors and more padding
 */
export const EXTRA_LENGTHS = { usual: [0, 8, 4], modified: [8, 12] } as const;

/** How many headers in a row have to make sense; the first one does in all variants. */
const ENOUGH_FOR_USUAL = 2;
const ENOUGH_FOR_OTHERS = 3;

/** Nothing longer is sent as one packet. */
const LONGEST_ORIGINAL = 128 * 1024 * 1024;
/** Nobody pauses longer within a recording; and hardly anybody for more than a day, in seconds. */
const LONGEST_PAUSE = 366 * 86_400;
const LONGEST_USUAL_PAUSE = 86_400;

/** What is known of the records before any is read. */
export interface RecordFacts {
  readonly isLittleEndian: boolean;
  /** The longest captured length that is accepted. */
  readonly longest: number;
}

/** How well the records fit a variant; "open" if more bytes are needed to know. */
type Fit = "fits" | "fails" | "open";

/**
 * Finds the variant of a file by its first records.
 *
 * @param records the file from its first record on, as far as it has been read
 * @param lengths how many bytes each variant has between header and body, the usual one first
 * @param isEnd true if no more follows
 * @returns the first of these lengths unless only another one makes sense; undefined if more bytes are needed
 */
export function findExtraLength(
  records: Uint8Array,
  facts: RecordFacts,
  lengths: readonly [number, ...number[]],
  isEnd: boolean,
): number | undefined {
  const [usual, ...others] = lengths;
  const fit = fitOf(records, facts, { extra: usual, enough: ENOUGH_FOR_USUAL, isUsual: true });
  if (fit === "open") {
    if (!isEnd) return undefined;
    // What follows the only packet is no header of another one: it is the end of that packet, if it is just as long.
    return others.find((other) => isWhole(records, facts, other)) ?? usual;
  }
  if (fit === "fits") return usual;
  for (const other of others) {
    const enough = isEnd ? ENOUGH_FOR_USUAL : ENOUGH_FOR_OTHERS;
    const otherFit = fitOf(records, facts, { extra: other, enough, isUsual: false });
    if (otherFit === "fits") return other;
    if (otherFit === "open" && !isEnd) return undefined;
  }
  return usual;
}

/** Whether the first record and its body are all that there is. */
function isWhole(records: Uint8Array, { isLittleEndian }: RecordFacts, extra: number): boolean {
  if (records.length < RECORD_HEADER_LENGTH) return false;
  const captured = viewOf(records).getUint32(8, isLittleEndian);
  return RECORD_HEADER_LENGTH + extra + captured === records.length;
}

/** A variant, and how many headers have to make sense. */
interface Candidate {
  readonly extra: number;
  readonly enough: number;
  readonly isUsual: boolean;
}

function fitOf(
  records: Uint8Array,
  { isLittleEndian, longest }: RecordFacts,
  { extra, enough, isUsual }: Candidate,
): Fit {
  const view = viewOf(records);
  let at = 0;
  let before: number | undefined;
  for (let count = 0; count < enough; count++) {
    const field = (index: number) => view.getUint32(at + 4 * index, isLittleEndian);
    if (at + RECORD_HEADER_LENGTH > records.length) {
      // In a live capture, the first packet is not to wait for more than the beginning of the second one.
      if (!isUsual || before === undefined || at + 4 > records.length) return "open";
      return Math.abs(field(0) - before) <= LONGEST_USUAL_PAUSE ? "fits" : "open";
    }
    const [seconds, microseconds, captured, original] = [field(0), field(1), field(2), field(3)];
    const isInTime = before === undefined || Math.abs(seconds - before) <= LONGEST_PAUSE;
    const isLong = captured > longest || captured > original || original > LONGEST_ORIGINAL;
    if (microseconds >= 1_000_000 || isLong || !isInTime) return "fails";
    before = seconds;
    at += RECORD_HEADER_LENGTH + extra + captured;
  }
  return "fits";
}
