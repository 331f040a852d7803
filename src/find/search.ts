import type { Message } from "../dissect/message.js";
import { type BytePattern, sourcesOf, type TextForm, textPatterns } from "../filter/byte-search.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { holdsNodes } from "../schema/language/opcode.js";
import { labelOf } from "../schema/tree/label.js";

/** Where a text was found: in a name (of a message, a class), in a value or what it stands for, or in bytes. */
export const hitPlaces = ["name", "value", "bytes"] as const;

/** One place in a message where the text was found. */
export interface Hit {
  readonly place: (typeof hitPlaces)[number];
  /** Path of the field; empty for the message. */
  readonly path: string;
  /** What the text is a part of, and where it is there; for bytes, those around it in hexadecimal. */
  readonly text: string;
  readonly at: number;
  readonly length: number;
  /** For bytes: which form of the text it is, and its offset in the message, or in what was inflated from it. */
  readonly bytes?: { readonly form: string; readonly source: number; readonly offset: number };
}

/** Bytes of hexadecimal digits: with colons or 0x, or enough of them that a word is unlikely. */
const HEX = /^(?:(?:0x)?(?:[\da-f]{2}){4,}|0x(?:[\da-f]{2})+|[\da-f]{2}(?::[\da-f]{2})+)$/i;
/** The least bytes to look for: fewer are everywhere. */
const LEAST_BYTES = 2;
/** Most places in a message: nobody reads more. */
const MOST_HITS = 100;
/** Bytes shown before and after those found. */
const AROUND = 8;

/** Where a hit is, before the paths of all are found at once. */
interface Found extends Omit<Hit, "path"> {
  readonly node: number;
}

/** Looks for a text, without regard to case, in the names, values and bytes of messages. */
export class TextSearch {
  readonly #wanted: string;
  readonly #patterns: readonly BytePattern[];

  /** @param forms ways in which protocols have text in bytes, beside the usual ones */
  constructor(text: string, forms: readonly TextForm[]) {
    this.#wanted = text.toLowerCase();
    const hex = HEX.test(text) ? [{ name: "hex", bytes: Buffer.from(text.replace(/^0x|:/gi, ""), "hex") }] : [];
    this.#patterns = [...hex, ...textPatterns(text, forms)].filter(({ bytes }) => bytes.length >= LEAST_BYTES);
  }

  /** The places in a message, in the order of its fields, those in bytes last. */
  hitsIn({ name, nodes }: Message): Hit[] {
    const found: Found[] = [];
    this.#test(found, "name", 0, name);
    if (nodes === undefined) return found.map((hit) => placed(hit, ""));
    for (let node = 0; node < nodes.count && found.length < MOST_HITS; node++) this.#node(found, nodes, node);
    const values = new Set(found.filter(({ place }) => place === "value").map(({ node }) => node));
    this.#bytes(found, nodes, values);
    const paths = nodes.paths(found.map(({ node }) => node));
    return found.map((hit, index) => placed(hit, paths[index] ?? ""));
  }

  #node(found: Found[], nodes: FieldTree, node: number): void {
    const { opcode, struct } = nodes.field(node);
    const label = labelOf(nodes, node);
    if (holdsNodes(opcode)) {
      if (label !== undefined && this.#test(found, "name", node, label)) return;
      for (const { of, meaning = of } of struct?.derived ?? []) {
        const value = meaning(nodes, node);
        if (value !== undefined && this.#test(found, "value", node, JSON.stringify(value))) return;
      }
      return;
    }
    const value = nodes.value(node);
    const text = value instanceof Uint8Array ? "" : String(value);
    // A part of a number says nothing.
    const isCandidate = typeof value === "string" || (text !== "" && text.toLowerCase() === this.#wanted);
    if (isCandidate && this.#test(found, "value", node, text)) return;
    const [before, after] = text === "" ? ["", ""] : [`${text} (`, ")"];
    if (label !== undefined) this.#test(found, "value", node, label, before, after);
  }

  /** Takes a place if the text is there; `before` and `after` are shown around it. */
  #test(found: Found[], place: Hit["place"], node: number, text: string, before = "", after = ""): boolean {
    const at = text.toLowerCase().indexOf(this.#wanted);
    if (at < 0) return false;
    found.push({ place, node, text: before + text + after, at: before.length + at, length: this.#wanted.length });
    return true;
  }

  /** Finds bytes, other than those of values in which the text was found. */
  #bytes(found: Found[], nodes: FieldTree, values: ReadonlySet<number>): void {
    for (const [source, bytes] of sourcesOf(nodes).entries()) {
      for (const { name, bytes: wanted } of this.#patterns) {
        for (let at = bytes.indexOf(wanted); at >= 0 && found.length < MOST_HITS; at = bytes.indexOf(wanted, at + 1)) {
          const node = leafAt(nodes, source, at);
          if (values.has(node)) continue;
          const from = Math.max(0, at - AROUND);
          const text = bytes.toString("hex", from, Math.min(bytes.length, at + wanted.length + AROUND));
          const place = { at: 2 * (at - from), length: 2 * wanted.length };
          found.push({ place: "bytes", node, text, ...place, bytes: { form: name, source, offset: at } });
        }
      }
    }
  }
}

function placed({ place, text, at, length, bytes }: Found, path: string): Hit {
  return { place, path, text, at, length, ...(bytes && { bytes }) };
}

/** The leaf that a byte of a source is in; 0 if none is. */
function leafAt(nodes: FieldTree, source: number, offset: number): number {
  for (let node = nodes.count - 1; node > 0; node--) {
    if (nodes.sourceIndexOf(node) !== source || nodes.hasChildren(node)) continue;
    if (nodes.startOf(node) <= offset && offset < nodes.endOf(node)) return node;
  }
  return 0;
}
