import type { LimitName, Limits } from "../../limits.js";
import type { IpPacket } from "./ip.js";

/** The longest payload that fragments can make up: offset and length have to fit the fields of the header. */
const LONGEST_PAYLOAD = 65_535;
const SMALLEST_BUFFER = 2048;
/** Lengths of fragments are multiples of this, except for the last one's. */
const UNIT = 8;

/** A part of the payload that has arrived. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/** A packet of which not all fragments have arrived. */
interface IncompletePacket {
  readonly version: 4 | 6;
  /** When its first fragment arrived, in seconds. */
  readonly since: number;
  buffer: Uint8Array;
  /** What has arrived, in order and without overlaps. */
  readonly pieces: Piece[];
  /** Length of the payload; undefined until the last fragment has arrived. */
  total: number | undefined;
  /** Protocol of the payload, as given in the first fragment. */
  protocol: number;
  /** Offset of the first byte that the snap length cut. */
  cutAt: number;
  fragments: number;
}

/** Counts fragments by what became of them. */
type FragmentCount = (what: string, packets: number) => void;

/**
 * Reassembles IP packets that were sent in fragments (RFC 791, section 3.2; RFC 8200, section 4.5). Of bytes that come
 * twice the first arrival counts, for IPv6 too: receivers may drop such a packet (RFC 5722), but not all of them do.
 */
export class Fragments {
  readonly #limits: Limits;
  readonly #count: FragmentCount;
  readonly #reached: (limit: LimitName) => void;
  /** In the order of their first fragments. */
  readonly #partials = new Map<string, IncompletePacket>();
  #bytes = 0;

  /** @param reached called when a packet is given up because of a limit. */
  constructor(limits: Limits, count: FragmentCount, reached: (limit: LimitName) => void) {
    this.#limits = limits;
    this.#count = count;
    this.#reached = reached;
  }

  /**
   * Takes a fragment that arrived at a time in seconds. If it was the last one missing, `ip` becomes the whole packet.
   * @returns whether it did.
   */
  take(ip: IpPacket, seconds: number): boolean {
    this.#giveUpOld(seconds);
    const key = keyOf(ip);
    let partial = this.#partials.get(key);
    const { offset, hasMore } = ip.fragment;
    const captured = ip.payloadEnd - ip.payloadStart;
    const end = offset + captured + ip.missing;
    if (!isPossible(offset, end, hasMore, partial)) {
      this.#count(`malformed IPv${ip.source.version} fragment`, 1);
      return false;
    }
    if (partial === undefined) {
      partial = this.#begin(ip, seconds);
      this.#partials.set(key, partial);
    }
    partial.fragments++;
    if (offset === 0) partial.protocol = ip.protocol;
    if (!hasMore) partial.total = end;
    if (ip.missing > 0) partial.cutAt = Math.min(partial.cutAt, offset + captured);
    this.#reserve(partial, offset + captured);
    place(partial, ip.data.subarray(ip.payloadStart, ip.payloadEnd), offset, end);
    const [piece] = partial.pieces;
    if (partial.total === undefined || piece?.start !== 0 || piece.end !== partial.total) {
      this.#makeRoom(partial);
      return false;
    }
    this.#drop(key, partial);
    this.#count(`IPv${partial.version} fragment, reassembled in another frame`, partial.fragments - 1);
    ip.data = partial.buffer;
    ip.payloadStart = 0;
    ip.payloadEnd = Math.min(partial.total, partial.cutAt);
    ip.missing = partial.total - ip.payloadEnd;
    ip.protocol = partial.protocol;
    ip.isFragment = false;
    return true;
  }

  /** Gives up all incomplete packets: there are no more fragments. */
  end(): void {
    for (const [key, partial] of this.#partials) this.#giveUp(key, partial);
  }

  #begin(ip: IpPacket, seconds: number): IncompletePacket {
    this.#bytes += SMALLEST_BUFFER;
    return {
      version: ip.source.version,
      since: seconds,
      buffer: new Uint8Array(SMALLEST_BUFFER),
      pieces: [],
      total: undefined,
      protocol: ip.protocol,
      cutAt: Number.POSITIVE_INFINITY,
      fragments: 0,
    };
  }

  #reserve(partial: IncompletePacket, length: number): void {
    const { buffer } = partial;
    if (length <= buffer.length) return;
    const larger = new Uint8Array(Math.max(length, Math.min(2 * buffer.length, LONGEST_PAYLOAD)));
    larger.set(buffer);
    partial.buffer = larger;
    this.#bytes += larger.length - buffer.length;
  }

  /** Gives up the packets that have waited longest, except the given one, while a limit is exceeded. */
  #makeRoom(spared: IncompletePacket): void {
    const { fragmentedPackets, fragmentBytes } = this.#limits;
    for (const [key, partial] of this.#partials) {
      const isCrowded = this.#partials.size > fragmentedPackets;
      if (!isCrowded && this.#bytes <= fragmentBytes) return;
      if (partial === spared) continue;
      this.#reached(isCrowded ? "fragmentedPackets" : "fragmentBytes");
      this.#giveUp(key, partial);
    }
  }

  #giveUpOld(seconds: number): void {
    for (const [key, partial] of this.#partials) {
      if (seconds - partial.since <= this.#limits.fragmentSeconds) return;
      this.#giveUp(key, partial);
    }
  }

  #giveUp(key: string, partial: IncompletePacket): void {
    this.#drop(key, partial);
    this.#count(`IPv${partial.version} fragment without the rest of its packet`, partial.fragments);
  }

  #drop(key: string, partial: IncompletePacket): void {
    this.#partials.delete(key);
    this.#bytes -= partial.buffer.length;
  }
}

/** What the fragments of one packet have in common; the protocol is part of it only for IPv4. */
function keyOf(ip: IpPacket): string {
  const { source, destination, path, protocol, fragment } = ip;
  const version = source.version === 4 ? `4 ${protocol}` : "6";
  return `${version} ${fragment.identification} ${source} ${destination} ${path}`;
}

/** Whether a fragment can belong to the packet. */
function isPossible(offset: number, end: number, hasMore: boolean, partial: IncompletePacket | undefined): boolean {
  const length = end - offset;
  if (end > LONGEST_PAYLOAD || length === 0 || (hasMore && length % UNIT !== 0)) return false;
  if (partial === undefined) return true;
  const furthest = partial.pieces.at(-1)?.end ?? 0;
  if (!hasMore && (end < furthest || (partial.total ?? end) !== end)) return false;
  return partial.total === undefined || end <= partial.total;
}

/** Copies to `offset` the bytes that have not arrived before; nothing more is to be expected up to `end`. */
function place(partial: IncompletePacket, bytes: Uint8Array, offset: number, end: number): void {
  const { pieces, buffer } = partial;
  const before = pieces.findIndex((piece) => piece.end >= offset);
  const first = before < 0 ? pieces.length : before;
  let at = offset;
  let last = first;
  let joined: Piece = { start: offset, end };
  for (let piece = pieces[last]; piece !== undefined && piece.start <= end; piece = pieces[++last]) {
    if (piece.start > at) fill(buffer, bytes.subarray(at - offset, piece.start - offset), at);
    at = Math.max(at, piece.end);
    joined = { start: Math.min(joined.start, piece.start), end: Math.max(joined.end, piece.end) };
  }
  if (at < end) fill(buffer, bytes.subarray(at - offset), at);
  pieces.splice(first, last - first, joined);
}

/** Copies bytes to a place, which may be beyond the end of the buffer if the snap length has left none of them. */
function fill(buffer: Uint8Array, bytes: Uint8Array, at: number): void {
  if (bytes.length > 0) buffer.set(bytes, at);
}
