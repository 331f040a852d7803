import type { Message } from "../dissect/message.js";

/** A request, as far as it is remembered. */
export interface KnownRequest {
  readonly number: number;
  readonly stream: number;
  readonly protocol: string;
  readonly name: string;
  /** What it asked for. */
  readonly asked: { readonly text: string };
}

/** Remembers requests until they are answered. It sees each message after everything else has. */
export interface RequestBook {
  see(message: Message, isShown: boolean): void;
  answeredBy(message: Message): KnownRequest | undefined;
  readonly unanswered: { readonly requests: readonly KnownRequest[]; readonly givenUp: number };
}
