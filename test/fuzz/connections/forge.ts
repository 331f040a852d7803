import { concat, Flag, ipPacket } from "../../support/packets.js";
import type { Random } from "../../support/random.js";
import { Progress } from "./progress.js";
import { otherSide, type Part } from "./script.js";
import type { Session, Side } from "./sessions.js";
import { changed, fieldsOf, lengthOf } from "./tcp-fields.js";

/** A number that no receiver takes for one of its connection: further away than any window (RFC 7323: 1 GiB). */
const FAR = 2 ** 26;

/** Numbers so far away, and from each other: two that go on from one another would count. */
const FAR_PLACES = Array.from({ length: 20 }, (_, place) => FAR + place * 2 ** 25 + place);

/** What is said of a segment with numbers that are not the next ones. */
export const WRONG = "elsewhere";

/** Adds a segment to a session that both ends ignore; undefined if what follows cannot show that. */
export type Forge = (session: Session, at: number, random: Random) => Omit<Part, "microseconds"> | undefined;

/** A number that is right, a little wrong, or entirely. */
function number(right: number, random: Random): number {
  switch (random.below(4)) {
    case 0:
    case 1:
      return right;
    case 2:
      return right + random.pick([-1, 1, -2, 2, -100, 100, -1460, 1460, -60_000, 60_000, -random.below(3000)]);
    default:
      return right + random.pick([-1, 1]) * random.pick(FAR_PLACES);
  }
}

/** A packet without options and payload, from the headers of another one. */
function bare(ip: Uint8Array): Uint8Array {
  const { payload } = fieldsOf(ip);
  const isV6 = (ip[0] ?? 0) >> 4 === 6;
  const length = isV6 ? 40 : ((ip[0] ?? 0) & 0x0f) * 4;
  const header = ip.slice(length, length + 20);
  header[12] = 0x50;
  const copy = concat(ip.subarray(0, length), header);
  const view = new DataView(copy.buffer);
  if (isV6) view.setUint16(4, 20);
  else view.setUint16(2, length + 20);
  return payload.length === 0 && lengthOf(ip) === copy.length ? ip : copy;
}

/** A made-up segment without payload. */
const control: Forge = (session, at, random) => {
  const side: Side = random.pick([0, 1]);
  const sample = session.packets.find((sent) => sent.side === side);
  const flags = random.pick([
    Flag.syn,
    Flag.syn | Flag.ack,
    Flag.rst,
    Flag.rst | Flag.ack,
    Flag.fin | Flag.ack,
    Flag.fin,
    Flag.fin | Flag.push | Flag.ack,
    Flag.fin | Flag.rst | Flag.ack,
  ]);
  const { next } = new Progress(session, at);
  const sequence = number(next[side], random);
  const acknowledgment = number(next[otherSide(side)], random);
  if (sample === undefined) return undefined;
  return ifIgnored(session, at, side, bare(sample.ip), { sequence, acknowledgment, flags }, "forged");
};

/** A copy of a segment of the session, with one thing changed. */
const copy: Forge = (session, at, random) => {
  const original = session.packets[random.below(at)];
  if (original === undefined) return undefined;
  const { side, ip } = original;
  const fields = fieldsOf(ip);
  const sequence = (fields.sequence - session.bases[side]) | 0;
  const acknowledgment = (fields.acknowledgment - session.bases[otherSide(side)]) | 0;
  const flags = fields.flags ^ random.pick([0, Flag.fin, Flag.syn, Flag.rst, Flag.push, Flag.ack, 0x20, 0xff]);
  const there = { sequence, acknowledgment, flags: fields.flags };
  switch (random.below(3)) {
    case 0:
      return ifIgnored(session, at, side, ip, { ...there, flags }, "copy with other flags");
    case 1:
      return ifIgnored(
        session,
        at,
        side,
        ip,
        { ...there, sequence: number(sequence, random) },
        "copy with another number",
      );
    default:
      return ifIgnored(
        session,
        at,
        side,
        ip,
        { ...there, acknowledgment: number(acknowledgment, random) },
        "copy with another acknowledgment",
      );
  }
};

interface Relative {
  readonly sequence: number;
  readonly acknowledgment: number;
  readonly flags: number;
}

/** The segment, unless a receiver could have taken it. */
function ifIgnored(
  session: Session,
  at: number,
  side: Side,
  ip: Uint8Array,
  { sequence, acknowledgment, flags }: Relative,
  what: string,
): ReturnType<Forge> {
  const progress = new Progress(session, at);
  const { length } = fieldsOf(ip).payload;
  const end = sequence + length;
  if ((flags & Flag.syn) !== 0 && !progress.goesOn) return undefined;
  const isAhead = (flags & Flag.ack) !== 0 && acknowledgment > progress.next[otherSide(side)];
  const isNear = Math.abs(sequence) < FAR / 2 && Math.abs(acknowledgment) < FAR / 2;
  const isReset = (flags & Flag.rst) !== 0;
  if (isReset && !progress.refutesReset(side, isAhead && isNear)) return undefined;
  if (isAhead && isNear && !progress.refutesAcknowledgment(side, sequence, acknowledgment, isReset)) return undefined;
  const isControl = (flags & (Flag.rst | Flag.syn)) !== 0;
  if (!isControl) {
    if ((flags & Flag.fin) !== 0 && Math.abs(end - progress.next[side]) < FAR && !progress.refutesFin(side, end))
      return undefined;
    const isFar = sequence >= progress.next[side] + FAR / 2;
    if (length > 0 && end > progress.next[side] && !isFar) return undefined;
  }
  const bytes = changed(ip, {
    sequence: session.bases[side] + sequence,
    acknowledgment: session.bases[otherSide(side)] + acknowledgment,
    flags,
  });
  const { next } = progress;
  const isRight = sequence === next[side] && acknowledgment === next[otherSide(side)];
  return { side, ip: bytes, index: undefined, what: isRight ? what : `${what}, ${WRONG}` };
}

/** Data of the session, earlier than it was sent, and with a number far away. */
const data: Forge = (session, at, random) => {
  const { side, ip } = random.pick(session.packets.filter((sent) => fieldsOf(sent.ip).payload.length > 0));
  const { next } = new Progress(session, at);
  const sequence = next[side] + random.pick([-1, 1]) * random.pick(FAR_PLACES);
  const acknowledgment = number(next[otherSide(side)], random);
  return ifIgnored(session, at, side, ip, { sequence, acknowledgment, flags: Flag.push | Flag.ack }, "forged data");
};

/** A packet between other ends. */
const third: Forge = ({ packets }, _at, random) => {
  const { side, ip } = random.pick(packets);
  const copy = ip.slice();
  const at = (ip[0] ?? 0) >> 4 === 6 ? 8 : 12;
  copy[at + 3] = (copy[at + 3] ?? 0) ^ 0x55;
  return { side, ip: copy, index: undefined, what: "of a third party" };
};

/** Something that is not TCP. */
const other: Forge = ({ packets }, _at, random) => {
  const { side } = random.pick(packets);
  return { side, ip: ipPacket(1, "192.0.2.1", "192.0.2.2", new Uint8Array(8)), index: undefined, what: "ICMP" };
};

export const FORGES: readonly Forge[] = [control, control, control, copy, copy, data, third, other];
