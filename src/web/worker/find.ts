import type { Message } from "../../dissect/message.js";
import { summaryText } from "../../output/text/summary-text.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { labelOf } from "../../schema/tree/label.js";

const HEX = /^(?:[0-9a-f]{2}[\s:]*){2,}$/i;

/**
 * Returns what decides whether a message has a text in its names, values or summary, whatever their case, or bytes: the
 * text's own in UTF-8 and UTF-16, or those that it lists in hexadecimal.
 */
export function finder(text: string): (message: Message) => boolean {
  const lower = text.toLowerCase();
  const patterns = patternsOf(text);
  return (message) => {
    if (message.name.toLowerCase().includes(lower) || summaryText(message).toLowerCase().includes(lower)) return true;
    const { nodes } = message;
    if (nodes === undefined) return message.notes.some((note) => note.text.toLowerCase().includes(lower));
    return hasBytes(nodes, patterns) || hasText(nodes, lower);
  };
}

function patternsOf(text: string): Uint8Array[] {
  const utf16 = new Uint8Array(2 * text.length);
  for (let at = 0; at < text.length; at++) {
    utf16[2 * at] = text.charCodeAt(at) & 0xff;
    utf16[2 * at + 1] = text.charCodeAt(at) >> 8;
  }
  const patterns = [new TextEncoder().encode(text), utf16];
  if (HEX.test(text)) {
    const digits = text.replace(/[\s:]/g, "");
    patterns.push(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
  }
  return patterns;
}

function hasBytes(nodes: FieldTree, patterns: readonly Uint8Array[]): boolean {
  for (const { bytes, origin, length } of nodes.sources) {
    for (const pattern of patterns) if (indexIn(bytes, origin, origin + length, pattern) >= 0) return true;
  }
  return false;
}

function indexIn(bytes: Uint8Array, start: number, end: number, pattern: Uint8Array): number {
  const [first] = pattern;
  if (first === undefined) return -1;
  for (let at = bytes.indexOf(first, start); at >= 0 && at + pattern.length <= end; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < pattern.length && bytes[at + length] === pattern[length]) length++;
    if (length === pattern.length) return at;
  }
  return -1;
}

function hasText(nodes: FieldTree, lower: string): boolean {
  for (let node = 0; node < nodes.count; node++) {
    const { name } = nodes.field(node);
    if (name.toLowerCase().includes(lower)) return true;
    const label = labelOf(nodes, node);
    if (label?.toLowerCase().includes(lower) === true) return true;
    if (nodes.hasChildren(node)) continue;
    const value = nodes.value(node);
    if (!(value instanceof Uint8Array) && String(value).toLowerCase().includes(lower)) return true;
  }
  return false;
}
