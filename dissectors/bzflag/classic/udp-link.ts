import type { Window } from "moul-dissect/dissector";
import { bytes, type Members, type StructType, struct, Type } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import type { Head } from "../message-table.js";

/** The envelope of the UDP link. Source: facts, section 2, "UDP link datagram". */

export const LINK_MARKER = 0xfeed;
const END_MARKER = 0xffff;
const MARKERS_BYTES = 4;
const PACKET_HEAD_BYTES = 4;
const END_BYTES = 2;

const datagramHead = {
  marker: u16.doc("Always 0xFEED."),
  lastRecv: u16.doc("Number of the last packet received from the other side; servers always send 0."),
};
const packetHead = {
  packetLen: u16.doc("Length of the message that follows in bytes, including its header."),
  seq: u16.doc("Number of the packet, counted from 0 in each direction.").inSummary(),
};
const end = { udpFrameEnd: u16.doc("Always 0xFFFF.") };

const firstPacket = struct("udpFrame", { ...datagramHead, ...packetHead });
const nextPacket = struct("udpFrame", packetHead);

/** A datagram without packets. */
export const UDPLinkDatagram = struct("UDPLinkDatagram", { udpFrame: struct("udpFrame", datagramHead), ...end });

/** The end of a datagram, where it does not directly follow a packet as it should. */
export const UDPLinkEnd = struct("UDPLinkEnd", end);

/** Where a packet is in its datagram. */
interface PacketPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A packet of a datagram. */
interface LinkPacket extends PacketPlace {
  /** Bytes of the packet, with the parts of the envelope that are shown with it. */
  readonly length: number;
  /** Header of the message in it; undefined if its length is not that of the packet. */
  readonly head: Head | undefined;
}

/** The packet at a place of a datagram; undefined if there is none. */
export function packetAt(
  { view, start, end: limit }: Window,
  { isFirst }: Pick<PacketPlace, "isFirst">,
): LinkPacket | undefined {
  const at = start + (isFirst ? MARKERS_BYTES : 0);
  if (at + PACKET_HEAD_BYTES > limit) return undefined;
  const packetLen = view.getUint16(at);
  const body = at + PACKET_HEAD_BYTES;
  const stop = body + packetLen;
  const isLast = stop + END_BYTES === limit && view.getUint16(stop) === END_MARKER;
  const agrees = packetLen >= 4 && body + 4 <= limit && view.getUint16(body) + 4 === packetLen;
  const head = agrees ? { length: packetLen, code: view.getUint16(body + 2) } : undefined;
  return { length: (isLast ? stop + END_BYTES : stop) - start, isFirst, isLast, head };
}

/** True if a datagram belongs to the link: it holds packets up to its end mark. */
export function isLinkDatagram({ bytes: data, view, start, end: limit }: Window): boolean {
  if (limit - start < MARKERS_BYTES + END_BYTES || view.getUint16(start) !== LINK_MARKER) return false;
  let at = start + MARKERS_BYTES;
  while (at + END_BYTES < limit) {
    const packet = packetAt({ bytes: data, view, start: at, end: limit }, { isFirst: false });
    if (packet === undefined || packet.head === undefined) return false;
    at += packet.length;
    if (packet.isLast) return at === limit;
  }
  return at + END_BYTES === limit && view.getUint16(at) === END_MARKER;
}

/** Stands in for a message that is longer or shorter than its packet. */
export const brokenPacket = struct("UDPLinkPacket", {});

const framed = new WeakMap<StructType<unknown>, Map<string, StructType<unknown>>>();
const unframed = new WeakMap<StructType<unknown>, StructType<unknown>>();

/** A message as it appears in a datagram, with the parts of the envelope before and after it. */
export function inLink(type: StructType<unknown>, { isFirst, isLast }: PacketPlace): StructType<unknown> {
  let forms = framed.get(type);
  if (forms === undefined) {
    forms = new Map();
    framed.set(type, forms);
  }
  const key = `${isFirst} ${isLast}`;
  let form = forms.get(key);
  if (form === undefined) {
    form = wrapped(type, isFirst ? firstPacket : nextPacket, isLast ? end : {});
    forms.set(key, form);
    unframed.set(form, type);
  }
  return form;
}

/** Returns the message in one of these forms, and any other message unchanged. */
export function withoutLink(form: StructType<unknown>): StructType<unknown> {
  return unframed.get(form) ?? form;
}

function wrapped(type: StructType<unknown>, udpFrame: StructType<unknown>, after: Members): StructType<unknown> {
  const { name, descriptors, tag, doc, introduces } = type.struct;
  const inner: Members =
    type === brokenPacket
      ? { packet: bytes("udpFrame.packetLen").sensitive("unknown") }
      : Object.fromEntries([...descriptors].map(([member, descriptor]) => [member, new Type(descriptor)]));
  return struct(
    name,
    { udpFrame, ...inner, ...after },
    { doc, ...(tag !== undefined && { tag }), ...(introduces && { introduces }) },
  );
}
