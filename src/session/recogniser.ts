import type { DefinitionFile, Dissector, KeyFile, Recognition } from "../dissector/dissector.js";
import type { InternalError } from "../dissector/failure.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import { isDivisible } from "../dissector/shared-object.js";
import type { LimitCounts, Limits } from "../limits.js";
import { checkedConversation } from "./conversation-check.js";
import { type DecodeAsRule, ruleFor } from "./decode-as.js";
import { type LearntName, NameBook, type NameChange, type NameWatch } from "./name-book.js";
import type { TrackedSession } from "./tracked-session.js";

/** What recognition needs besides the dissectors. */
export interface RecogniserOptions {
  /** The key files that each dissector has read so far; see `addKeys` for more. */
  readonly keys?: ReadonlyMap<Dissector, readonly KeyFile[]>;
  /** The definition files that each dissector has read. */
  readonly definitions?: ReadonlyMap<Dissector, readonly DefinitionFile[]>;
  /** Dissectors whose answers need no checks, as a compiler has checked them. */
  readonly trusted?: ReadonlySet<Dissector>;
  /** Rules by which the user has declared protocols: the first that fits a conversation applies. */
  readonly decodeAs?: readonly DecodeAsRule[];
  /**
   * Called if a dissector throws an error while recognising or opening a conversation, after which it is not asked
   * again, and if a cipher throws one.
   */
  readonly onInternalError?: ((error: InternalError) => void) | undefined;
  /** Called when a name becomes known to a dissector, changes, or is dropped because it stands for something else. */
  readonly onName?: ((dissector: Dissector, change: NameChange) => void) | undefined;
  /** Follows the names of a dissector. */
  readonly watchNames?: ((dissector: Dissector) => NameWatch) | undefined;
}

/** Finds out which dissector a conversation belongs to: asks one after the other, and opens it with the first "yes". */
export class Recogniser {
  readonly #names = new Map<Dissector, NameBook>();
  readonly #shared = new Map<Dissector, Map<string, unknown>>();
  /** Dissectors that have failed, and are not asked again. */
  readonly #failed = new Set<Dissector>();
  /** The key files that each dissector has read; some are added during the run. */
  readonly #keys: Map<Dissector, readonly KeyFile[]>;

  /** @param dissectors in the order in which they are asked */
  constructor(
    readonly dissectors: readonly Dissector[],
    readonly options: RecogniserOptions,
    readonly limits: Limits,
    readonly limitCounts: LimitCounts,
  ) {
    this.#keys = new Map(options.keys);
  }

  /**
   * Gives a dissector another key file, for the conversations that are recognised from now on.
   *
   * @returns false if it already has so many that this one is left out
   */
  addKeys(dissector: Dissector, file: KeyFile): boolean {
    const before = this.#keysOf(dissector);
    if (before.length >= this.limits.keyFiles) return false;
    // A new list: dissectors cache what they have worked out for a list.
    this.#keys.set(dissector, [...before, file]);
    return true;
  }

  /** Takes a name that was learnt elsewhere, unless it is for a dissector that is not here. */
  learn({ dissector: wanted, ...change }: LearntName): void {
    const dissector = this.dissectors.find(({ name }) => name === wanted);
    if (dissector !== undefined) this.#namesOf(dissector).apply(change);
  }

  /** True if what conversations share would not have been different if they had been divided among several threads. */
  isDivisible(threads: number): boolean {
    const shared = [...this.#shared.values()].flatMap((objects) => [...objects.values()]);
    return shared.every((object) => isDivisible(object, threads));
  }

  #keysOf(dissector: Dissector): readonly KeyFile[] {
    return this.#keys.get(dissector) ?? [];
  }

  /** Asks all dissectors. "yes": one has recognised the conversation, and has opened it. */
  recognise(session: TrackedSession): Recognition {
    if (this.#openAsDeclared(session)) return "yes";
    let undecided = false;
    for (const dissector of this.#inOrderFor(session)) {
      const answer = this.#ask(session, dissector);
      if (answer === "yes" && this.#open(session, dissector)) return "yes";
      undecided ||= answer === "more";
    }
    return undecided ? "more" : "no";
  }

  /** Opens a conversation for which the user has declared a protocol. */
  #openAsDeclared(session: TrackedSession): boolean {
    const found = ruleFor(this.options.decodeAs ?? [], session.conversation);
    if (found === undefined || this.#failed.has(found.rule.dissector)) return false;
    if (found.serverIsClient) session.roles.flip("declared");
    return this.#open(session, found.rule.dissector, found.rule.protocol);
  }

  /** The dissectors in the order in which they are asked: first those that list the port. */
  #inOrderFor({ conversation: { transport, client, server, clientIsKnown } }: TrackedSession): readonly Dissector[] {
    const knows = ({ ports = [] }: Dissector) =>
      ports.some(
        (hint) =>
          hint.transport === transport && (hint.port === server.port || (!clientIsKnown && hint.port === client.port)),
      );
    const able = this.dissectors.filter((dissector) => !this.#failed.has(dissector));
    return able.some(knows) ? [...able.filter(knows), ...able.filter((dissector) => !knows(dissector))] : able;
  }

  /** Asks a dissector about a conversation; client and server change roles if it is recognised that way round. */
  #ask(session: TrackedSession, dissector: Dissector): Recognition {
    const shared = this.#sharedBy(dissector);
    try {
      const answer = checkedAnswer(dissector.recognise(session.opening(shared, "c2s")));
      if (answer === "yes" || session.conversation.clientIsKnown) return answer;
      // Without a SYN the client is a guess: the other way round may make sense.
      const flipped = checkedAnswer(dissector.recognise(session.opening(shared, "s2c")));
      if (flipped === "yes") session.roles.flip("content");
      return flipped === "no" ? answer : flipped;
    } catch (error) {
      this.#giveUp(session, dissector, error);
      return "no";
    }
  }

  #giveUp(session: TrackedSession, dissector: Dissector, error: unknown): void {
    this.#failed.add(dissector);
    const { stream } = session.conversation;
    this.options.onInternalError?.({ error, dissector: dissector.name, stream, direction: "c2s", offset: 0 });
  }

  #sharedBy(dissector: Dissector): Map<string, unknown> {
    let shared = this.#shared.get(dissector);
    if (shared === undefined) {
      shared = new Map();
      this.#shared.set(dissector, shared);
    }
    return shared;
  }

  #namesOf(dissector: Dissector): NameBook {
    let names = this.#names.get(dissector);
    if (names === undefined) {
      const { onName, watchNames } = this.options;
      const changed = onName && ((change: NameChange) => onName(dissector, change));
      names = new NameBook(this.limits, this.limitCounts.reached, { changed, watch: watchNames?.(dissector) });
      this.#names.set(dissector, names);
    }
    return names;
  }

  #open(session: TrackedSession, dissector: Dissector, protocol?: string): boolean {
    const names = this.#namesOf(dissector);
    session.names = names;
    session.shared = this.#sharedBy(dissector);
    session.keys = this.#keysOf(dissector);
    session.definitions = this.options.definitions?.get(dissector) ?? [];
    try {
      const opened = checkedConversation(dissector.open(session, protocol), dissector);
      if (opened.nameScope !== undefined) session.names = names.within(opened.nameScope);
      session.analyzer = opened;
      session.recognisedBy = dissector;
      session.isTrusted = this.options.trusted?.has(dissector) ?? false;
    } catch (error) {
      this.#giveUp(session, dissector, error);
      return false;
    }
    return true;
  }
}

/** Returns the answer if it is valid: external dissectors may be plain JavaScript, which no compiler has checked. */
function checkedAnswer(answer: Recognition): Recognition {
  if (answer === "yes" || answer === "no" || answer === "more") return answer;
  expectNoPromise(answer, "recognise()");
  throw new TypeError(`recognise() returned ${String(answer)} instead of "yes", "no" or "more"`);
}
