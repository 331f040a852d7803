/**
 * What a field can reveal that its sender may not want revealed: who people are, or how to get in. `scrub` replaces the
 * values of fields marked with one of these kinds, except for kinds that the user asks to keep. Where one text is
 * marked with several kinds, the first of them here counts. Protocols may have kinds of their own: see `OwnKind`.
 */
export const sensitiveKinds = {
  "account-name": "account names",
  "account-id": "account UUIDs",
  password: "password hashes, and the challenges that go into them",
  token: "login tokens and file keys",
  "key-exchange": "public values and seeds, left out or, if their length is fixed, zeros: the result is not encrypted",
  email: "e-mail addresses",
  "ip-address": "IP addresses and host names, including those of the packets",
  machine: "what tells one computer from another: operating system, crash reports, browser headers",
  "player-name": "player names and call signs",
  chat: "what players say to each other in writing",
  voice: "what players say aloud, and what cameras see",
  text: "what players write elsewhere: notes, titles, journals, imagers, missions",
  image: "pictures that players took",
  unknown: "undeclared bytes, which may hold anything",
} as const;

/** Own kinds tell who somebody is, and so count before what people say. */
const FIRST_AFTER_OWN = "chat";

/**
 * A kind of private values that only one protocol has. Fields are marked with it; the dissector lists it in
 * `sensitiveKinds`, so that users can keep it, too.
 */
export interface OwnKind {
  /** What users call it: lower-case letters, digits and hyphens, such as "age-name". */
  readonly name: string;
  /** What its values are, as `scrub --help` says it. */
  readonly doc: string;
  /** The beginning of readable replacements for its texts; "Text" if there is none. */
  readonly label?: string;
  /**
   * True if its numbers are those of people. Such a number is replaced by one with as many digits, the same everywhere:
   * in texts, and in fields marked as `any-number`, too.
   */
  readonly isPersonsNumber?: boolean;
  /** True if its texts stay where they are `public` names elsewhere. */
  readonly mayBePublic?: boolean;
}

/** The kind of private information that a field holds: a general one, or one of its protocol's own. */
export type SensitiveKind = keyof typeof sensitiveKinds | OwnKind;

/**
 * A kind of private information, or
 *
 * - `public` for names that are no secrets, such as those of files that come with a game: they stay even where a person
 *   has the same name, and are not searched;
 * - `any-number` for numbers that may stand for anything: those that are the number of a person elsewhere are replaced.
 */
export type Disclosure = SensitiveKind | "public" | "any-number";

/** True for what is private wherever it occurs. */
export function isSensitive(kind: Disclosure | undefined): kind is SensitiveKind {
  return kind !== undefined && kind !== "public" && kind !== "any-number";
}

/** The kind of a field's values: always the same, or given by the number in another field of the same struct. */
export type Sensitive = Disclosure | SensitiveBy;

interface SensitiveBy {
  readonly by: string;
  /** The kind for each number; undefined for values that reveal nothing. */
  readonly kinds: ReadonlyMap<number, Disclosure | undefined>;
  /** The kind for any other number, or if there is none. */
  readonly otherwise: SensitiveKind;
}

/** True if the kind depends on another field. */
export function isSensitiveBy(sensitive: Sensitive): sensitive is SensitiveBy {
  return typeof sensitive === "object" && "by" in sensitive;
}

/** What users call a kind. */
export function nameOfKind(kind: SensitiveKind): string {
  return typeof kind === "string" ? kind : kind.name;
}

/** What the kinds are, by name: the general ones and these, in the order in which they count. */
export function kindsWith(own: readonly OwnKind[]): ReadonlyMap<string, string> {
  const general = Object.entries(sensitiveKinds);
  const after = general.findIndex(([name]) => name === FIRST_AFTER_OWN);
  return new Map([
    ...general.slice(0, after),
    ...own.map(({ name, doc }): [string, string] => [name, doc]),
    ...general.slice(after),
  ]);
}

/** Says, in words, why something is not a kind of a protocol's own; undefined if it is one. */
export function problemOfKind(kind: unknown): string | undefined {
  const { name, doc }: { name?: unknown; doc?: unknown } = Object(kind);
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name)) {
    return "its name is not made of lower-case letters, digits and hyphens";
  }
  if (Object.hasOwn(sensitiveKinds, name)) return `there is already a general kind "${name}"`;
  return typeof doc === "string" && doc !== "" ? undefined : "its doc does not say what it is";
}

/**
 * Checks that the kinds exist. External modules may be plain JavaScript, which no compiler has checked.
 *
 * @throws Error for a kind that does not exist
 */
export function expectKinds(sensitive: Sensitive): void {
  const kinds = isSensitiveBy(sensitive) ? [...sensitive.kinds.values(), sensitive.otherwise] : [sensitive];
  for (const kind of kinds) {
    if (!isSensitive(kind) || (typeof kind === "string" && Object.hasOwn(sensitiveKinds, kind))) continue;
    const problem = typeof kind === "string" ? "scrub --help lists them" : problemOfKind(kind);
    if (problem !== undefined) throw new Error(`${JSON.stringify(kind)} is not a kind of private value; ${problem}`);
  }
}
