import type { Message } from "../index.js";

/** Conversations that are named one by one in a remark. */
const MOST_NAMED = 12;

/** Gathers what could not be decrypted, so that each reason is told once and not for each conversation. */
export class Undecrypted {
  readonly #reasons = new Map<string, { readonly protocol: string; readonly text: string; streams: Set<number> }>();

  /** Takes note of a stretch that could not be decrypted. */
  add({ conversation, protocol, notes }: Message): void {
    const text = notes[0]?.text ?? "encrypted";
    const reason = this.#reasons.get(`${protocol} ${text}`) ?? { protocol, text, streams: new Set() };
    this.#reasons.set(`${protocol} ${text}`, reason);
    reason.streams.add(conversation.stream);
  }

  /** One sentence for each reason. */
  remarks(): string[] {
    return [...this.#reasons.values()].map(({ protocol, text, streams }) => {
      const named = [...streams]
        .sort((a, b) => a - b)
        .slice(0, MOST_NAMED)
        .join(", ");
      const more = streams.size > MOST_NAMED ? ` and ${streams.size - MOST_NAMED} more` : "";
      return streams.size === 1
        ? `stream ${named} (${protocol}) is ${text}`
        : `streams ${named}${more} (${protocol}) are ${text}`;
    });
  }
}
