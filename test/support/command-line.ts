import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { main } from "../../src/cli/program.js";
import { problemsOfLines } from "./json-lines.js";
import { sample } from "./samples.js";

/** What a run of the program printed, and its exit code. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the program in this process, with streams that are not terminals and an empty environment. Every line of JSON
 * that it prints has to match its schema.
 */
export async function run(args: readonly string[], env?: NodeJS.ProcessEnv, stdin?: Readable): Promise<Run> {
  const result = await uncheckedRun(args, env, stdin);
  // The schemas do not cover the declarations of third-party dissectors.
  const problems = args.includes("--dissector") ? [] : problemsOfLines(result.stdout);
  if (problems.length > 0) throw new Error(`JSON is not as its schema says: ${problems.slice(0, 5).join("; ")}`);
  return result;
}

/** As `run`, where another test holds the same lines of JSON against their schema, which takes long for many kinds. */
export async function uncheckedRun(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  stdin?: Readable,
): Promise<Run> {
  const stdout = collector();
  const stderr = collector();
  const code = await main(args, { stdout: stdout.stream, stderr: stderr.stream, env, ...(stdin && { stdin }) });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** The lines of an output that consists of JSON lines. */
export function jsonLines(output: string) {
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function collector(): { stream: PassThrough; text: () => string } {
  const stream = new PassThrough();
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

/** A key file of `samples/keys/` as its owner would keep it: readable by nobody else. */
export function sampleKeys(name: string): string {
  privateFolder ??= mkdtempSync(join(tmpdir(), "moul-dissect-keys-"));
  const path = join(privateFolder, basename(name));
  writeFileSync(path, readFileSync(sample(`keys/${name}`)), { mode: 0o600 });
  return path;
}

let privateFolder: string | undefined;
process.once("exit", () => {
  if (privateFolder !== undefined) rmSync(privateFolder, { recursive: true, force: true });
});
