import { counted } from "../common/counted.js";
import type { ConversationDissector } from "../dissector/dissector.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import { endpointText } from "../network/address.js";
import type { Conversation } from "../network/conversation.js";
import { printable } from "../output/writers/sanitise.js";
import { absoluteTime } from "../output/writers/time.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";

/** Writes a key log of conversations: of each when it ends, or as soon as its key is known. */
export class RecoveredKeys {
  readonly #names: string;
  /** Those whose keys are wanted before they end. */
  readonly #waiting = new Set<RecognisedConversation>();
  readonly #written = new Set<RecognisedConversation>();
  readonly #refused = new Set<Conversation>();
  #count = 0;
  #unproven = 0;
  readonly #failures = new Set<string>();

  /**
   * @param captures their names
   * @param write takes the lines of the key log, without line ends */
  constructor(
    captures: readonly string[],
    readonly write: (line: string) => void,
  ) {
    // The log is made to be shared: it does not say where the capture was.
    this.#names = captures.map((capture) => capture.replace(/.*[\\/]/, "")).join(", ");
  }

  get count(): number {
    return this.#count;
  }

  /** Notes that it has been reported why this conversation cannot be read. */
  noteRefused(conversation: Conversation): void {
    this.#refused.add(conversation);
  }

  /** Takes a recognised conversation whose key is wanted before it ends: see `writeKnown`. */
  watch(session: RecognisedConversation): void {
    if (session.analyzer.keyLogLine !== undefined) this.#waiting.add(session);
  }

  /** Writes the keys of watched conversations that have become known. */
  writeKnown(): void {
    for (const session of this.#waiting) {
      const line = this.#lineOf(session.analyzer);
      if (line === undefined) continue;
      this.#write(session, line);
      this.#waiting.delete(session);
      this.#written.add(session);
    }
  }

  /** Takes a recognised conversation that has ended. */
  session(session: RecognisedConversation): void {
    const { conversation, analyzer } = session;
    const isRefused = this.#refused.delete(conversation);
    this.#waiting.delete(session);
    if (this.#written.delete(session)) return;
    const line = this.#lineOf(analyzer);
    if (line !== undefined) this.#write(session, line);
    else if (!isRefused && analyzer.keyLogLine !== undefined && analyzer.encryptionState.encryption === "unknown") {
      this.#unproven++;
    }
  }

  #write({ conversation, analyzer }: RecognisedConversation, line: string): void {
    if (this.#count++ === 0) this.#comment(`session keys of ${this.#names}`);
    const { stream, client, server, first } = conversation;
    const ends = `${endpointText(client)} > ${endpointText(server)}`;
    this.#comment(`stream ${stream}: ${analyzer.protocol}, ${ends}, frame ${first.frame}, ${absoluteTime(first)}`);
    this.write(printable(line));
  }

  remarks(): readonly string[] {
    if (this.#unproven === 0) return [...this.#failures];
    return [...this.#failures, `${counted(this.#unproven, "conversation")} ended before a message could confirm a key`];
  }

  #lineOf(analyzer: ConversationDissector): string | undefined {
    try {
      const line = analyzer.keyLogLine?.();
      expectNoPromise(line, "keyLogLine()");
      return line;
    } catch (error) {
      // What was thrown may quote the key.
      const kind = error instanceof Error ? error.name : typeof error;
      this.#failures.add(`the dissector of ${analyzer.protocol} failed to return its session key (${kind})`);
      return undefined;
    }
  }

  #comment(text: string): void {
    this.write(`# ${printable(text)}`);
  }
}
