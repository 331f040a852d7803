import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  type Comparison,
  compareRecordings,
  EXPECTATION_SCHEMA,
  type Line,
  LineError,
  type NormalForms,
  parseLine,
  Recording,
  updateOf,
} from "../../check/index.js";
import { safeJson } from "../../output/writers/sanitise.js";
import { captureName, STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { whyUnreadable } from "../../platform/node/file-error.js";
import { systemPath } from "../../platform/node/system-path.js";
import { LinesError, linesOf } from "../lines.js";

/**
 * Reads an expectation into a recording.
 *
 * @param path of a file or a pipe, or "-" for standard input
 * @param counts returns true if differences in a line are wanted
 * @param stdin a substitute for standard input
 * @returns what is wrong with it, if anything, as a sentence that begins with its name and, where known, a line number
 */
export async function readExpectation(
  path: string,
  recording: Recording,
  counts: (line: Line) => boolean,
  stdin?: Readable,
): Promise<string | undefined> {
  const name = captureName(path);
  let number = 0;
  try {
    for await (const text of expectationLines(path, stdin)) {
      number++;
      if (text.trim() === "") continue;
      const line = parseLine(text);
      recording.add(line, { at: number, counts: counts(line) });
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

/** What an expectation is made from; `lines` has the messages that were found, by number. */
interface Written {
  readonly forms: NormalForms;
  readonly expected: Recording;
  readonly found: Recording;
  readonly comparison: Comparison;
  readonly lines: ReadonlyMap<number, Line>;
}

/** An expectation of what was found; lines of the old one that mean the same stay in their places. */
export async function updatedLines(path: string, written: Written): Promise<string[]> {
  const { forms, expected, found, comparison, lines } = written;
  const update = updateOf(comparison, expected, found);
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
    if (update.kept.has(number)) texts.push(text);
    add(number);
  }
  const isRight = compareRecordings(recorded(forms, texts), found).differences.length === 0;
  // The old one may differ so much that none of its lines can keep its place.
  return isRight ? texts : [...lines.values()].map(expectationLine);
}

function recorded(forms: NormalForms, texts: readonly string[]): Recording {
  const recording = new Recording(forms);
  for (const [index, text] of texts.entries()) recording.add(parseLine(text), { at: index + 1, counts: true });
  return recording;
}
