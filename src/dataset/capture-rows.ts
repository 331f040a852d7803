import type { Message } from "../dissect/message.js";
import type { StreamFacts } from "../stats/index.js";
import { conversationRow } from "./conversation-row.js";
import { CAPTURES, CONVERSATIONS, PLAYERS } from "./general-tables.js";
import { HeldRows, type RowSink } from "./held-rows.js";
import { instantOf } from "./message-row.js";
import { Stays } from "./stays.js";
import type { Row } from "./table.js";

export interface CaptureRowsOptions {
  /** The most stays of players that are told apart. */
  readonly mostStays: number;
  /** The most rows of a table that are held before they are passed on. */
  readonly groupRows: number;
}

/** The rows about a capture as a whole: itself, its conversations and players. */
export class CaptureRows {
  readonly #held: HeldRows;
  readonly #stays: Stays;
  #messages = 0;
  #first: number | undefined;
  #last: number | undefined;

  /** @param capture its digest */
  constructor(
    capture: string,
    readonly options: CaptureRowsOptions,
    sink: RowSink,
  ) {
    this.#held = new HeldRows(capture, sink);
    this.#stays = new Stays(options.mostStays);
  }

  /** Takes every message. */
  message(message: Message): void {
    const time = instantOf(message.origin);
    this.#first ??= time;
    this.#last = time;
    this.#messages++;
    this.#stays.take(message);
  }

  conversation(facts: Omit<StreamFacts, "isTimed">): void {
    const rows = this.#held.of(CONVERSATIONS);
    rows.add(conversationRow(facts));
    if (rows.count >= this.options.groupRows) this.#held.flush();
  }

  /** How many messages were taken, with ranges that are none. */
  get messages(): number {
    return this.#messages;
  }

  /** What the rows lack, in sentences. */
  get remarks(): readonly string[] {
    const { remark } = this.#stays;
    return remark === undefined ? [] : [remark];
  }

  /** Passes on all that is held, and the row of the capture itself. */
  end(facts: Row): void {
    for (const row of this.#stays.rows) {
      const rows = this.#held.of(PLAYERS);
      rows.add(row);
      if (rows.count >= this.options.groupRows) this.#held.flush();
    }
    const own = { first: this.#first, last: this.#last, messages: this.#messages };
    this.#held.of(CAPTURES).add({ ...own, ...facts });
    this.#held.flush();
  }
}
