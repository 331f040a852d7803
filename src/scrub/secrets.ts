import { kindsWith, nameOfKind, type OwnKind, type SensitiveKind } from "../schema/language/sensitive.js";
import { AddressMap, fittedAddress } from "./addresses.js";
import { Pseudonyms } from "./pseudonyms.js";
import { Replacements, SHORTEST } from "./replacements.js";

/** Numbers that stand for nobody. */
const NONE = 0xffff_ffff;
const NO_PERSON = new Set([0, NONE]);
/** Smaller numbers turn up by chance. */
const LEAST_TELLING = 1000;
/** Numbers in a row that are in use before a replacement gets more digits. */
const MOST_TRIED = 1000;
/** Fewest different bytes in a secret: of eight random bytes, nearly all differ. */
const LEAST_DISTINCT = 5;
const NO_UUID = "00000000-0000-0000-0000-000000000000";

interface Text {
  kind: SensitiveKind;
  /** The ways it was written, in upper and lower case. */
  readonly forms: Set<string>;
}

/**
 * What must not be revealed, and what replaces it. All secrets are gathered first; the first request for a replacement
 * closes the list.
 */
export class Secrets {
  readonly addresses = new AddressMap();
  readonly #salt: Uint8Array;
  /** The order in which kinds count, by their names. */
  readonly #ranks: ReadonlyMap<string, number>;
  /** By the text in lower case, as it is recognised in other fields. */
  readonly #texts = new Map<string, Text>();
  /** Names that are not secret, in lower case. */
  readonly #public = new Set<string>();
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #uuids = new Set<string>();
  readonly #numbers = new Set<number>();
  #substitutes: Substitutes | undefined;

  /**
   * @param salt for making replacements; anyone who knows it can test guesses at what they stand for
   * @param own the kinds of private values that protocols have of their own
   */
  constructor(salt: Uint8Array, own: readonly OwnKind[] = []) {
    this.#salt = salt;
    this.#ranks = new Map([...kindsWith(own).keys()].map((kind, index) => [kind, index]));
  }

  gatherText(kind: SensitiveKind, value: string): void {
    const known = this.#texts.get(value.toLowerCase());
    if (known === undefined) this.#texts.set(value.toLowerCase(), { kind, forms: new Set([value]) });
    else {
      known.forms.add(value);
      // A name that was also said in chat is a name.
      if (this.#rank(kind) < this.#rank(known.kind)) known.kind = kind;
    }
  }

  #rank(kind: SensitiveKind): number {
    return this.#ranks.get(nameOfKind(kind)) ?? 0;
  }

  /** A public name: it identifies nobody, and has to stay wherever it occurs. */
  gatherPublic(name: string): void {
    this.#public.add(name.toLowerCase());
  }

  gatherBytes(value: Uint8Array): void {
    if (value.some((byte) => byte !== 0)) this.#bytes.set(Buffer.from(value).toString("hex"), Uint8Array.from(value));
  }

  gatherUuid(value: string): void {
    if (value !== NO_UUID) this.#uuids.add(value);
  }

  /** A number that stands for a person. */
  gatherNumber(value: number): void {
    if (!NO_PERSON.has(value)) this.#numbers.add(value);
  }

  /** True if it is the number of a person, and large enough not to turn up by chance. */
  isPersonsNumber(value: number): boolean {
    return value >= LEAST_TELLING && this.#numbers.has(value);
  }

  text(kind: SensitiveKind, value: string): string {
    if (typeof kind === "object" && kind.mayBePublic === true && this.#public.has(value.toLowerCase())) return value;
    return this.#close().text(kind, value);
  }

  bytes(value: Uint8Array): Uint8Array {
    return value.every((byte) => byte === 0) ? value : this.#close().pseudonyms.bytes(value, value.length);
  }

  uuid(value: string): string {
    return value === NO_UUID ? value : this.#close().uuid(value);
  }

  /**
   * The replacement of a person's number: a number with as many digits, but at least four; with more where hardly any
   * of these are free.
   */
  number(value: number): number {
    return NO_PERSON.has(value) ? value : this.#close().number(value);
  }

  /** Replaces all secrets found between two offsets, in any encoding, and returns their number. */
  replaceIn(bytes: Uint8Array, start: number, end: number): number {
    return this.#close().replacements.replace(bytes, start, end);
  }

  #close(): Substitutes {
    if (this.#substitutes === undefined) {
      const texts = new Map([...this.#texts].filter(([value]) => !this.#public.has(value)));
      this.#substitutes = new Substitutes({
        salt: this.#salt,
        addresses: this.addresses,
        texts,
        bytes: this.#bytes,
        uuids: this.#uuids,
        numbers: this.#numbers,
      });
    }
    return this.#substitutes;
  }
}

/** All secrets, and everything else that the replacements depend on. */
interface Gathered {
  readonly salt: Uint8Array;
  readonly addresses: AddressMap;
  readonly texts: ReadonlyMap<string, Text>;
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  readonly uuids: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

/** What stands in for the secrets, once all of them are known. */
class Substitutes {
  readonly pseudonyms: Pseudonyms;
  readonly replacements = new Replacements();
  readonly #texts: ReadonlyMap<string, Text>;
  readonly #numbers: ReadonlySet<number>;
  readonly #textPseudonyms = new Map<string, string>();
  readonly #numberPseudonyms = new Map<number, number>();
  readonly #usedNumbers: Set<number>;

  constructor({ salt, addresses, texts, bytes, uuids, numbers }: Gathered) {
    this.#texts = texts;
    this.#numbers = numbers;
    const forbidden = new Replacements();
    for (const value of texts.keys()) {
      if (isDistinctive(value)) forbidden.add(Buffer.from(value, "utf8"), Buffer.from(value, "utf8"));
    }
    this.pseudonyms = new Pseudonyms(salt, (text) => forbidden.occursIn(Buffer.from(text.toLowerCase(), "utf8")));
    this.#usedNumbers = new Set(numbers);
    for (const [value, { kind, forms }] of texts) {
      if (!isDistinctive(value)) continue;
      const pseudonym = this.text(kind, value);
      const isNumber = /^\d+$/.test(value);
      for (const form of [...forms, ...[...forms].map((own) => own.toUpperCase()), value]) {
        this.#addText(form, isAsWide(pseudonym, form) ? pseudonym : this.text(kind, form), { isNumber });
      }
    }
    for (const [digits, value] of bytes) {
      const pseudonym = this.pseudonyms.bytes(value, value.length);
      this.#addBytes(value, pseudonym);
      if (value.length >= SHORTEST) this.#addText(digits, Buffer.from(pseudonym).toString("hex"));
    }
    for (const value of uuids) this.#addUuid(value, this.uuid(value));
    for (const value of numbers) {
      if (value < LEAST_TELLING) continue;
      const digits = String(value);
      this.#addText(digits, String(this.number(value)).slice(-digits.length), { isNumber: true });
    }
    for (const address of addresses.real) {
      const pseudonym = addresses.of(address);
      this.#addText(address, fittedAddress(pseudonym, address.length), { isNumber: true });
    }
  }

  text(kind: SensitiveKind, value: string): string {
    if (/^[1-9]\d*$/.test(value) && this.#numbers.has(Number(value))) return String(this.number(Number(value)));
    const key = value.toLowerCase();
    let pseudonym = this.#textPseudonyms.get(key);
    if (pseudonym === undefined || !isAsWide(pseudonym, value)) {
      pseudonym = this.pseudonyms.text(this.#texts.get(key)?.kind ?? kind, value);
      if (!this.#textPseudonyms.has(key)) this.#textPseudonyms.set(key, pseudonym);
    }
    return pseudonym;
  }

  uuid(value: string): string {
    const digits = Buffer.from(this.pseudonyms.bytes(value, 16)).toString("hex");
    // A random UUID (RFC 9562, section 5.4).
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
  }

  number(value: number): number {
    let pseudonym = this.#numberPseudonyms.get(value);
    if (pseudonym === undefined) {
      let least = 10 ** (Math.max(String(value).length, SHORTEST) - 1);
      const [a = 0, b = 0, c = 0, d = 0] = this.pseudonyms.bytes(String(value), 4);
      const random = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
      for (let tried = 0; pseudonym === undefined || this.#usedNumbers.has(pseudonym); tried++) {
        // Where there is hardly room among those with as many digits, it gets more.
        if (tried === MOST_TRIED && 10 * least < NONE) {
          least *= 10;
          tried = 0;
        }
        pseudonym = least + ((random + tried) % Math.min(9 * least, NONE - least));
      }
      this.#usedNumbers.add(pseudonym);
      this.#numberPseudonyms.set(value, pseudonym);
    }
    return pseudonym;
  }

  #addText(value: string, pseudonym: string, { isNumber = false } = {}): void {
    for (const encoding of ["utf8", "utf16le", "latin1"] as const) {
      const bytes = Buffer.from(value, encoding);
      if (bytes.toString(encoding) !== value) continue;
      this.replacements.add(bytes, Buffer.from(pseudonym, encoding), isNumber ? (encoding === "utf16le" ? 2 : 1) : 0);
    }
  }

  #addUuid(value: string, pseudonym: string): void {
    for (const turned of [(text: string) => text, (text: string) => text.replaceAll("-", "")]) {
      this.#addText(turned(value), turned(pseudonym));
    }
    for (const bytesOf of [networkOrder, littleEndian]) this.#addBytes(bytesOf(value), bytesOf(pseudonym));
  }

  /** Skips byte strings that are short or have few different bytes: they turn up by chance, and are rarely secrets. */
  #addBytes(value: Uint8Array, pseudonym: Uint8Array): void {
    if (value.length >= 2 * SHORTEST && new Set(value).size >= LEAST_DISTINCT) this.replacements.add(value, pseudonym);
  }
}

/** True if both take as many bytes in every encoding. Some letters take more of them in capitals: "ß" is "SS" there. */
function isAsWide(a: string, b: string): boolean {
  return a.length === b.length && Buffer.byteLength(a, "utf8") === Buffer.byteLength(b, "utf8");
}

/** True for a text that is worth searching for elsewhere: zeros, punctuation and short texts are everywhere. */
function isDistinctive(value: string): boolean {
  return value.length >= SHORTEST && /[\p{L}\p{N}\p{So}]/u.test(value);
}

function networkOrder(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

/** The bytes with the first three groups reversed, as Microsoft writes them. */
function littleEndian(uuid: string): Uint8Array {
  const groups = uuid.split("-").map((group) => Buffer.from(group, "hex"));
  return Buffer.concat(groups.map((group, index) => (index < 3 ? group.reverse() : group)));
}
