import type { Limits } from "../../limits.js";
import type { PartyList, Statistics, TallySums } from "../../stats/index.js";
import { CommonParties } from "./common-parties.js";
import { MergedTraces, type MergedTracesClient } from "./merged-traces.js";
import { Event } from "./trace.js";
import type { TraceReader } from "./trace-reader.js";

const LISTS: readonly PartyList[] = ["players", "ages"];

/** Adds up what several threads have counted. */
export class MergedCounts extends MergedTraces<TallySums> {
  readonly #parties = new CommonParties(this.names);

  constructor(
    threads: number,
    limits: Limits,
    readonly statistics: Statistics,
    client: MergedTracesClient,
  ) {
    super(threads, limits, client);
  }

  protected override take(event: number, reader: TraceReader<TallySums>): void {
    switch (event) {
      case Event.Messages: {
        const { messages, counted, origin } = reader.messages();
        this.count(reader, messages);
        if (counted > 0) this.statistics.notice(origin, counted);
        break;
      }
      case Event.Exchange: {
        const exchange = reader.exchange(this.number);
        if (exchange === undefined) this.unusual("a message answers an unknown one");
        else this.statistics.exchange(exchange);
        break;
      }
      case Event.Type:
        this.statistics.newType(reader.text() ?? "");
        break;
      case Event.Party:
        this.#party(reader);
    }
  }

  #party(reader: TraceReader<TallySums>): void {
    const list = LISTS[Number(reader.isTrue())] ?? "players";
    const [key = "", dissector = "", scope = ""] = [reader.text(), reader.text(), reader.text()];
    const thing = reader.thing();
    if (thing === undefined) return;
    this.statistics.newParty(list, key);
    this.#parties.came(list, key, dissector, scope, thing, this.nextOf(reader));
  }

  protected override ended(sums: TallySums): readonly ArrayBufferLike[] {
    this.#parties.seen(sums);
    const isClear = this.statistics.addSums(sums);
    if (!isClear) this.unusual('the limit "countedKeys" was reached');
    return [];
  }

  /** Gives players and ages their names. */
  override finish(): void {
    this.statistics.nameParties((list, key) => this.#parties.nameOf(list, key));
  }
}
