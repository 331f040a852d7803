import type { Message } from "../dissect/message.js";
import { instantOf } from "./message-row.js";
import type { Row } from "./table.js";

/** A player in an age, in one conversation. */
interface Stay {
  readonly row: Row;
  readonly messages: { c2s: number; s2c: number };
  readonly bytes: { c2s: number; s2c: number };
  last: number;
}

/** Who was where, from the messages of a capture. */
export class Stays {
  readonly #stays = new Map<string, Stay>();

  /** @param most how many are kept; messages of others are not counted */
  constructor(
    readonly capture: string,
    readonly most: number,
  ) {}

  take(message: Message): void {
    const { nodes, conversation, direction, length, origin } = message;
    const { player, place } = nodes?.context ?? {};
    if (player === undefined) return;
    const key = `${conversation.stream} ${player.id} ${place?.id ?? ""}`;
    let stay = this.#stays.get(key);
    const time = instantOf(origin);
    if (stay === undefined) {
      if (this.#stays.size >= this.most) return;
      const row: Row = { capture: this.capture, stream: conversation.stream, player_id: player.id };
      row["age_id"] = place?.id;
      row["first"] = time;
      stay = { row, messages: { c2s: 0, s2c: 0 }, bytes: { c2s: 0, s2c: 0 }, last: time };
      this.#stays.set(key, stay);
    }
    stay.last = time;
    stay.messages[direction]++;
    stay.bytes[direction] += length;
    const { row } = stay;
    row["player_name"] = nodes?.names?.get(player.kind, player.id) ?? row["player_name"];
    if (place !== undefined) row["age_name"] = nodes?.names?.get(place.kind, place.id) ?? row["age_name"];
  }

  get rows(): Row[] {
    return [...this.#stays.values()].map(({ row, messages, bytes, last }) => ({
      ...row,
      last,
      c2s_messages: messages.c2s,
      s2c_messages: messages.s2c,
      c2s_bytes: bytes.c2s,
      s2c_bytes: bytes.s2c,
    }));
  }
}
