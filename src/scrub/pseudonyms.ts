import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { SensitiveKind, sensitiveKinds } from "../schema/language/sensitive.js";

/** Prefixes of readable replacements. */
const LABELS: Partial<Record<keyof typeof sensitiveKinds, string>> = {
  "account-name": "Account",
  "player-name": "Player",
  chat: "Chat",
  machine: "Machine",
  password: "Password",
  token: "Token",
};
const OTHER_LABEL = "Text";

/** Characters that distinguish a replacement from others. */
const DISTINCT = 8;
/** Attempts to find an acceptable replacement. */
const ATTEMPTS = 32;

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/**
 * Makes the pseudonyms that replace secrets: always the same one for the same value, of the same length, and impossible
 * to reverse or guess without the salt.
 */
export class Pseudonyms {
  readonly #taken = new Set<string>();

  /** @param reveals whether a text reveals a secret, which a replacement must not do by chance */
  constructor(
    readonly salt: Uint8Array,
    readonly reveals: (text: string) => boolean,
  ) {}

  /** Bytes that look random. The value is read once, however many they are. */
  bytes(value: Uint8Array | string, length: number): Uint8Array {
    const first = this.#block(0, Buffer.from(value));
    const blocks = [first];
    for (let index = 1; index * first.length < length; index++) blocks.push(this.#block(index, first));
    return Buffer.concat(blocks).subarray(0, length);
  }

  #block(index: number, value: Uint8Array): Uint8Array {
    return hmac(sha256, this.salt, Buffer.concat([Buffer.from(`${index} `), value]));
  }

  /**
   * A text with as many characters, each of which takes as many bytes as before in every encoding: UTF-8, UTF-16 and,
   * if the character exists there, Latin-1.
   */
  text(kind: SensitiveKind, value: string): string {
    let pseudonym = value;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const label = attempt < ATTEMPTS / 2 ? (labelOf(kind) ?? OTHER_LABEL) : "";
      pseudonym = this.#textAttempt(kind, value, label, attempt);
      const folded = pseudonym.toLowerCase();
      if (folded !== value.toLowerCase() && !this.#taken.has(folded) && !this.reveals(pseudonym)) break;
    }
    this.#taken.add(pseudonym.toLowerCase());
    return pseudonym;
  }

  #textAttempt(kind: SensitiveKind, value: string, label: string, attempt: number): string {
    const characters = [...value];
    const random = this.bytes(`${attempt} ${value}`, characters.length);
    const letters = [...random].map((byte) => LETTERS[byte % LETTERS.length] ?? "");
    let plain = letters.join("");
    if (/^\d+$/.test(value))
      plain = [...random].map((byte, index) => (index === 0 ? 1 + (byte % 9) : byte % 10)).join("");
    else if (kind === "ip-address" || kind === "email") {
      plain = characters.map((own, index) => (/[.@:-]/.test(own) ? own : (letters[index] ?? ""))).join("");
    } else if (label !== "" && characters.length >= label.length + 5) {
      plain = `${label}-${plain.slice(0, DISTINCT)}`.padEnd(characters.length, ".").slice(0, characters.length);
    }
    return characters.map((own, index) => alike(own, plain[index] ?? "", random[index] ?? 0)).join("");
  }
}

function labelOf(kind: SensitiveKind): string | undefined {
  return typeof kind === "string" ? LABELS[kind] : kind.label;
}

/** A character of the same width as `own`: `plain` if that is ASCII. */
function alike(own: string, plain: string, random: number): string {
  const code = own.codePointAt(0) ?? 0;
  if (code < 0x80) return plain;
  // As Latin-1 bytes, these letters never form valid UTF-8 with the replacements after them, which would change how the
  // text is read.
  if (code <= 0xff) return String.fromCodePoint(0xe0 + (random % 16));
  if (code < 0x800) return String.fromCodePoint(0x100 + (random % 0x80));
  return String.fromCodePoint(code <= 0xffff ? 0x4e00 + random : 0x1f600 + (random % 64));
}
