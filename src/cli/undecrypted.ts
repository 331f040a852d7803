import type { Message } from "../index.js";
import { are } from "../schema/counted.js";
import { namedStreams } from "./named-streams.js";

/** Gathers what could not be decrypted, so that each reason is reported once, not for each conversation. */
export class Undecrypted {
  readonly #reasons = new Map<string, { readonly protocol: string; readonly text: string; streams: Set<number> }>();

  /** Notes a message if it is a stretch that could not be decrypted. */
  see({ conversation, protocol, status, notes }: Message): void {
    if (status !== "encrypted") return;
    const text = notes[0]?.text ?? "encrypted";
    const reason = this.#reasons.get(`${protocol} ${text}`) ?? { protocol, text, streams: new Set() };
    this.#reasons.set(`${protocol} ${text}`, reason);
    reason.streams.add(conversation.stream);
  }

  /** One sentence for each reason. */
  remarks(): string[] {
    return [...this.#reasons.values()].map(({ protocol, text, streams }) => {
      return `${namedStreams([...streams])} (${protocol}) ${are(streams.size)} ${text}`;
    });
  }
}
