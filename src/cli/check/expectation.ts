import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  type Comparison,
  compareNodes,
  compareRecordings,
  EXPECTATION_SCHEMA,
  EXPECTED_NODE_SCHEMA,
  isNode,
  type Line,
  LineError,
  type NodeComparison,
  type NodeLine,
  NodeRecording,
  type NormalForms,
  parseExpected,
  Recording,
  updatedNodes,
  updateOf,
} from "../../check/index.js";
import { safeJson } from "../../output/writers/sanitise.js";
import { captureName, STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { whyUnreadable } from "../../platform/node/file-error.js";
import { systemPath } from "../../platform/node/system-path.js";
import { LinesError, linesOf } from "../lines.js";

/** How many lines of an expectation are about what. */
export interface ExpectationLines {
  messages: number;
  nodes: number;
}

/**
 * Reads an expectation into recordings.
 *
 * @param path of a file or a pipe, or "-" for standard input
 * @param read is counted up
 * @param counts returns true if differences in a line are wanted
 * @param stdin a substitute for standard input
 * @returns what is wrong with it, if anything, as a sentence that begins with its name and, where known, a line number
 */
export async function readExpectation(
  path: string,
  { messages, nodes }: { readonly messages: Recording; readonly nodes: NodeRecording },
  read: ExpectationLines,
  counts: (line: Line) => boolean,
  stdin?: Readable,
): Promise<string | undefined> {
  const name = captureName(path);
  let number = 0;
  try {
    for await (const text of expectationLines(path, stdin)) {
      number++;
      if (text.trim() === "") continue;
      const line = parseExpected(text);
      if (isNode(line)) {
        read.nodes++;
        nodes.add(line, number);
      } else {
        read.messages++;
        messages.add(line, { at: number, counts: counts(line) });
      }
    }
  } catch (error) {
    if (error instanceof LineError) return `${name}:${number}: ${error.message}`;
    if (error instanceof RangeError) return `${name}:${number}: this is nested too deeply`;
    if (error instanceof LinesError) return `${name}: the file cannot be read: ${error.message}`;
    throw error;
  }
  return undefined;
}

async function* expectationLines(path: string, stdin?: Readable): AsyncGenerator<string> {
  yield* linesOf(path === STANDARD_INPUT ? (stdin ?? process.stdin) : await fileOf(path));
}

/** @throws LinesError if the path stands for several files */
async function fileOf(path: string): Promise<Readable> {
  try {
    return createReadStream(await systemPath(path));
  } catch (error) {
    throw new LinesError(whyUnreadable(error), { cause: error });
  }
}

/** A message as an expectation has it: without what differs between any two recordings. */
export function expectationLine({ stream, direction, protocol, message, status, fields, ...line }: Line): string {
  const notes = line.notes.map(({ severity, path }) => ({ severity, path }));
  return safeJson({ schema: EXPECTATION_SCHEMA, stream, direction, protocol, message, status, fields, notes });
}

/** A node of the vault as an expectation has it. */
function nodeLine({
  id,
  idKind,
  type,
  title,
  seen,
  deleted,
  stale,
  asked,
  fields,
  refersTo,
  children,
}: NodeLine): string {
  return safeJson({
    ...{ schema: EXPECTED_NODE_SCHEMA, id, idKind: idKind || null, type: type || null, title: title || null },
    ...{ seen, deleted, stale, asked, fields, refersTo, children },
  });
}

/** What an expectation is made from. */
export interface Written {
  readonly forms: NormalForms;
  readonly expected: Recording;
  readonly found: Recording;
  readonly comparison: Comparison;
  /** The messages that were found, by number. */
  readonly lines: ReadonlyMap<number, Line>;
  /** Undefined if the vault is left out. */
  readonly vault: ComparedVault | undefined;
}

/** The vault of two recordings. */
export interface ComparedVault {
  readonly expected: NodeRecording;
  readonly found: NodeRecording;
  readonly comparison: NodeComparison;
}

/** A new expectation of what was found. */
export function newLines({ lines, vault }: Written): string[] {
  const nodes = [...(vault?.found.nodes ?? [])];
  return [...[...lines.values()].map(expectationLine), ...nodes.map(({ line }) => nodeLine(line))];
}

/** An expectation of what was found; lines of the old one that mean the same stay in their places. */
export async function updatedLines(path: string, written: Written): Promise<string[]> {
  const { forms, expected, found, comparison, lines, vault } = written;
  const update = updateOf(comparison, expected, found);
  const nodes = vault && updatedNodes(vault.expected, vault.found, vault.comparison, comparison.mapping);
  const texts: string[] = [];
  const add = (after: number) => {
    const added = [...(update.added.get(after) ?? [])].sort((a, b) => a.found - b.found);
    for (const { found: number, stream, mapped } of added) {
      const line = lines.get(number);
      if (line === undefined) continue;
      texts.push(expectationLine({ ...line, stream, fields: forms.relabelled(line, mapped) }));
    }
  };
  let number = 0;
  add(0);
  for await (const text of expectationLines(path)) {
    number++;
    const replaced = nodes?.replaced.get(number);
    if (update.kept.has(number) || nodes?.kept.has(number) === true) texts.push(text);
    else if (replaced !== undefined) texts.push(nodeLine(replaced));
    add(number);
  }
  texts.push(...(nodes?.added ?? []).map(nodeLine));
  // The old one may differ so much that none of its lines can keep its place.
  return isRight(texts, written) ? texts : newLines(written);
}

/** True if what was found is as some lines expect it. */
function isRight(texts: readonly string[], { forms, found, vault }: Written): boolean {
  const [messages, nodes] = [new Recording(forms), new NodeRecording(forms)];
  for (const [index, text] of texts.entries()) {
    const line = parseExpected(text);
    if (isNode(line)) nodes.add(line, index + 1);
    else messages.add(line, { at: index + 1, counts: true });
  }
  const { differences, mapping } = compareRecordings(messages, found);
  if (differences.length > 0) return false;
  return vault === undefined || compareNodes(nodes, vault.found, mapping).differences.length === 0;
}
