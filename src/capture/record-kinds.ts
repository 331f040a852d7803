/** Formats of captures that have no beginning of their own: only several records in a row show what they are. */

/** What the header of a record says. */
interface RecordHead {
  /** Bytes up to the next record. */
  readonly length: number;
  /** When it was recorded, in seconds, as far as that is known. */
  readonly seconds: number | undefined;
}

interface Kind {
  readonly what: string;
  /** Bytes of the header. */
  readonly header: number;
  /** How many records in a row are no coincidence. */
  readonly enough: number;
  /** Reads the header of a record; undefined if it is none. */
  readonly head: (view: DataView, at: number) => RecordHead | undefined;
}

/** 1990 and a day, in seconds. */
const EARLIEST = 631_152_000;
const LONGEST_PAUSE = 86_400;
const MICROSECONDS = 1_000_000;

/** Endace's format: time in 2^-32 seconds, type, flags, record length, loss counter, length on the wire. */
const LAST_ERF_TYPE = 48;
function erf(view: DataView, at: number): RecordHead | undefined {
  const type = view.getUint8(at + 8) & 0x7f;
  const [length, onWire, seconds] = [view.getUint16(at + 10), view.getUint16(at + 14), view.getUint32(at + 4, true)];
  if (type === 0 || type > LAST_ERF_TYPE || length < 16 || onWire === 0) return undefined;
  // What describes the interfaces may have no time.
  return { length, seconds: seconds === 0 ? undefined : seconds };
}

/** A date and a time of day: year (u16), month, day, hour, minute, second, and microseconds (u32); little-endian. */
function commViewTime(view: DataView, at: number): number | undefined {
  const [year, micros] = [view.getUint16(at, true), view.getUint32(at + 7, true)];
  const [month, day, hour, minute, second] = [2, 3, 4, 5, 6].map((offset) => view.getUint8(at + offset));
  const time = new Date(0);
  time.setUTCFullYear(year, (month ?? 0) - 1, day);
  time.setUTCHours(hour ?? 0, minute, second);
  const isTime = time.getUTCMonth() + 1 === month && time.getUTCDate() === day && time.getUTCHours() === hour;
  return isTime && time.getUTCMinutes() === minute && micros < MICROSECONDS ? time.getTime() / 1000 : undefined;
}

function commView(view: DataView, at: number): RecordHead | undefined {
  const seconds = commViewTime(view, at + 5);
  const isVersion = view.getUint8(at + 4) === 0;
  return isVersion && seconds !== undefined ? { length: 24 + view.getUint16(at, true), seconds } : undefined;
}

function commViewNcfx(view: DataView, at: number): RecordHead | undefined {
  const seconds = commViewTime(view, at + 4);
  return seconds === undefined ? undefined : { length: 20 + view.getUint32(at, true), seconds };
}

/** Apple's log of Bluetooth: the length of what follows it, seconds, microseconds, type. */
function packetLogger(isLittle: boolean) {
  return (view: DataView, at: number): RecordHead | undefined => {
    const [length, seconds, micros] = [0, 4, 8].map((offset) => view.getUint32(at + offset, isLittle));
    if (length === undefined || micros === undefined || length < 9 || length > 0xffff || micros >= MICROSECONDS)
      return undefined;
    return { length: 4 + length, seconds };
  };
}

/** What BlueZ's hcidump writes: length, direction, a byte of padding, seconds, microseconds; little-endian. */
function hcidump(view: DataView, at: number): RecordHead | undefined {
  const [length, isIncoming, padding] = [view.getUint16(at, true), view.getUint8(at + 2), view.getUint8(at + 3)];
  const isHead = length > 0 && isIncoming <= 1 && padding === 0 && view.getUint32(at + 8, true) < MICROSECONDS;
  return isHead ? { length: 12 + length, seconds: view.getUint32(at + 4, true) } : undefined;
}

/** Sources: Wireshark, wiretap/erf.c, commview.c, packetlogger.c and hcidump.c. */
const KINDS: readonly Kind[] = [
  { what: "an ERF capture", header: 16, enough: 2, head: erf },
  { what: "a CommView capture", header: 24, enough: 2, head: commView },
  { what: "a CommView capture", header: 20, enough: 2, head: commViewNcfx },
  { what: "a PacketLogger capture of Bluetooth", header: 13, enough: 2, head: packetLogger(false) },
  { what: "a PacketLogger capture of Bluetooth", header: 13, enough: 2, head: packetLogger(true) },
  { what: "an hcidump capture of Bluetooth", header: 12, enough: 3, head: hcidump },
];

/**
 * The kind of capture that the beginning of a file consists of records of; undefined if it is none of those known.
 *
 * @param isAll true if the file ends there
 */
export function recordKind(bytes: Uint8Array, isAll: boolean): string | undefined {
  return KINDS.find((kind) => isMadeOf(kind, bytes, isAll))?.what;
}

function isMadeOf({ header, enough, head }: Kind, bytes: Uint8Array, isAll: boolean): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let before: number | undefined;
  for (let record = 0; record < enough; record++) {
    if (record > 0 && at === bytes.length) return isAll;
    if (at + header > bytes.length) return false;
    const found = head(view, at);
    if (found === undefined) return false;
    const { length, seconds } = found;
    if (seconds !== undefined) {
      if (seconds < EARLIEST || (before !== undefined && Math.abs(seconds - before) >= LONGEST_PAUSE)) return false;
      before = seconds;
    }
    at += length;
  }
  return true;
}
