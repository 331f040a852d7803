import type { Message, ShownDirection } from "../dissect/message.js";
import { rangeNames } from "../dissect/sync/skipped-range.js";
import { compileExpression } from "./compile.js";
import type { Expression, PathText } from "./language/expression.js";
import { parseFilter } from "./language/parser.js";
import type { Vocabulary } from "./vocabulary.js";

/** What a line of JSON says about a message, apart from its fields. */
interface LineFacts extends Pick<Message, "protocol" | "status"> {
  readonly direction: ShownDirection;
  readonly message: string;
  /** Names of the classes in the message. */
  readonly classes: ReadonlySet<string>;
}

/** What a line says for certain. */
const FACTS: ReadonlySet<string> = new Set(["protocol", "direction", "status", "message"]);

/**
 * Compiles a display filter for lines of JSON, whose fields cannot be tested as those of a message can.
 *
 * @returns true if the message passes, or may pass
 * @throws FilterError if the text is not a filter, or names something that does not exist
 */
export function lineFilter(text: string, vocabulary: Vocabulary): (facts: LineFacts) => boolean {
  const passes = decided(parseFilter(text), text, vocabulary);
  return (facts) => passes(facts) !== false;
}

/** Returns true or false if that is certain, else undefined. */
type Decision = (facts: LineFacts) => boolean | undefined;

function decided(expression: Expression, text: string, vocabulary: Vocabulary): Decision {
  switch (expression.kind) {
    case "or":
    case "and": {
      const terms = expression.terms.map((term) => decided(term, text, vocabulary));
      const settles = expression.kind === "or";
      return (facts) => {
        const outcomes = terms.map((term) => term(facts));
        if (outcomes.includes(settles)) return settles;
        return outcomes.includes(undefined) ? undefined : !settles;
      };
    }
    case "not": {
      const term = decided(expression.term, text, vocabulary);
      return (facts) => {
        const outcome = term(facts);
        return outcome === undefined ? undefined : !outcome;
      };
    }
    default: {
      const compiled = compileExpression(expression, text, vocabulary);
      const { path } = expression.operand;
      if (isFact(path, vocabulary)) return (facts) => compiled(messageWith(facts));
      const [name = "", ...deeper] = path.names;
      if (expression.kind !== "exists" || deeper.length > 0) return () => undefined;
      return (facts) => hasClass(facts, name, vocabulary);
    }
  }
}

/** True if lines say it: what is known about every message, a protocol, a range that is not a message. */
function isFact({ names, isField }: PathText, vocabulary: Vocabulary): boolean {
  const name = names.join(".");
  if (isField) return false;
  return FACTS.has(name) || rangeNames.some((range) => range === name) || vocabulary.isProtocol(name);
}

/** True if a message is of a class or contains an object of it; undefined if that is not certain. */
function hasClass({ message, classes }: LineFacts, name: string, vocabulary: Vocabulary): boolean | undefined {
  const term = vocabulary.get(name);
  if (term?.isClass !== true || term.fields.size > 0) return undefined;
  if (message === name || classes.has(name)) return true;
  for (const struct of term.structs) if (struct.name === message || classes.has(struct.name)) return true;
  // Classes without a tag may be in a message without being named there.
  return [...term.structs].every(({ tag }) => tag !== undefined) ? false : undefined;
}

const NOWHERE = { address: "0.0.0.0", port: 0 };
const NEVER = { frame: 0, seconds: 0, nanoseconds: 0 };
const NOTHING_ELSE = {
  number: 0,
  origin: NEVER,
  frames: [],
  conversation: {
    stream: 0,
    transport: "tcp",
    client: NOWHERE,
    server: NOWHERE,
    clientIsKnown: false,
    path: "",
    packets: { c2s: 0, s2c: 0 },
    payloadBytes: { c2s: 0, s2c: 0 },
    missingBytes: { c2s: 0, s2c: 0 },
    unaccepted: { c2s: 0, s2c: 0 },
    first: NEVER,
    last: NEVER,
  },
  nodes: undefined,
  offset: 0,
  length: 0,
  notes: [],
} as const;

/** A conversation whose two ends are the same has no direction. */
const UNDIRECTED = { ...NOTHING_ELSE.conversation, transport: "udp" } as const;

/** Returns a message that has only the facts. */
function messageWith({ message, protocol, direction, status }: LineFacts): Message {
  const facts = { ...NOTHING_ELSE, name: message, protocol, status };
  return direction === "none" ? { ...facts, direction: "c2s", conversation: UNDIRECTED } : { ...facts, direction };
}
