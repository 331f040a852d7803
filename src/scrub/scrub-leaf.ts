import type { FieldTree, LeafValue } from "../schema/language/field-tree.js";
import { isNumber, Opcode } from "../schema/language/opcode.js";
import type { SensitiveKind } from "../schema/language/sensitive.js";
import { withText } from "./leaf-text.js";
import { addressIn, type SecretPart, secretParts, withParts } from "./secret-parts.js";
import type { Secrets } from "./secrets.js";
import { UnwritableError, writtenLeaf } from "./written-leaf.js";

/** Types that can hold the number of a person: narrower types and signed ones of 32 bits cannot hold all of them. */
const HOLDS_PERSONS: ReadonlySet<Opcode> = new Set([
  Opcode.U32LE,
  Opcode.U32BE,
  Opcode.U64LE,
  Opcode.U64BE,
  Opcode.I64LE,
  Opcode.I64BE,
  Opcode.Codec,
]);

/**
 * Kinds of byte strings whose values need not stay distinguishable, and the byte that fills them. Zeros would turn
 * voice into empty frames.
 */
const WIPED: ReadonlyMap<SensitiveKind, number> = new Map([
  ["voice", 0xff],
  ["image", 0],
  ["unknown", 0],
]);

/** How to scrub. */
export interface ScrubOptions {
  /** False if no text may take more or fewer bytes than before. */
  readonly mayGrow: boolean;
}

/** Records what a leaf of this kind reveals. */
export function gatherLeaf(nodes: FieldTree, leaf: number, kind: SensitiveKind, secrets: Secrets): void {
  const { opcode, meaning, isHttp } = nodes.field(leaf);
  const value = nodes.value(leaf);
  if (opcode === Opcode.Uuid) secrets.gatherUuid(String(value));
  else if (value instanceof Uint8Array) {
    if (!WIPED.has(kind)) secrets.gatherBytes(value);
  } else if (typeof value === "string") {
    for (const part of secretParts(kind, value, isHttp)) {
      const address = addressIn(part);
      if (address === undefined) secrets.gatherText(part.kind, part.text);
      else secrets.addresses.gather(address);
    }
  } else if (kind === "ip-address" && meaning?.form === "text")
    secrets.addresses.gather(meaning.describe(Number(value)));
  else if (isPersonsNumber(kind) && isPerson(value)) secrets.gatherNumber(Number(value));
}

/**
 * The replacement of a leaf of this kind: as many bytes, except for texts with addresses and for halves of a key
 * exchange, which are left out, or become zeros if their length cannot change. Undefined if the leaf may stay as it is.
 *
 * @throws UnwritableError if no replacement can be written
 */
export function scrubbedLeaf(
  nodes: FieldTree,
  leaf: number,
  kind: SensitiveKind,
  secrets: Secrets,
  { mayGrow }: ScrubOptions,
): Uint8Array | undefined {
  const field = nodes.field(leaf);
  const bytes = nodes.bytes(leaf);
  const value = nodes.value(leaf);
  if (kind === "key-exchange" && field.codec === undefined)
    return new Uint8Array(field.width > 0 || !mayGrow ? bytes.length : 0);
  if (field.opcode === Opcode.Uuid) return writtenLeaf(field, secrets.uuid(String(value)));
  if (value instanceof Uint8Array) {
    const filler = WIPED.get(kind);
    const other = filler === undefined ? secrets.bytes(value) : new Uint8Array(value.length).fill(filler);
    return field.codec === undefined ? other : writtenLeaf(field, other);
  }
  if (typeof value === "string") return value === "" ? undefined : scrubbedText(value);
  if (kind === "ip-address" && field.meaning?.form === "text") {
    const address = secrets.addresses.of(field.meaning.describe(Number(value)));
    return writtenLeaf(
      field,
      address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0),
    );
  }
  if (isPersonsNumber(kind) && HOLDS_PERSONS.has(field.opcode) && isPerson(value))
    return writtenLeaf(field, secrets.number(Number(value)));
  // Other numbers do not occur anywhere else where they would have to match.
  if (isNumber(field.opcode)) return secrets.bytes(bytes);
  if (field.opcode === Opcode.Codec) throw new UnwritableError(`${field.name}: no other value can be written`);
  return undefined;

  function scrubbedText(text: string): Uint8Array {
    for (const after of textsFor(text, secretParts(kind, text, field.isHttp), secrets)) {
      const written = withText(field, bytes, text, after);
      if (written !== undefined && (mayGrow || written.length === bytes.length)) return written;
    }
    throw new UnwritableError(`${field.name}: no other text can be written`);
  }
}

function isPersonsNumber(kind: SensitiveKind): boolean {
  return typeof kind === "object" && kind.isPersonsNumber === true;
}

/** True for a value that can be the number of a person, which has 32 bits. */
function isPerson(value: LeafValue): boolean {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 && number <= 0xffff_ffff;
}

/** The possible replacements of a text, the best one first. */
function* textsFor(text: string, parts: readonly SecretPart[], secrets: Secrets): Generator<string> {
  const textFor = (part: SecretPart) => secrets.text(part.kind, part.text);
  if (parts.some((part) => addressIn(part) !== undefined)) {
    // An address may differ in length from the one that it replaces.
    yield withParts(text, parts, (part) => {
      const address = addressIn(part);
      return address === undefined ? textFor(part) : secrets.addresses.of(address);
    });
  }
  yield withParts(text, parts, textFor);
  yield "x".repeat(text.length);
  yield "";
}
