import type { Severity } from "../schema/language/field-tree.js";

/** What a finding can be about, the worst first, each with how bad it is. */
export const findingKinds = {
  undecrypted: "error",
  malformed: "error",
  version: "error",
  kick: "error",
  refusal: "error",
  failed: "error",
  unanswered: "warning",
  gap: "warning",
  skipped: "warning",
  truncated: "warning",
  slow: "warning",
  reconnect: "warning",
  unknown: "note",
} as const satisfies Readonly<Record<string, Severity>>;
export type FindingKind = keyof typeof findingKinds;

/** The kinds of findings, the worst first. */
export const kindsInOrder = Object.keys(findingKinds).filter(isKind);

function isKind(name: string): name is FindingKind {
  return Object.hasOwn(findingKinds, name);
}

/** One message or range among those of a finding, with what is special about it. */
export interface Example {
  readonly number: number;
  /** Captured text as it is: safe for no terminal. */
  readonly text: string;
  /** How many have this text. */
  readonly count: number;
}

/** The field that a malformed message breaks off at. */
export interface BrokenField {
  /** The class or message that declares it. */
  readonly type: string;
  readonly path: string;
}

/** Something that a person should look at. */
export interface Finding {
  readonly kind: FindingKind;
  readonly protocol: string;
  /** Name of the messages; empty if they have several. */
  readonly message: string;
  /** What happened, in a few words: the name of an error, the reason why something cannot be read. */
  readonly what: string;
  /** How often. */
  readonly count: number;
  /** Bytes that are missing or unreadable. */
  readonly bytes?: number;
  /** Different examples, the most frequent first. */
  readonly examples: readonly Example[];
  readonly field?: BrokenField;
  /** True of what cannot be decrypted, whichever key is given: the beginning of the connection is missing. */
  readonly isBeyondKeys?: boolean;
  /** A display filter that shows the messages. */
  readonly filter: string;
  /** How many messages it shows: fewer than `count` if there are too many to name each. */
  readonly shown: number;
  /** What to do about it. */
  readonly advice?: string;
}

/** Orders findings: the worst first, then those that occur most often. */
export function worstFirst(one: Finding, other: Finding): number {
  const rank = ({ kind }: Finding) => kindsInOrder.indexOf(kind);
  return (
    rank(one) - rank(other) ||
    other.count - one.count ||
    (one.examples[0]?.number ?? 0) - (other.examples[0]?.number ?? 0)
  );
}
