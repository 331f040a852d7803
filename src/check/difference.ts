import type { Json } from "../common/json.js";
import type { ShownDirection } from "../dissect/message.js";

/** A value that is not as expected. `expected` or `found` is undefined if there is no value. */
export interface FieldDifference {
  /** Names from the message down, as in display filters, with array elements by index: `events[0].state`. */
  readonly path: string;
  readonly expected: Json | undefined;
  readonly found: Json | undefined;
  /** What stands for the same thing as the expected value elsewhere in the recording that was found, if known. */
  readonly elsewhere?: Json;
}

/** A message, by its number or by the line of the expectation. */
export interface Reference {
  readonly at: number;
  readonly message: string;
  /** Names of the classes in it, from outer to inner. */
  readonly classes: readonly string[];
}

/** Which conversation a difference is in. */
export interface Whereabouts {
  readonly protocol: string;
  /** Which one of that protocol, counted from 1. */
  readonly conversation: number;
  /** Number of the conversation in the expectation and in the recording that was found. */
  readonly streams: { readonly expected: number | undefined; readonly found: number | undefined };
}

interface MessageDifference extends Whereabouts {
  readonly direction: ShownDirection;
  readonly message: string;
  readonly classes: readonly string[];
  /** The messages found in the same direction right before and after it. */
  readonly before: Reference | undefined;
  readonly after: Reference | undefined;
}

/** A node of the vault. */
export interface NodeReference {
  readonly id: string;
  /** Empty if it was never shown. */
  readonly type: string;
  readonly title: string;
  /** The line of the expectation. */
  readonly line?: number;
}

/** A way in which the vault has not become what was expected. */
export type NodeDifference =
  /** What the node belonged to. */
  | { readonly kind: "missing node"; readonly expected: NodeReference; readonly parents: readonly NodeReference[] }
  | { readonly kind: "added node"; readonly found: NodeReference; readonly parents: readonly NodeReference[] }
  | {
      readonly kind: "changed node";
      readonly expected: NodeReference;
      readonly found: NodeReference;
      readonly fields: readonly FieldDifference[];
    };

/** A way in which a recording is not as expected. */
export type Difference = MessagesDifference | NodeDifference;

/** True for a difference in what the vault has become. */
export function isOfNode(difference: Difference): difference is NodeDifference {
  return !("streams" in difference);
}

/** The same, of messages. */
export type MessagesDifference =
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
