import { counted } from "../common/counted.js";
import type { Decoder } from "../schema/decode/decode.js";
import { Extent } from "../schema/decode/window.js";
import type { StructType } from "../schema/language/struct.js";
import type { RecognisedSession } from "../session/session.js";
import type { DirectionStream } from "../session/stream/direction-stream.js";
import { hasKnownEnd } from "./sync/known-end.js";

/** What is wrong with a message as a whole. */
export interface Trouble {
  readonly status: "malformed" | "truncated";
  readonly text: string;
  /** For a malformed one: why it is not known where it ends. */
  readonly why: string;
  /** Length in bytes of the whole message, if it is given. */
  readonly length?: number | undefined;
}

/** Returns the decoder, set up for a conversation. */
export function decoderFor({ analyzer, names, isTrusted }: RecognisedSession, decoder: Decoder): Decoder {
  decoder.isTrusted = isTrusted;
  decoder.settings = analyzer.settings;
  decoder.names = names;
  return decoder;
}

/**
 * Decodes the next message of a stream.
 *
 * @param exact its length in bytes, if the protocol gives it
 * @param final true if no more bytes follow the available ones
 * @returns what keeps it from being complete or sound, if anything; "more" if it needs more bytes, which may still come
 */
export function decodeMessage(
  decoder: Decoder,
  type: StructType<unknown>,
  stream: DirectionStream,
  exact: number | undefined,
  final: boolean,
  isDatagram: boolean,
): Trouble | "more" | undefined {
  const { name } = type.struct;
  const { bytes, view, start } = stream;

  const hasGap = stream.gap !== undefined;
  const claimedEnd = exact === undefined ? undefined : start + exact;
  // A datagram that was captured completely has no more bytes.
  const end = isDatagram && !hasGap ? Math.min(claimedEnd ?? stream.end, stream.end) : claimedEnd;
  const whole =
    end === undefined
      ? decoder.decode(type, stream, Extent.Open)
      : end <= stream.end && decoder.decode(type, { bytes, view, start, end }, Extent.Exact);
  // The available bytes were, or may have been, followed by some that the capture does not hold.
  const isCut = hasGap || !stream.isClosed;
  if (whole) {
    if (claimedEnd !== undefined && end !== claimedEnd) {
      const text = `${name} would have ${counted(claimedEnd - start, "byte")}; its datagram ends after ${stream.end - start}`;
      return { status: "malformed", text, why: "which is longer than its datagram" };
    }
    const mayGoOn = isDatagram ? hasGap : final && isCut;
    if (mayGoOn && end === undefined && !hasKnownEnd(decoder, type, stream)) {
      const there = counted(stream.end - start, "byte");
      return { status: "truncated", text: `the capture holds ${there} of ${name}`, why: "" };
    }
    const isLost = end === undefined && decoder.nodes.outcome === "malformed" && !hasKnownEnd(decoder, type, stream);
    if (!isLost) return undefined;
    return { status: "malformed", text: "", why: "which is malformed and has no known end" };
  }
  const needed = exact ?? decoder.needed;
  const longest = decoder.limits.messageBytes;
  if (needed > longest) {
    decoder.decode(type, stream, Extent.Exact);
    const text = `${name} would have at least ${needed} bytes; the limit is ${longest}`;
    return { status: "malformed", text, why: "whose length is over the limit" };
  }
  if (!final) return "more";
  const there = `${stream.end - start} of the ${needed} bytes of ${name}`;
  const text = isCut ? `the capture holds ${there}` : `the connection was closed after ${there}`;
  decoder.decode(type, stream, Extent.Cut);
  return { status: "truncated", text, why: "", length: exact };
}
