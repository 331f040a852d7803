import type { Message } from "../dissect/message.js";
import type { StateEvent } from "../dissector/state-event.js";
import { singleNumber, singleText } from "../schema/tree/single-text.js";
import { SDL, VOICE } from "./general-tables.js";
import { instantOf } from "./message-row.js";
import type { Table, Value } from "./table.js";

/** The events that have rows. */
export const STATED: ReadonlySet<StateEvent["kind"]> = new Set(["variables", "voice"]);

/**
 * Passes the rows of what a message says about variables, and of what is spoken in it: values in the order of the
 * columns, after `capture`.
 *
 * @param add takes a row, and how many of its first values are those of the row before
 */
export function forEachStated(
  message: Message,
  events: readonly StateEvent[],
  add: (table: Table, row: readonly Value[], same: number) => void,
): void {
  for (const event of events) {
    if (event.kind !== "variables" && event.kind !== "voice") continue;
    const { number, origin, conversation } = message;
    const { from, isRelayed } = event;
    const player = from?.kind === "player" ? from : undefined;
    const said = [number, instantOf(origin), conversation.stream, player?.id, player?.name, isRelayed];
    if (event.kind === "voice") {
      const { codec, frames, key } = event;
      const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
      add(VOICE, [...said, codec, frames.length, bytes, key], 0);
      continue;
    }
    const { object, owner, place, set, version, isPersistent, values } = event;
    const stated = [...said, object, owner?.id, owner?.name, place?.id, place?.name, set, version, isPersistent];
    // Without the descriptor it is known that something was said, but not what.
    if (values === undefined) add(SDL, stated, 0);
    let same = 0;
    const row: Value[] = [...stated, undefined, undefined, undefined];
    for (const variable in values) {
      const value = values[variable];
      const isNumeric = typeof value === "number" || typeof value === "boolean";
      row[stated.length] = variable;
      row[stated.length + 1] = jsonOf(value);
      row[stated.length + 2] = isNumeric ? Number(value) : undefined;
      add(SDL, row, same);
      same = stated.length;
    }
  }
}

/** A value as JSON: most are numbers, for which `JSON.stringify` takes much longer. */
function jsonOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) {
    // A number of single precision has no more digits.
    return Number.isInteger(value) || singleNumber(value) !== value ? String(value) : singleText(value);
  }
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}
