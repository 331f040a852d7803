import type { Message } from "../dissect/message.js";
import type { Scalar } from "./scalar.js";

/** Something that is known about every message, whatever it contains. */
export interface MessageField {
  readonly name: string;
  readonly doc: string;
  readonly kind: "number" | "time" | "text" | "endpoint";
  /** True for a number that need not be whole. */
  readonly hasFractions?: true;
  /** The possible values; any other is a mistake. */
  readonly values?: readonly string[];
  /** True if its values are different names for one thing, of which the first is shown. */
  readonly isOneThing?: true;
  /** True if one of its values satisfies the test. */
  readonly some: (message: Message, test: (value: Scalar) => boolean) => boolean;
}
