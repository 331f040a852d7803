import type { LearntName } from "../name-book.js";

/** How a block of names begins; the number is the version of its lines. */
const HEAD = "# moul-dissect names 1\n";
const HEAD_BYTES = new TextEncoder().encode(HEAD);

/** Most characters of one block: readers need not accept longer ones. */
const LONGEST = 512 * 1024;

/**
 * Names that were learnt elsewhere, as texts for blocks of a capture: a head, and a line of JSON for each name. They count
 * from the place in the capture where the block is.
 */
export function nameBlocks(names: Iterable<LearntName>): readonly string[] {
  const blocks: string[] = [];
  let block = HEAD;
  for (const { dissector, kind, id, name } of names) {
    const line = `${JSON.stringify({ dissector, kind, id, name })}\n`;
    if (block !== HEAD && block.length + line.length > LONGEST) {
      blocks.push(block);
      block = HEAD;
    }
    block += line;
  }
  return block === HEAD ? blocks : [...blocks, block];
}

/** Reads what `nameBlocks` makes; undefined if it is something else. A line that makes no sense is passed over. */
export function readNames(bytes: Uint8Array): readonly LearntName[] | undefined {
  if (!HEAD_BYTES.every((byte, at) => bytes[at] === byte)) return undefined;
  const lines = new TextDecoder().decode(bytes.subarray(HEAD_BYTES.length)).split("\n");
  return lines.flatMap((line) => nameIn(line) ?? []);
}

function nameIn(line: string): LearntName | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { dissector, kind, id, name }: { [member in keyof LearntName]?: unknown } = parsed;
  if (typeof dissector !== "string" || typeof kind !== "string" || typeof id !== "string") return undefined;
  if (name !== undefined && typeof name !== "string") return undefined;
  return { dissector, kind, id, name };
}
