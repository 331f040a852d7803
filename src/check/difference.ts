import type { ToldDirection } from "../dissect/message.js";
import type { Json } from "../schema/json.js";

/** A value that is not as expected. Undefined where there is none. */
export interface FieldDifference {
  /** Names from the message down, as in display filters; elements of arrays by their index: `events[0].state`. */
  readonly path: string;
  readonly expected: Json | undefined;
  readonly found: Json | undefined;
  /** What the expected value, which only stands for something, is elsewhere in what was found; if that is known. */
  readonly elsewhere?: Json;
}

/** A message, by its number, or by the line of the expectation. */
export interface Reference {
  readonly at: number;
  readonly message: string;
  /** Names of the classes in it, from the outer to the inner. */
  readonly classes: readonly string[];
}

/** Which conversation a difference is in. */
export interface Whereabouts {
  readonly protocol: string;
  /** Which one of that protocol, counted from 1. */
  readonly conversation: number;
  /** Number of the conversation in what was expected and in what was found. */
  readonly streams: { readonly expected: number | undefined; readonly found: number | undefined };
}

interface MessageDifference extends Whereabouts {
  readonly direction: ToldDirection;
  readonly message: string;
  readonly classes: readonly string[];
  /** What was found in the same direction right before it and behind it. */
  readonly before: Reference | undefined;
  readonly after: Reference | undefined;
}

/** A way in which a recording is not as expected. */
export type Difference =
  | (MessageDifference & {
      readonly kind: "changed";
      readonly expected: number;
      readonly found: number;
      readonly fields: readonly FieldDifference[];
    })
  | (MessageDifference & { readonly kind: "moved"; readonly expected: number; readonly found: number })
  | (MessageDifference & { readonly kind: "missing"; readonly expected: number })
  | (MessageDifference & { readonly kind: "added"; readonly found: number })
  | (Whereabouts & { readonly kind: "missing conversation" | "added conversation"; readonly messages: number });
