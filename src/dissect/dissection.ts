import { type Direction, type Origin, opposite } from "../network/conversation.js";
import { Decoder, Extent } from "../schema/decode.js";
import type { DecodeLimits } from "../schema/limits.js";
import type { Nodes } from "../schema/nodes.js";
import type { Introduction, StructType } from "../schema/struct.js";
import type { Step } from "../session/dissector.js";
import type { NameBook } from "../session/name-book.js";
import type { RecognisedSession, SessionListener } from "../session/tracker.js";
import type { MessageListener, MessageNote, Status } from "./message.js";
import { findBoundary } from "./resynchronise.js";

/** Longest message that is waited for. The client refuses messages above 1 MiB; file servers send 32 KiB at a time. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;

/** How far a direction has come. */
interface Progress {
  /** Bytes that must be there before it makes sense to look again. */
  needed: number;
  /** Set once nothing more of the direction can be dissected: why, and how to call the stretch. */
  opaque: { readonly name: "encrypted" | "skipped"; readonly status: Status; readonly reason: string } | undefined;
  /** Set behind a gap until the next message is found; counts the bytes that were skipped in the meantime. */
  searching: boolean;
  skipped: number;
  /** What to say of the first message that was found again; empty for others. */
  foundAgain: string;
  /** Bytes of the opaque stretch that have gone by, where it began, and the packet that ended it. */
  passed: number;
  passedFrom: number;
  lastOrigin: Origin | undefined;
}

/** An error of this program, not of the capture: what was thrown, and where it happened. */
export interface InternalError {
  readonly error: unknown;
  readonly stream: number;
  readonly direction: Direction;
  /** Offset in the direction's stream. */
  readonly offset: number;
}

/**
 * Cuts the plaintext of conversations into messages, as their dissectors say, and decodes each of them.
 */
export class Dissection implements SessionListener {
  readonly #decoder: Decoder;
  readonly #progress = new WeakMap<RecognisedSession, Record<Direction, Progress>>();
  #count = 0;

  constructor(
    readonly listener: MessageListener,
    readonly onInternalError: ((error: InternalError) => void) | undefined = undefined,
    limits?: DecodeLimits,
  ) {
    this.#decoder = new Decoder(limits);
  }

  advanced(session: RecognisedSession, direction: Direction): void {
    // Each direction can unblock the other: the server's answer in a key exchange, for one.
    let moved = this.#run(session, direction);
    let turn = opposite(direction);
    while (moved) {
      moved = this.#run(session, turn);
      turn = opposite(turn);
    }
  }

  datagram(session: RecognisedSession, direction: Direction): void {
    const stream = session.streams[direction];
    const progress = this.#progressOf(session, direction);
    // A datagram ends what it holds: nothing of it is waited for, and nothing wrong in it concerns the next one.
    stream.ended = true;
    this.#run(session, direction);
    this.#leaveOff(session, direction, progress);
    this.#reportOpaque(session, direction, progress);
    stream.ended = false;
    Object.assign(progress, fresh());
  }

  closed(session: RecognisedSession): void {
    this.advanced(session, "c2s");
    this.advanced(session, "s2c");
    for (const direction of ["c2s", "s2c"] as const) {
      const progress = this.#progressOf(session, direction);
      if (progress.opaque === undefined) this.#leaveOff(session, direction, progress);
      this.#reportOpaque(session, direction, progress);
    }
    this.#progress.delete(session);
  }

  /** Dissects what is there of one direction; true if it got anywhere. An error of the program ends only this direction. */
  #run(session: RecognisedSession, direction: Direction): boolean {
    try {
      return this.#steps(session, direction);
    } catch (error) {
      const { offset } = session.streams[direction];
      this.#progressOf(session, direction).opaque = lost("an internal error of this program happened before them");
      this.onInternalError?.({ error, stream: session.conversation.stream, direction, offset });
      return true;
    }
  }

  #steps(session: RecognisedSession, direction: Direction): boolean {
    const stream = session.streams[direction];
    const progress = this.#progressOf(session, direction);
    let moved = false;
    for (;;) {
      const length = stream.end - stream.start;
      if (progress.opaque !== undefined) {
        this.#passOpaque(session, direction, progress, length);
        if (stream.gap === undefined) return moved;
        this.#gap(session, direction);
        continue;
      }
      const final = stream.ended || stream.gap !== undefined;
      if (length === 0 || (length < progress.needed && !final)) {
        if (length > 0 || stream.gap === undefined) return moved;
        this.#gap(session, direction);
        this.#loseTrack(session, progress);
        moved = true;
        continue;
      }
      if (progress.searching) {
        if (!this.#search(session, direction, progress, final)) return moved;
        moved = true;
        continue;
      }
      const step = session.dissector.next(direction, stream);
      if (!this.#take(session, direction, step, progress, final)) return moved;
      moved = true;
    }
  }

  /** Behind a gap it is not known where the next message begins. */
  #loseTrack(session: RecognisedSession, progress: Progress): void {
    if (session.dissector.candidate === undefined) {
      progress.opaque = lost("what follows a gap cannot be told apart from the middle of a message");
    } else progress.searching = true;
    progress.needed = 0;
  }

  /** Looks for the next message behind a gap; false if that takes more bytes. */
  #search(session: RecognisedSession, direction: Direction, progress: Progress, final: boolean): boolean {
    const stream = session.streams[direction];
    const search = findBoundary(session.dissector, direction, stream, this.#decoder, final);
    if (search.skip > 0) this.#skip(session, direction, progress, search.skip);
    if (!search.found) {
      progress.needed = search.needed;
      // What was searched in vain up to a gap or the end is told as one stretch.
      if (final) this.#reportSkipped(session, direction, progress, "no message was found in them behind a gap");
      return search.skip > 0;
    }
    this.#reportSkipped(session, direction, progress, "the next message behind a gap was found behind them");
    progress.searching = false;
    progress.needed = 0;
    progress.foundAgain = `found behind a gap: from here on ${search.messages === 1 ? "a message makes" : `${search.messages} messages in a row make`} sense`;
    return true;
  }

  #skip(session: RecognisedSession, direction: Direction, progress: Progress, length: number): void {
    const stream = session.streams[direction];
    if (progress.skipped === 0) progress.passedFrom = stream.offset;
    progress.skipped += length;
    progress.lastOrigin = stream.originsOf(length).at(-1) ?? progress.lastOrigin;
    stream.consume(length);
  }

  #reportSkipped(session: RecognisedSession, direction: Direction, progress: Progress, why: string): void {
    const { skipped, passedFrom, lastOrigin } = progress;
    if (skipped === 0) return;
    const text = `${skipped} ${skipped === 1 ? "byte was" : "bytes were"} skipped: ${why}`;
    this.#stretch(session, direction, "skipped", "truncated", passedFrom, skipped, lastOrigin, text);
    progress.skipped = 0;
  }

  /** Carries out one step; false if the direction has to wait. */
  #take(session: RecognisedSession, direction: Direction, step: Step, progress: Progress, final: boolean): boolean {
    const stream = session.streams[direction];
    const length = stream.end - stream.start;
    switch (step.step) {
      case "wait":
        progress.needed = 0;
        return false;
      case "more":
        if (final) {
          this.#skip(session, direction, progress, length);
          const what = stream.gap === undefined ? "the stream breaks off" : "a gap follows";
          this.#reportSkipped(session, direction, progress, `${what} before it can be told what this is`);
          return true;
        }
        progress.needed = Math.max(step.bytes, length + 1);
        return false;
      case "encrypted":
        progress.opaque = { name: "encrypted", status: "encrypted", reason: step.reason };
        return true;
      case "unknown":
        this.#unknown(session, direction, step);
        progress.opaque = {
          name: "skipped",
          status: "unknown",
          reason: `they follow ${step.name}, whose end is not known`,
        };
        return true;
      case "message":
        return this.#message(session, direction, step.type, step.length, progress, final);
    }
  }

  #message(
    session: RecognisedSession,
    direction: Direction,
    type: StructType<unknown>,
    exact: number | undefined,
    progress: Progress,
    final: boolean,
  ): boolean {
    const stream = session.streams[direction];
    const decoder = this.#decoder;
    decoder.settings = session.dissector.settings;
    decoder.nodes.names = session.names;
    const available = stream.end - stream.start;
    if (exact !== undefined && exact <= available) {
      const { bytes, view, start } = stream;
      decoder.decode(type, { bytes, view, start, end: start + exact }, Extent.Exact);
    } else if (final) decoder.decode(type, stream, Extent.Cut);
    else {
      const whole = exact === undefined && decoder.decode(type, stream, Extent.Open);
      const needed = exact ?? decoder.needed;
      if (!whole && needed <= LONGEST_MESSAGE) {
        progress.needed = needed;
        return false;
      }
      if (!whole) {
        decoder.decode(type, stream, Extent.Exact);
        progress.opaque = lost(`${type.struct.name} would be longer than ${LONGEST_MESSAGE} bytes`);
      }
    }
    progress.needed = 0;
    const { nodes, consumed } = decoder;
    const { name } = type.struct;
    learnNames(nodes, session.names);
    const origin = stream.originsOf(consumed).at(-1);
    if (origin !== undefined) session.dissector.decoded?.(direction, type, nodes, { number: this.#count + 1, origin });
    this.#emit(session, direction, name, nodes.outcome, nodes, consumed, notesOf(nodes, progress.foundAgain));
    progress.foundAgain = "";
    stream.consume(consumed);
    return true;
  }

  /** A message whose end is not known: its head, then all that is there. */
  #unknown(session: RecognisedSession, direction: Direction, step: Step & { step: "unknown" }): void {
    const stream = session.streams[direction];
    const { nodes } = this.#decoder;
    this.#decoder.decode(step.head, stream, Extent.Cut);
    this.#emit(session, direction, step.name, "unknown", nodes, this.#decoder.consumed, [
      ...notesOf(nodes),
      { severity: "warning", path: "", text: step.reason },
    ]);
    stream.consume(this.#decoder.consumed);
  }

  /** At the end of a conversation: what is left was waiting for something that never came. */
  #leaveOff(session: RecognisedSession, direction: Direction, progress: Progress): void {
    const stream = session.streams[direction];
    if (stream.end === stream.start) return;
    progress.opaque = brokenOff("conversation ends");
    this.#passOpaque(session, direction, progress, stream.end - stream.start);
  }

  #gap(session: RecognisedSession, direction: Direction): void {
    const stream = session.streams[direction];
    const { gap } = stream;
    if (gap === undefined) return;
    const why = gap.reason === "cut" ? "were cut off by the snap length" : "were not captured";
    const [origin] = stream.originsOf(1);
    this.#stretch(session, direction, "gap", "truncated", gap.offset, gap.length, origin, `${gap.length} bytes ${why}`);
    stream.passGap();
  }

  /** Lets bytes go by that cannot be dissected. */
  #passOpaque(session: RecognisedSession, direction: Direction, progress: Progress, length: number): void {
    const stream = session.streams[direction];
    if (length === 0) return;
    if (progress.passed === 0) progress.passedFrom = stream.offset;
    progress.passed += length;
    progress.lastOrigin = stream.originsOf(length).at(-1) ?? progress.lastOrigin;
    stream.consume(length);
  }

  #reportOpaque(session: RecognisedSession, direction: Direction, progress: Progress): void {
    const { opaque, passed, passedFrom, lastOrigin } = progress;
    if (opaque === undefined || passed === 0) return;
    const text = opaque.name === "encrypted" ? opaque.reason : `${passed} bytes were skipped: ${opaque.reason}`;
    this.#stretch(session, direction, opaque.name, opaque.status, passedFrom, passed, lastOrigin, text);
  }

  /** Hands on a stretch of a stream that is no message. */
  #stretch(
    session: RecognisedSession,
    direction: Direction,
    name: "gap" | "skipped" | "encrypted",
    status: Status,
    offset: number,
    length: number,
    origin: Origin | undefined,
    text: string,
  ): void {
    if (origin === undefined) return;
    this.#count++;
    this.listener({
      number: this.#count,
      origin,
      frames: [origin.frame],
      conversation: session.conversation,
      direction,
      protocol: session.dissector.protocol,
      name,
      status,
      nodes: undefined,
      offset,
      length,
      notes: [{ severity: "warning", path: "", text }],
    });
  }

  #emit(
    session: RecognisedSession,
    direction: Direction,
    name: string,
    status: Status,
    nodes: Nodes,
    length: number,
    notes: readonly MessageNote[],
  ): void {
    const stream = session.streams[direction];
    const origins = stream.originsOf(length);
    const origin = origins.at(-1);
    if (origin === undefined) return;
    const frames: number[] = [];
    for (const { frame } of origins) if (frame !== frames.at(-1)) frames.push(frame);
    this.#count++;
    this.listener({
      number: this.#count,
      origin,
      frames,
      conversation: session.conversation,
      direction,
      protocol: session.dissector.protocol,
      name,
      status,
      nodes,
      offset: stream.offset,
      length,
      notes,
    });
  }

  #progressOf(session: RecognisedSession, direction: Direction): Progress {
    let both = this.#progress.get(session);
    if (both === undefined) {
      both = { c2s: fresh(), s2c: fresh() };
      this.#progress.set(session, both);
    }
    return both[direction];
  }
}

function fresh(): Progress {
  return {
    needed: 0,
    opaque: undefined,
    searching: false,
    skipped: 0,
    foundAgain: "",
    passed: 0,
    passedFrom: 0,
    lastOrigin: undefined,
  };
}

function lost(reason: string): Progress["opaque"] {
  return { name: "skipped", status: "unknown", reason };
}

/** What to say of bytes that end too early to tell what they are. */
function brokenOff(what: string): Progress["opaque"] {
  return { name: "skipped", status: "truncated", reason: `the ${what} before it can be told what these bytes are` };
}

/** Takes down the names that a message tells. */
function learnNames(nodes: Nodes, names: NameBook): void {
  for (const node of nodes.introductions) {
    for (const introduction of nodes.field(node).struct?.introduces ?? []) learnName(nodes, node, introduction, names);
  }
}

function learnName(nodes: Nodes, node: number, introduction: Introduction, names: NameBook): void {
  const { kind, name, when, except, makeshift } = introduction;
  if (when !== undefined && nodes.numberIn(node, when.field) !== when.is) return;
  const id = textIn(nodes, node, introduction.id);
  if (id === undefined || id === String(except)) return;
  if (makeshift && names.get(kind, id) !== undefined) return;
  const told = typeof name === "string" ? textIn(nodes, node, name) : name(nodes, node);
  if (told !== undefined) names.set(kind, id, told);
}

/** The value of a field of a struct as text; undefined if the field is absent. */
function textIn(nodes: Nodes, struct: number, name: string): string | undefined {
  const node = nodes.child(struct, name);
  return node < 0 ? undefined : String(nodes.value(node));
}

const NO_NOTES: readonly MessageNote[] = [];

/** The notes of a tree, and one on the whole message if there is something to say of it. */
function notesOf(nodes: Nodes, whole = ""): readonly MessageNote[] {
  if (nodes.notes.length === 0 && whole === "") return NO_NOTES;
  const notes = nodes.notes.map(({ severity, node, text }) => ({ severity, path: nodes.path(node), text }));
  return whole === "" ? notes : [{ severity: "note", path: "", text: whole }, ...notes];
}
