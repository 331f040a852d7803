/**
 * What a field can reveal that its sender may not want revealed: who people are, or how to get in. `scrub` replaces the
 * values of fields marked with one of these kinds, except for kinds that the user asks to keep. Where one text is
 * marked with several kinds, the first of them here counts.
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
  "ki-number": "KI numbers, and with them all vault node numbers",
  "age-id": "UUIDs of age instances",
  "age-name": "names and descriptions that players gave to age instances",
  chat: "what players say to each other in writing",
  voice: "what players say aloud, and what cameras see",
  text: "what players write elsewhere: notes, titles, journals, imagers, missions",
  image: "pictures that players took",
  unknown: "undeclared bytes, which may hold anything",
} as const;

/** The kind of private information that a field holds. */
export type SensitiveKind = keyof typeof sensitiveKinds;

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
export type Sensitive =
  | Disclosure
  | {
      readonly by: string;
      /** The kind for each number; undefined for values that reveal nothing. */
      readonly kinds: ReadonlyMap<number, Disclosure | undefined>;
      /** The kind for any other number, or if there is none. */
      readonly otherwise: SensitiveKind;
    };

/**
 * Checks that the kinds exist. External modules may be plain JavaScript, which no compiler has checked.
 *
 * @throws Error for a kind that does not exist
 */
export function expectKinds(sensitive: Sensitive): void {
  const kinds = typeof sensitive === "string" ? [sensitive] : [...sensitive.kinds.values(), sensitive.otherwise];
  for (const kind of kinds) {
    if (isSensitive(kind) && !Object.hasOwn(sensitiveKinds, kind)) {
      throw new Error(`${JSON.stringify(kind)} is not a kind of private value; scrub --help lists them`);
    }
  }
}
