import { counted } from "../common/counted.js";
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
  #leftOut = 0;

  /** @param most how many are kept */
  constructor(readonly most: number) {}

  take(message: Message): void {
    const { nodes, conversation, direction, length, origin } = message;
    const { player, place } = nodes?.context ?? {};
    if (player === undefined) return;
    const key = `${conversation.stream} ${player.id} ${place?.id ?? ""}`;
    let stay = this.#stays.get(key);
    const time = instantOf(origin);
    if (stay === undefined) {
      if (this.#stays.size >= this.most) {
        this.#leftOut++;
        return;
      }
      const row: Row = { stream: conversation.stream, player_id: player.id };
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

  /** What the rows lack, in a sentence; undefined if they have everything. */
  get remark(): string | undefined {
    if (this.#leftOut === 0) return undefined;
    const lacks = `the table players lacks the stays of ${counted(this.#leftOut, "message")}`;
    return `${lacks}: it has ${counted(this.most, "stay")} of this capture; --limit countedKeys=N changes it`;
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
