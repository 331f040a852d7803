import type { MessagePlace, Step } from "../dissector/dissector.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import { type Decoder, Extent } from "../schema/decode/decode.js";
import type { StructType } from "../schema/language/struct.js";
import { viewOf } from "../schema/tree/byte-source.js";
import { worse } from "../schema/tree/outcome.js";
import type { DirectionStream } from "../session/stream/direction-stream.js";
import { checksumNotes } from "./checksum-notes.js";
import { decoderFor, type Trouble } from "./decode-message.js";
import type { DirectionEmitter } from "./direction-emitter.js";
import { learnNames } from "./learn-names.js";
import { messageNotes } from "./message-notes.js";
import { checkedAssembled, checkRemarks } from "./step-check.js";

/** A message of which only the head can be dissected. */
export type Headed = Step & { readonly step: "unknown" | "malformed" };

/**
 * Passes on the messages of one direction once they are decoded: learns names from them, notifies the dissector,
 * gathers the notes, and asks what each message has completed.
 */
export class MessageEmitter {
  constructor(
    readonly emitter: DirectionEmitter,
    readonly decoder: Decoder,
  ) {}

  /**
   * Passes on the message that the decoder has made of the next bytes of the stream, and what that message completes.
   *
   * @param trouble what keeps the message from being complete or sound, if anything
   * @param remark a further remark on it; usually empty
   */
  message(stream: DirectionStream, type: StructType<unknown>, trouble: Trouble | undefined, remark: string): void {
    const { session, direction } = this.emitter;
    const { nodes, consumed } = this.decoder;
    const { offset } = stream;
    learnNames(nodes, session.names);
    const place = this.emitter.placeOf(stream, consumed);
    stream.announce(consumed);
    expectNoPromise(session.dissector.decoded?.(direction, type, nodes, place), "decoded()");
    checkRemarks(nodes);
    const notes = messageNotes(nodes);
    if (remark !== "") notes.unshift({ severity: "note", path: "", text: remark });
    // The decoder's own notes say more.
    if (trouble !== undefined && trouble.text !== "" && nodes.outcome !== trouble.status) {
      notes.push({ severity: "error", path: "", text: trouble.text });
    }
    if (stream.hasChecksums) notes.push(...checksumNotes(stream, consumed));
    const status = trouble === undefined ? nodes.outcome : worse(nodes.outcome, trouble.status);
    this.emitter.passOn(place, { name: type.struct.name, status, nodes, offset, length: consumed, notes });
    this.#assembled(place, offset);
  }

  /** Passes on the head of a message that cannot be dissected any further. */
  head(stream: DirectionStream, { step, name, reason }: Headed): void {
    const { nodes, consumed } = this.decoder;
    const notes = messageNotes(nodes);
    notes.push({ severity: step === "malformed" ? "error" : "warning", path: "", text: reason });
    if (stream.hasChecksums) notes.push(...checksumNotes(stream, consumed));
    const place = this.emitter.placeOf(stream, consumed);
    const status = worse(nodes.outcome, step);
    this.emitter.passOn(place, { name, status, nodes, offset: stream.offset, length: consumed, notes });
  }

  /** Passes on what the last message has completed, as a message of its own. */
  #assembled({ origin }: MessagePlace, offset: number): void {
    const { session, direction, context } = this.emitter;
    const assembled = session.dissector.assembled?.(direction);
    if (assembled === undefined) return;
    const { type, bytes, parts } = checkedAssembled(assembled);
    const decoder = decoderFor(session, this.decoder);
    decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact, "assembled");
    const { nodes } = decoder;
    learnNames(nodes, session.names);
    const frames = [...new Set(parts.flatMap((part) => part.frames))];
    const place = { number: context.nextNumber, origin, frames };
    const notes = messageNotes(nodes);
    const { name } = type.struct;
    this.emitter.passOn(place, { name, status: nodes.outcome, nodes, offset, length: bytes.length, notes });
  }
}
