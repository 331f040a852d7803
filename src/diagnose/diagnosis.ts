import { isAssembled, type Message } from "../dissect/message.js";
import type { Limits } from "../limits.js";
import type { Conversation } from "../network/conversation.js";
import type { ConversationObserver, NetworkObserver } from "../session/observer.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { Damage } from "./damage.js";
import { Failures } from "./failures.js";
import { type Finding, worstFirst } from "./finding.js";
import { Reconnects } from "./reconnects.js";
import type { RequestBook } from "./requests.js";
import { SlowReplies } from "./slow.js";
import { unansweredIn } from "./unanswered.js";
import { Versions } from "./versions.js";

/** What a diagnosis needs to know. */
interface DiagnosisOptions {
  readonly limits: Pick<Limits, "countedKeys" | "timedRequests">;
  readonly requests: RequestBook;
  /** How many milliseconds a person notices: nothing faster is slow. */
  readonly noticed: number;
  /** A display filter: only messages that pass it are looked at. */
  readonly within?: string | undefined;
}

/** Looks through the messages of a run, once, for what a person should look at, in bounded memory. */
export class Diagnosis implements NetworkObserver {
  readonly #within: string | undefined;
  readonly #requests: RequestBook;
  readonly #failures: Failures;
  readonly #damage: Damage;
  readonly #slow: SlowReplies;
  readonly #reconnects: Reconnects;
  readonly #versions: Versions;
  /** What is at work on each conversation. A live capture has ever more of them. */
  readonly #analyzers = new WeakMap<Conversation, RecognisedConversation["analyzer"]>();
  /** Messages, without ranges that are none. */
  messages = 0;
  /** Conversations of a known protocol. */
  conversations = 0;

  constructor({ limits: { countedKeys, timedRequests }, requests, noticed, within }: DiagnosisOptions) {
    this.#within = within;
    this.#requests = requests;
    this.#failures = new Failures(countedKeys);
    this.#damage = new Damage(countedKeys);
    this.#slow = new SlowReplies(timedRequests, noticed);
    this.#reconnects = new Reconnects(countedKeys);
    this.#versions = new Versions(countedKeys);
  }

  opened(conversation: Conversation): ConversationObserver {
    return {
      recognised: ({ analyzer }: RecognisedConversation) => {
        this.conversations++;
        this.#analyzers.set(conversation, analyzer);
      },
      closed: (reason, by) => {
        this.#reconnects.ended(conversation, reason, by === undefined ? "" : by === "c2s" ? "client" : "server");
      },
    };
  }

  /**
   * Takes the next message, or a range that is not a message.
   *
   * @param passes false to look at it only as far as others need it
   */
  take(message: Message, passes: boolean): void {
    if (passes) this.#look(message);
    this.#requests.see(message, passes);
  }

  #look(message: Message): void {
    if (message.nodes !== undefined && !isAssembled(message)) this.messages++;
    const request = this.#requests.answeredBy(message);
    const { encryption, isBeyondKeys } = this.#analyzers.get(message.conversation)?.encryptionState ?? {};
    this.#damage.take(message, encryption === "unknown" || isBeyondKeys === true);
    this.#failures.take(message, request);
    this.#slow.take(message, request);
    this.#reconnects.take(message);
    this.#versions.take(message);
  }

  /** What was found, the worst first. */
  get findings(): Finding[] {
    const parts = [this.#damage, this.#failures, this.#slow, this.#reconnects, this.#versions];
    const all = [...parts.flatMap(({ findings }) => findings), ...unansweredIn(this.#requests)].sort(worstFirst);
    const within = this.#within;
    return within === undefined ? all : all.map((one) => ({ ...one, filter: `(${within}) and ${one.filter}` }));
  }
}
