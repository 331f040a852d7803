import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  compareSessions,
  EXPECTATION_SCHEMA,
  EXPECTED_NODE_SCHEMA,
  type Line,
  LineError,
  type NodeLine,
  type NormalForms,
  type SessionComparison,
  SessionRecording,
  updatedNodes,
  updateOf,
} from "../../check/index.js";
import { safeJson } from "../../output/writers/sanitise.js";
import { captureName, STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { whyUnreadable } from "../../platform/node/file-error.js";
import { systemPath } from "../../platform/node/system-path.js";
import { LinesError, linesOf } from "../lines.js";
import type { KeptLines } from "./kept-lines.js";

/**
 * Reads an expectation.
 *
 * @param path of a file or a pipe, or "-" for standard input
 * @param expected what its lines are added to
 * @param counts returns true if differences in a message are wanted
 * @param stdin a substitute for standard input
 * @returns what is wrong with it, if anything, as a sentence that begins with its name and, where known, a line number
 */
export async function readExpectation(
  path: string,
  expected: SessionRecording,
  counts: (line: Line) => boolean,
  stdin?: Readable,
): Promise<string | undefined> {
  const name = captureName(path);
  let number = 0;
  try {
    for await (const text of expectationLines(path, stdin)) {
      number++;
      expected.addExpected(text, number, counts);
    }
  } catch (error) {
    if (error instanceof LineError) return `${name}:${number}: ${error.message}`;
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
function expectationLine({ stream, direction, protocol, message, status, fields, ...line }: Line): string {
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
  readonly expected: SessionRecording;
  readonly found: SessionRecording;
  readonly comparison: SessionComparison;
  /** The messages that were found and may be written. */
  readonly lines: KeptLines;
  /** Returns true if differences in an expected message are wanted. */
  readonly counts: (line: Line) => boolean;
}

/** A new expectation of what was found. */
export function* newLines({ lines, found, comparison }: Written): Generator<string> {
  for (const line of lines.all()) yield expectationLine(line);
  for (const { line } of comparison.nodes === undefined ? [] : found.nodes.nodes) yield nodeLine(line);
}

/**
 * An expectation of what was found; lines of the old one that mean the same, or that are left out of the comparison,
 * stay in their places.
 */
export async function updatedLines(path: string, written: Written): Promise<Iterable<string | Uint8Array>> {
  const { forms, expected, found, comparison, lines } = written;
  const { messages } = comparison;
  const update = updateOf(messages, expected.messages, found.messages);
  const nodes = comparison.nodes && updatedNodes(expected.nodes, found.nodes, comparison.nodes, messages.mapping);
  // Kept outside the heap, whose size is limited.
  const texts: Uint8Array[] = [];
  const push = (text: string) => void texts.push(Buffer.from(text));
  const add = (after: number) => {
    const added = [...(update.added.get(after) ?? [])].sort((a, b) => a.found - b.found);
    for (const { found: number, stream, mapped } of added) {
      const line = lines.get(number);
      if (line === undefined) continue;
      push(expectationLine({ ...line, stream, fields: forms.relabelled(line, mapped) }));
    }
  };
  const { leftOut } = expected;
  const isKept = (at: number) =>
    update.kept.has(at) ||
    leftOut.messages.has(at) ||
    (nodes !== undefined && (nodes.kept.has(at) || leftOut.nodes.has(at)));
  let number = 0;
  add(0);
  for await (const text of expectationLines(path)) {
    number++;
    const replaced = nodes?.replaced.get(number);
    if (isKept(number)) push(text);
    else if (replaced !== undefined) push(nodeLine(replaced));
    add(number);
  }
  for (const line of nodes?.added ?? []) push(nodeLine(line));
  // The old one may differ so much that none of its lines can keep its place.
  return isRight(texts, written) ? texts : newLines(written);
}

/** True if what was found is as some lines expect it. */
function isRight(texts: readonly Uint8Array[], { forms, found, comparison, counts }: Written): boolean {
  const expected = new SessionRecording(forms);
  const decoder = new TextDecoder();
  for (const [index, text] of texts.entries()) expected.addExpected(decoder.decode(text), index + 1, counts);
  const hasVault = comparison.nodes !== undefined;
  return compareSessions(expected, found, { anyOrder: false, hasVault }).differences.length === 0;
}
