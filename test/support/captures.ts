import { RAW } from "./network.js";
import { concat } from "./packets.js";

/** Writes capture files for tests. */

/** One packet of a file to be written. */
export interface CapturedPacket {
  readonly data: Uint8Array;
  /** Default: the length of `data`. */
  readonly originalLength?: number;
  /** Time since 1970 in nanoseconds. */
  readonly time?: bigint;
}

interface PcapFields {
  readonly little?: boolean;
  readonly nanoseconds?: boolean;
  /** The whole field, with the bits above the link type. */
  readonly linkType?: number;
  readonly snapLength?: number;
  readonly version?: readonly [number, number];
  /** As modified by Alexey Kuznetzov, with eight more bytes in each record header. */
  readonly modified?: boolean;
  /** As written by a system with more bytes in each record header: after Kuznetzov, or of its own. */
  readonly system?: "Red Hat 6.1" | "SuSE 6.3" | "Nokia";
  /** The lengths in the order used before version 2.3. */
  readonly swapped?: boolean;
}

/** Writes numbers in a byte order. Its functions may be used without it. */
class Writer {
  constructor(readonly little: boolean) {}

  readonly u16 = (value: number): Uint8Array => {
    const bytes = new Uint8Array(2);
    new DataView(bytes.buffer).setUint16(0, value, this.little);
    return bytes;
  };

  readonly u32 = (...values: readonly number[]): Uint8Array => {
    const bytes = new Uint8Array(4 * values.length);
    const view = new DataView(bytes.buffer);
    values.forEach((value, index) => {
      view.setUint32(4 * index, value, this.little);
    });
    return bytes;
  };

  readonly i64 = (value: bigint): Uint8Array => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, this.little);
    return bytes;
  };
}

export function pcapHeader(fields: PcapFields = {}): Uint8Array {
  const { little = true, nanoseconds = false, linkType = 1, snapLength = 262_144, version = [2, 4] } = fields;
  const write = new Writer(little);
  return concat(
    write.u32(nanoseconds ? 0xa1b23c4d : fields.modified || fields.system === "SuSE 6.3" ? 0xa1b2cd34 : 0xa1b2c3d4),
    write.u16(version[0]),
    write.u16(version[1]),
    write.u32(0, 0, snapLength, linkType),
  );
}

export function pcapRecord(
  record: CapturedPacket,
  fields: PcapFields = {},
  capturedLength = record.data.length,
): Uint8Array {
  const { little = true, nanoseconds = false, modified = false, swapped = false, system } = fields;
  const { data, originalLength = data.length, time = 0n } = record;
  const fraction = Number(time % 1_000_000_000n);
  const seconds = Number(time / 1_000_000_000n);
  const write = new Writer(little);
  const ticks = nanoseconds ? fraction : Math.floor(fraction / 1000);
  const lengths = swapped ? [originalLength, capturedLength] : [capturedLength, originalLength];
  const kuznetzov = concat(write.u32(3), write.u16(0x0800), new Uint8Array(2));
  const extras = { "Red Hat 6.1": kuznetzov, "SuSE 6.3": concat(kuznetzov, new Uint8Array(4)), Nokia: write.u32(7) };
  const extra = system !== undefined ? extras[system] : modified ? kuznetzov : new Uint8Array(0);
  return concat(write.u32(seconds, ticks, ...lengths), extra, data);
}

export function pcapFile(records: readonly CapturedPacket[], fields: PcapFields = {}): Uint8Array {
  return concat(pcapHeader(fields), ...records.map((record) => pcapRecord(record, fields)));
}

/** A pcap file of IP packets, at arbitrary times. */
export function rawPcapFile(packets: readonly Uint8Array[]): Uint8Array {
  return pcapFile(
    packets.map((data) => ({ data })),
    { linkType: RAW },
  );
}

/** Writes the blocks of a pcapng section. */
export class PcapngWriter {
  readonly #write: Writer;

  /** @param countsPadding false for lengths of blocks that leave out their padding: both, or the first or the second */
  constructor(
    little = true,
    readonly countsPadding: boolean | "first" | "second" = true,
  ) {
    this.#write = new Writer(little);
  }

  block(type: number, body: Uint8Array, lastLength?: number): Uint8Array {
    const padded = concat(body, new Uint8Array(-body.length & 3));
    const lengthOf = (which: "first" | "second") =>
      (this.countsPadding === true || this.countsPadding === which ? padded : body).length + 12;
    return concat(this.#write.u32(type, lengthOf("first")), padded, this.#write.u32(lastLength ?? lengthOf("second")));
  }

  section(major = 1, minor = 0): Uint8Array {
    const { u16, u32 } = this.#write;
    return this.block(0x0a0d0d0a, concat(u32(0x1a2b3c4d), u16(major), u16(minor), u32(0xffffffff, 0xffffffff)));
  }

  interface(fields: { linkType?: number; snapLength?: number; resolution?: number; offset?: bigint } = {}): Uint8Array {
    const { linkType = 1, snapLength = 0, resolution, offset } = fields;
    const { u16, u32 } = this.#write;
    const options = [this.option(2, new TextEncoder().encode("lo"))];
    if (resolution !== undefined) options.push(this.option(9, Uint8Array.of(resolution)));
    if (offset !== undefined) options.push(this.option(14, this.#write.i64(offset)));
    return this.block(1, concat(u16(linkType), u16(0), u32(snapLength), ...options, u16(0), u16(0)));
  }

  option(code: number, value: Uint8Array): Uint8Array {
    const { u16 } = this.#write;
    return concat(u16(code), u16(value.length), value, new Uint8Array(-value.length & 3));
  }

  /** @param ticks time in units of the interface */
  enhanced(record: CapturedPacket, ticks: bigint, index = 0, capturedLength = record.data.length): Uint8Array {
    const { u32 } = this.#write;
    const { data, originalLength = data.length } = record;
    const time = u32(Number(ticks >> 32n), Number(ticks & 0xffffffffn));
    const padding = new Uint8Array(-data.length & 3);
    const comment = this.option(1, new TextEncoder().encode("a comment"));
    return this.block(6, concat(u32(index), time, u32(capturedLength, originalLength), data, padding, comment, u32(0)));
  }

  obsolete(record: CapturedPacket, ticks: bigint, index = 0): Uint8Array {
    const { u16, u32 } = this.#write;
    const { data, originalLength = data.length } = record;
    const time = u32(Number(ticks >> 32n), Number(ticks & 0xffffffffn));
    return this.block(2, concat(u16(index), u16(0xffff), time, u32(data.length, originalLength), data));
  }

  simple(record: CapturedPacket): Uint8Array {
    const { data, originalLength = data.length } = record;
    return this.block(3, concat(this.#write.u32(originalLength), data));
  }

  /** A decryption secrets block. */
  secrets(data: Uint8Array, type = 0x4d4f554c): Uint8Array {
    return this.block(10, concat(this.#write.u32(type, data.length), data));
  }

  /** A custom block with the enterprise number for examples (RFC 5612). */
  custom(data: Uint8Array, type = 0xbad): Uint8Array {
    return this.block(type, concat(this.#write.u32(32473), data));
  }
}

/** Cuts bytes into chunks of the given lengths, which are used in turn. */
export function* chunks(bytes: Uint8Array, ...lengths: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const length = lengths[index % lengths.length] ?? bytes.length;
    yield bytes.slice(at, at + length);
    at += length;
  }
}
