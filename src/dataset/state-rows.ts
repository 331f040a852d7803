import type { Message } from "../dissect/message.js";
import type { Party, StateEvent } from "../dissector/state-event.js";
import { SDL, VOICE } from "./general-tables.js";
import { instantOf } from "./message-row.js";
import type { Row, Table } from "./table.js";

/** Passes the rows of what a message says about variables, and of what is spoken in it. */
export function forEachStated(
  capture: string,
  { number, origin, conversation }: Message,
  events: readonly StateEvent[],
  add: (table: Table, row: Row) => void,
): void {
  for (const event of events) {
    if (event.kind !== "variables" && event.kind !== "voice") continue;
    const place = {
      capture,
      number: BigInt(number),
      time: instantOf(origin),
      stream: BigInt(conversation.stream),
      ...partyOf(event.from),
      is_relayed: event.isRelayed,
    };
    if (event.kind === "voice") {
      const { codec, frames, key } = event;
      const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
      add(VOICE, { ...place, codec, frames: frames.length, bytes: BigInt(bytes), utterance: key });
      continue;
    }
    const { object, set, version, isPersistent, values } = event;
    const stated = { ...place, object, descriptor: set, version, is_persistent: isPersistent };
    // Without the descriptor it is known that something was said, but not what.
    if (values === undefined) add(SDL, stated);
    for (const [variable, value] of Object.entries(values ?? {})) {
      const numeric = typeof value === "number" || typeof value === "boolean" ? Number(value) : undefined;
      add(SDL, { ...stated, variable, value: JSON.stringify(value), numeric });
    }
  }
}

function partyOf(party: Party | undefined): Row {
  return party?.kind === "player" ? { player_id: party.id, player_name: party.name } : {};
}
