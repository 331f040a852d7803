import { readFile } from "node:fs/promises";
import { type Conversation, type Direction, dissectCaptures, type Message } from "../../src/index.js";
import { oncePerName } from "./once.js";

/** Searches a capture for values that must not be in it: in all its bytes, whatever they are wrapped in. */

/** Shorter text occurs by chance. */
const SHORTEST = 4;

/** A value, and every form of it that is searched for. */
export interface Needle {
  readonly value: string;
  readonly forms: readonly Uint8Array[];
}

export function textNeedle(value: string): Needle[] {
  if (value.length < SHORTEST || value.trim() === "") return [];
  const plain = (["utf8", "latin1", "utf16le"] as const).map((encoding) => Buffer.from(value, encoding));
  const hex = plain.map((bytes) => Buffer.from(bytes.toString("hex")));
  return [{ value, forms: [...plain, ...hex, ...plain.flatMap(base64Forms)] }];
}

/** @param digits hexadecimal */
export function bytesNeedle(digits: string): Needle[] {
  const bytes = Buffer.from(digits, "hex");
  if (bytes.length < SHORTEST || bytes.every((byte) => byte === 0)) return [];
  const turned = Buffer.from(bytes).reverse();
  const forms = [bytes, turned].flatMap((own) => [own, ...textForms(own.toString("hex")), ...base64Forms(own)]);
  return [{ value: digits, forms }];
}

export function uuidNeedle(value: string): Needle[] {
  if (/^[0-]*$/.test(value)) return [];
  const groups = value.split("-").map((group) => Buffer.from(group, "hex"));
  const network = Buffer.concat(groups);
  const turned = Buffer.concat(groups.map((group, index) => (index < 3 ? Buffer.from(group).reverse() : group)));
  return [{ value, forms: [network, turned, ...textForms(value), ...textForms(value.replaceAll("-", ""))] }];
}

function textForms(text: string): Uint8Array[] {
  return [Buffer.from(text, "latin1"), Buffer.from(text, "utf16le")];
}

/** The part common to all Base64 encodings of these bytes, wherever they begin in groups of three. */
function base64Forms(bytes: Uint8Array): Uint8Array[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(2)]).toString("base64");
    const inner = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return inner.length >= 2 * SHORTEST ? textForms(inner) : [];
  });
}

/** The bytes of a capture: the file itself, each reassembled direction, and everything that was inflated. */
export async function haystacksOf(path: string): Promise<Map<string, Uint8Array>> {
  const parts = new Map<string, Uint8Array[]>([["the file", [await readFile(path)]]]);
  const put = (name: string, bytes: Uint8Array) => {
    const known = parts.get(name) ?? [];
    known.push(Uint8Array.from(bytes));
    parts.set(name, known);
  };
  const listener = ({ nodes, number }: Message) => {
    for (const source of nodes?.sources ?? []) {
      if (source.kind === "message") continue;
      put(`message ${number}, ${source.kind}`, source.bytes.subarray(source.origin, source.origin + source.length));
    }
  };
  const opened = ({ stream }: Conversation) => {
    const sent = (direction: Direction, bytes: Uint8Array) => put(`stream ${stream} ${direction}`, bytes);
    return { bytes: sent, datagram: sent };
  };
  await dissectCaptures([path], { network: { opened } }, listener);
  return new Map([...parts].map(([name, bytes]) => [name, Buffer.concat(bytes)]));
}

/**
 * The needles found in the haystacks, with their places; ignores case, and also searches for bytes inverted bit by bit.
 */
export function leaks(needles: Iterable<Needle>, haystacks: ReadonlyMap<string, Uint8Array>): string[] {
  const places = [...haystacks].flatMap(([name, bytes]) => [
    { name, text: folded(bytes) },
    { name: `${name}, inverted`, text: folded(bytes.map((byte) => ~byte & 0xff)) },
  ]);
  // Many searches of little text each would take longer.
  const everything = places.map(({ text }) => text).join("");
  // Many messages say the same.
  const isSomewhere = oncePerName((form) => everything.includes(form));
  const found: string[] = [];
  for (const { value, forms } of needles) {
    const texts = [...new Set(forms.map(folded))].filter(isSomewhere);
    if (texts.length === 0) continue;
    for (const { name, text } of places) {
      if (texts.some((form) => text.includes(form))) found.push(`${JSON.stringify(value)} is in ${name}`);
    }
  }
  return found;
}

function folded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1").toLowerCase();
}
