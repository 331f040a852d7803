import { type Direction, directions, type Step, type Window } from "moul-dissect/dissector";
import { headAt, looksFramed, type MessageTable, messageCandidate } from "./message-table.js";
import { HEADER_BYTES } from "./messages.js";

/** Finds where messages begin on a connection whose beginning was not captured: the capture may start inside one. */
export class FirstMessages {
  readonly #unsure: Set<Direction>;

  constructor(isMidstream: boolean) {
    this.#unsure = new Set(isMidstream ? directions : []);
  }

  /** True if it is not known whether a direction begins at the start of a message. */
  areUnsure(direction: Direction): boolean {
    return this.#unsure.has(direction);
  }

  /**
   * The step to take at the beginning of a direction; undefined if it begins with messages, or if the beginning is
   * past.
   */
  step(direction: Direction, table: MessageTable, window: Window): Step | undefined {
    if (!this.#unsure.has(direction)) return undefined;
    if (window.end - window.start < HEADER_BYTES) return { step: "more", bytes: HEADER_BYTES };
    this.#unsure.delete(direction);
    return beginsWithMessage(table, window) ? undefined : { step: "search" };
  }

  /** Records that it is now known where messages begin in this direction. */
  past(direction: Direction): void {
    this.#unsure.delete(direction);
  }
}

/** True if a declared message begins at a place, followed by what look like messages to the end of the window. */
function beginsWithMessage(table: MessageTable, { bytes, view, start, end }: Window): boolean {
  // The window may be a stream, whose members are getters: spreading it below would copy none of them.
  let place = { bytes, view, start, end };
  if (typeof messageCandidate(table, place) !== "object") return false;
  for (let head = headAt(place); head !== undefined; head = headAt(place)) {
    if (looksFramed(table, place) === false) return false;
    place = { ...place, start: place.start + head.length };
  }
  return true;
}
