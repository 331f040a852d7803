import type { CaptureProblem } from "../../capture/packet.js";
import type { CaptureSource } from "../../capture/source.js";
import type { Message } from "../../dissect/message.js";
import { textFormsOf } from "../../dissector/text-forms.js";
import { compileFilter, completionsAt, FilterError, Vocabulary } from "../../filter/index.js";
import { TextSearch } from "../../find/search.js";
import { type EndOfRun, problemText, RunWatch } from "../../library/end-of-run.js";
import { defaultLimits } from "../../limits.js";
import type { Conversation, Origin } from "../../network/conversation.js";
import { absoluteTime } from "../../output/writers/time.js";
import { dissectors } from "../../pipeline/dissectors.js";
import type { EngineOptions, RunHooks } from "../../pipeline/options.js";
import { runCaptures } from "../../pipeline/run.js";
import { sortedByTime } from "../../pipeline/time-order.js";
import type { NetworkObserver } from "../../session/observer.js";
import { MessageStore } from "../../store/message-store.js";
import type {
  Arrow,
  ChatRows,
  Completion,
  Detail,
  FilterProblem,
  FoundObjectRows,
  FoundText,
  InputFile,
  PlayerRows,
  Progress,
  ReferenceEntry,
  ReferencePage,
  Row,
  SessionApi,
  SessionSettings,
  SessionStatistics,
  Shown,
  StateRow,
  TimelineView,
  VaultNodePage,
  VaultRow,
} from "../session-api.js";
import { Breathing } from "./breathe.js";
import { detailOf } from "./detail.js";
import { GrowingNumbers } from "./growing-numbers.js";
import { NameOrigins } from "./name-origins.js";
import { sorted } from "./opening/inputs.js";
import { ReadingProgress } from "./opening/reading-progress.js";
import { RegularReports } from "./opening/regular-reports.js";
import { Reference } from "./reference.js";
import { rowOf } from "./rows.js";
import { Sequence } from "./sequence.js";
import { SessionState } from "./session-state.js";
import { ShownList } from "./shown-list.js";
import { SessionCounts, ShownCounts } from "./statistics.js";
import { Timeline } from "./timeline.js";

/** Most messages that are kept: what is kept of so many is what a tab can hold. */
const MOST_MESSAGES = 1_500_000;
/** Most messages among which an example is looked for. */
const MOST_SEARCHED = 20_000;
/** Most remarks that are kept. */
const MOST_REMARKS = 200;

/** What was opened, and everything that can be asked about it. */
export class Session implements SessionApi {
  readonly #store = new MessageStore(dissectors, defaultLimits);
  readonly #list = new ShownList(this.#store);
  readonly #timeline = new Timeline(this.#store);
  readonly #counts = new SessionCounts();
  readonly #shownCounts = new ShownCounts(this.#store, this.#list);
  readonly #names = new NameOrigins();
  readonly #state = new SessionState(dissectors, this.#store, defaultLimits);
  readonly #players = new Map<Conversation, string>();
  readonly #sequence = new Sequence(this.#store, this.#list, this.#players);
  /** Number of the first reply to each message. */
  readonly #replies = new GrowingNumbers();
  readonly #remarks = new Set<string>();
  #reference: Reference | undefined;
  /** The first packet: what times are counted from. */
  #first: Origin | undefined;
  #conversations = 0;
  /** True once a message was not kept, for want of room. */
  #isFull = false;
  #onShown: (shown: Shown) => void = () => {};
  readonly #network: NetworkObserver = {
    began: (first) => {
      this.#first ??= first;
    },
    opened: (conversation) => {
      this.#conversations++;
      return {
        recognised: (session) => this.#store.recognised(session),
        closed: (reason, by) => this.#state.closed(conversation, reason, by),
      };
    },
  };

  /** @param mostMessages most messages that are kept */
  constructor(readonly mostMessages = MOST_MESSAGES) {}

  async open(
    files: readonly InputFile[],
    { decodeAs = [], limits = {} }: SessionSettings,
    onProgress: (progress: Progress, shown: Shown) => void,
  ): Promise<void> {
    const { captures: given, keys, definitions, totalBytes } = await sorted(files, dissectors);
    // Files come in any order when they are dropped; a recording can be read only once.
    const captures =
      totalBytes === undefined
        ? given
        : await sortedByTime(given, (capture) => capture, { ...defaultLimits, ...limits });
    const names = captures.map(({ name }) => name);
    const progress = new ReadingProgress(names, totalBytes);
    const report = (phase: Progress["phase"]) => {
      const { count } = this.#store;
      const facts = { messages: count, conversations: this.#conversations, remarks: [...this.#remarks] };
      onProgress({ phase, ...progress.facts, ...facts }, this.#list.shown);
    };
    if (captures.length === 0) this.#remark("none of these files is a capture");
    const reports = new RegularReports(
      async () => void (await this.#list.catchUp(this.#onShown)),
      () => report("reading"),
    );
    try {
      const end = await this.#read(captures, { keys, definitions, decodeAs, limits }, progress, reports);
      reports.end();
      if (captures.length > 0) for (const remark of end.remarks) this.#remark(remark);
      await this.#list.catchUp(this.#onShown);
      report(end.captures.every((outcome) => outcome === "unreadable") ? "failed" : "done");
    } catch (error) {
      reports.end();
      this.#remark(error instanceof Error ? error.message : String(error));
      report("failed");
    }
  }

  /** Reads captures into the store, as far as there is room, while the page gets its answers. */
  async #read(
    captures: readonly CaptureSource[],
    options: Required<Pick<EngineOptions, "keys" | "definitions" | "decodeAs" | "limits">>,
    progress: ReadingProgress,
    reports: RegularReports,
  ): Promise<EndOfRun> {
    const breathing = new Breathing();
    const onRemark = (text: string) => this.#remark(text);
    const onProblem = (problem: CaptureProblem) => onRemark(problemText(problem));
    const watch = new RunWatch({ limits: options.limits, onRemark, onProblem });
    const hooks: EngineOptions & RunHooks = {
      ...options,
      network: this.#network,
      ...watch.hooks,
      onInternalError: ({ error }) => onRemark(`internal error: ${String(error)}`),
      onName: (dissector, change) => {
        this.#names.change(this.#store.count, change);
        this.#store.changed(dissector, change);
      },
    };
    const take = (message: Message) => {
      watch.see(message);
      this.#take(message);
    };
    const result = await runCaptures(captures, hooks, take, async (place) => {
      progress.reached(place);
      if (breathing.isDue) {
        await reports.now();
        await breathing.breathe();
      }
      reports.later();
      return !this.#isFull;
    });
    return watch.end(result, true);
  }

  async haveCapture(files: readonly InputFile[]): Promise<boolean> {
    return (await sorted(files, dissectors)).captures.length > 0;
  }

  async filter(expression: string, onShown: (shown: Shown) => void): Promise<FilterProblem | Shown | undefined> {
    const problem = this.checkFilter(expression);
    if (problem !== undefined) return problem;
    this.#onShown = onShown;
    const passes = expression === "" ? undefined : compileFilter(expression, this.#vocabulary);
    return (await this.#list.filter(passes, onShown)) ? this.#list.shown : undefined;
  }

  checkFilter(expression: string): FilterProblem | undefined {
    if (expression === "") return undefined;
    try {
      compileFilter(expression, this.#vocabulary);
      return undefined;
    } catch (error) {
      if (error instanceof FilterError) return { message: error.message };
      throw error;
    }
  }

  complete(expression: string, cursor: number): readonly Completion[] {
    return completionsAt(expression, cursor, this.#vocabulary);
  }

  rows(first: number, count: number): readonly Row[] {
    const rows: Row[] = [];
    for (let place = first; place < Math.min(first + count, this.#list.count); place++) rows.push(this.#rowAt(place));
    return rows;
  }

  placeOf(number: number): number {
    return this.#list.placeOf(number - 1);
  }

  detailAt(place: number): Detail | undefined {
    if (this.#first === undefined || place >= this.#list.count) return undefined;
    const index = this.#list.indexAt(place);
    return detailOf(this.#store.at(index), {
      place,
      first: this.#first,
      answeredBy: this.#replies.get(index + 1),
      namedIn: (scope, kind, id) => this.#names.at(index, scope, kind, id),
    });
  }

  async find(text: string, from: number, isBackwards: boolean): Promise<FoundText | undefined> {
    const search = new TextSearch(text, textFormsOf(dissectors));
    const breathing = new Breathing();
    const { count } = this.#list;
    // Around the end, as in Wireshark.
    for (let step = 1; step <= count; step++) {
      const place = (((isBackwards ? from - step : from + step) % count) + count) % count;
      const [hit] = search.hitsIn(this.#store.at(this.#list.indexAt(place)));
      if (hit !== undefined) return { place, path: hit.path };
      if (breathing.isDue) await breathing.breathe();
    }
    return undefined;
  }

  participants(): readonly string[] {
    return this.#sequence.participants();
  }

  arrows(first: number, count: number): readonly Arrow[] {
    return this.rows(first, count).map((row) => this.#sequence.arrow(this.#store.head(row.number - 1), row));
  }

  timeline(columns: number, from: number | undefined, to: number | undefined): TimelineView {
    return this.#timeline.view(columns, from, to);
  }

  timeAt(seconds: number): string | undefined {
    if (this.#first === undefined) return undefined;
    const nanoseconds = this.#first.nanoseconds + Math.round(seconds * 1e9);
    const whole = this.#first.seconds + Math.floor(nanoseconds / 1e9);
    return absoluteTime({ ...this.#first, seconds: whole, nanoseconds: ((nanoseconds % 1e9) + 1e9) % 1e9 });
  }

  chat(most: number): ChatRows {
    return this.#state.chat(most);
  }

  vault(number: number): Promise<readonly VaultRow[]> {
    return this.#state.vault(number);
  }

  vaultNode(id: string, number: number): Promise<VaultNodePage | undefined> {
    return this.#state.vaultNode(id, number);
  }

  states(number: number): Promise<readonly StateRow[]> {
    return this.#state.states(number);
  }

  players(): PlayerRows {
    return this.#state.players(this.#first);
  }

  objects(): Promise<FoundObjectRows> {
    return this.#state.objects.rows();
  }

  object(id: string): Uint8Array | undefined {
    return this.#state.objects.content(id);
  }

  shownObject(id: string): Uint8Array | undefined {
    return this.#state.objects.shown(id);
  }

  async statistics(): Promise<SessionStatistics> {
    const counts = this.#list.isFiltered ? await this.#shownCounts.upToDate(this.#first) : this.#counts;
    return counts.sums(this.#store.count, !this.#list.isFiltered);
  }

  references(): readonly ReferenceEntry[] {
    return this.#pages.entries;
  }

  reference(name: string): ReferencePage | undefined {
    return this.#pages.page(name, this.#exampleOf(name));
  }

  /** Number of the first message that has a class or a type: a filter of that name finds it. */
  #exampleOf(name: string): number | undefined {
    if (this.#vocabulary.get(name)?.isClass !== true) return undefined;
    const has = compileFilter(name, this.#vocabulary);
    for (let index = 0; index < Math.min(this.#store.count, MOST_SEARCHED); index++) {
      if (has(this.#store.at(index))) return index + 1;
    }
    return undefined;
  }

  /** Made when it is first needed: it takes as long as the first messages do. */
  get #vocabulary(): Vocabulary {
    return Vocabulary.of(dissectors);
  }

  get #pages(): Reference {
    this.#reference ??= new Reference(dissectors);
    return this.#reference;
  }

  #rowAt(place: number): Row {
    const message = this.#store.at(this.#list.indexAt(place));
    return rowOf(message, place, this.#first ?? message.origin);
  }

  #take(message: Message): void {
    if (this.#store.count >= this.mostMessages) {
      if (!this.#isFull) this.#remark(`only the first ${this.mostMessages} messages are shown: a tab cannot hold more`);
      this.#isFull = true;
      return;
    }
    this.#first ??= message.origin;
    this.#store.add(message);
    this.#counts.take(message, this.#first);
    const { number, nodes, conversation } = message;
    const { answers } = nodes?.context ?? {};
    if (answers !== undefined && this.#replies.get(answers.number) === 0) this.#replies.set(answers.number, number);
    this.#state.take(message);
    const playerName = this.#state.playerIn(conversation);
    if (playerName !== undefined) this.#players.set(conversation, playerName);
    this.#timeline.take(this.#store.head(number - 1), playerName, this.#first);
  }

  #remark(text: string): void {
    if (this.#remarks.has(text)) return;
    if (this.#remarks.size < MOST_REMARKS) this.#remarks.add(text);
    else this.#remarks.add(`only the first ${MOST_REMARKS} remarks are shown`);
  }
}
