import type { Message } from "../../dissect/message.js";
import { rangeNames } from "../../dissect/sync/skipped-range.js";
import type { Use } from "../derived-value.js";
import type { PathText } from "../language/expression.js";
import type { MessageField } from "../message-field.js";
import { messageFields } from "../message-fields.js";
import type { FieldPath } from "../path/field-path.js";
import { resolvePath } from "../path/resolve-path.js";
import { always, type Predicate } from "../predicate.js";
import type { Value } from "../value.js";
import { isOfProtocol, type Vocabulary } from "../vocabulary.js";
import { isValueOfMessageField, mistakeInMessageField } from "./message-mistakes.js";
import { hasValueNamed, lackOf, mistakeIn } from "./mistakes.js";

/** All values in a message that the left side of a comparison stands for. */
export interface Occurrences {
  readonly exist: (message: Message) => boolean;
  /** True if one of them satisfies the test. */
  readonly some: (message: Message, test: Predicate) => boolean;
  /** Why there is nothing to compare; undefined if there is something. */
  readonly lack: string | undefined;
  /** Says why using a value with them must be a mistake; undefined if it need not be one. */
  readonly mistake: (use: Use, value: Value) => string | undefined;
  /** True for the name of one of the values that they can have. */
  readonly canBe: (name: string) => boolean;
}

/**
 * Returns what a path in an expression stands for: a field that every message has, a protocol, a range that is not a
 * message, or else fields, classes and messages. A path with a leading dot always stands for the last of these.
 */
export function occurrencesOf(path: PathText, vocabulary: Vocabulary, text: string): Occurrences {
  const name = path.names.join(".");
  if (!path.isField) {
    const field = messageFields.get(name);
    if (field !== undefined) return ofMessageField(field, vocabulary);
    if (vocabulary.isProtocol(name)) return ofProtocol(name);
    if (rangeNames.some((range) => range === name)) return ofRange(name);
  }
  return ofPath(resolvePath(path, vocabulary, text));
}

function ofMessageField(field: MessageField, vocabulary: Vocabulary): Occurrences {
  return {
    exist: (message) => field.some(message, always.scalar),
    some: (message, test) => field.some(message, test.scalar),
    lack: undefined,
    mistake: (use, value) => mistakeInMessageField(field, use, value, vocabulary),
    canBe: (name) => isValueOfMessageField(field, name, vocabulary),
  };
}

function ofProtocol(name: string): Occurrences {
  const exist = ({ protocol }: Message) => isOfProtocol(protocol, name);
  return alone(
    exist,
    `${name} is a protocol, which a message has or does not have: it cannot be compared with anything`,
  );
}

function ofRange(name: string): Occurrences {
  return alone(
    (message) => message.name === name,
    `${name} is a range of a stream, not a message: it cannot be compared with anything`,
  );
}

function alone(exist: (message: Message) => boolean, lack: string): Occurrences {
  return { exist, some: () => false, lack, mistake: () => undefined, canBe: () => false };
}

function ofPath(path: FieldPath): Occurrences {
  const { term, steps } = path;
  const [first] = steps;
  // The tree of a message whose end is not known does not give its name.
  const messageName = steps.length === 1 && first?.isClass === true ? first.name : undefined;
  const some = ({ nodes }: Message, test: Predicate) => nodes !== undefined && path.some(nodes, test);
  return {
    exist: (message) => message.name === messageName || some(message, always),
    some,
    lack: term && lackOf(term),
    mistake: (use, value) => term && mistakeIn(term, use, value),
    canBe: (name) => term !== undefined && hasValueNamed(term, name),
  };
}
