import type { Message } from "../dissect/message.js";
import type { StateEvent } from "../dissector/state-event.js";
import { SDL, VOICE } from "./general-tables.js";
import { instantOf } from "./message-row.js";
import type { Table, Value } from "./table.js";

/**
 * Passes the rows of what a message says about variables, and of what is spoken in it: values in the order of the
 * columns, after `capture`.
 */
export function forEachStated(
  message: Message,
  events: readonly StateEvent[],
  add: (table: Table, row: readonly Value[]) => void,
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
      add(VOICE, [...said, codec, frames.length, bytes, key]);
      continue;
    }
    const { object, set, version, isPersistent, values } = event;
    const stated = [...said, object, set, version, isPersistent];
    // Without the descriptor it is known that something was said, but not what.
    if (values === undefined) add(SDL, stated);
    for (const [variable, value] of Object.entries(values ?? {})) {
      const numeric = typeof value === "number" || typeof value === "boolean" ? Number(value) : undefined;
      add(SDL, [...stated, variable, JSON.stringify(value), numeric]);
    }
  }
}
