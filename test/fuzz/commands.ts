import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { readCapture } from "../../src/capture/reader.js";
import { ExitCode } from "../../src/cli/exit-code.js";
import { main } from "../../src/cli/program.js";
import { openCapture } from "../../src/platform/node/capture-file.js";
import type { Random } from "../support/random.js";
import type { CaptureFile } from "./files.js";
import type { Level } from "./level.js";
import { Mutator } from "./mutate.js";
import { safe } from "./outputs.js";
import { Finding } from "./soundness.js";

/** A command without its captures and keys, and its possible outcomes. */
interface Command {
  readonly words: (capture: string, output: string) => readonly string[];
  readonly codes: readonly number[];
  /** The exit codes with which it has written a valid capture. */
  readonly sound?: readonly number[];
}

/** A damaged capture is read up to the damage. */
const READ: readonly number[] = [ExitCode.done, ExitCode.input];

const COMMANDS: readonly Command[] = [
  { words: (capture, output) => ["scrub", capture, "-o", output], codes: READ, sound: READ },
  { words: (capture, output) => ["decrypt", capture, "-o", output], codes: READ, sound: READ },
  // A copy has the damage of the original.
  { words: (capture, output) => ["keys", capture, "--embed", output], codes: READ, sound: [ExitCode.done] },
  // A capture compared with itself never differs.
  { words: (capture) => ["check", capture, "--expect", capture], codes: READ },
  { words: (capture) => ["check", capture, "--expect", capture, "--any-order", "--json"], codes: READ },
  { words: (capture) => ["streams", capture], codes: READ },
  { words: (capture) => ["stats", capture], codes: READ },
  { words: (capture) => ["diagnose", capture], codes: READ },
  { words: (capture) => ["diagnose", capture, "--json", "--slow", "1"], codes: READ },
  { words: (capture) => ["find", "re", capture], codes: READ },
  { words: (capture) => [capture, capture, "--each", "--format", "summary"], codes: READ },
  { words: (capture) => [capture, "--strict", "--checksums"], codes: [...READ, ExitCode.found] },
];

/** Whole commands on changed capture files: those that write captures, and those that compare them. */
export class Commands implements Level {
  readonly name = "commands";
  input = "";
  readonly #mutator: Mutator;
  readonly #folder = mkdtempSync(join(tmpdir(), "moul-dissect-fuzz-"));

  constructor(readonly captures: readonly CaptureFile[]) {
    this.#mutator = new Mutator(
      captures.map(({ bytes }) => bytes),
      [1, 2, 4, 6, 0x0800],
    );
    process.once("exit", () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  async run(random: Random): Promise<number> {
    const { from, bytes, keyFiles } = random.pick(this.captures);
    const changed = this.#mutator.mutated(bytes, random);
    const { words, codes, sound } = random.pick(COMMANDS);
    const [capture, output] = [join(this.#folder, "in.pcap"), join(this.#folder, "out.pcap")];
    writeFileSync(capture, changed);
    rmSync(output, { force: true });
    const args = [...words(capture, output), ...keyFiles.flatMap((path) => ["--keys", path])];
    this.input = `${args.join(" ")}: ${from}: ${Buffer.from(changed).toString("hex")}`;
    const { code, text } = await outcome(args);
    if (!codes.includes(code)) throw new Finding(`the exit code is ${code}: ${text.slice(0, 2000)}`);
    safe(text);
    if (sound?.includes(code) && existsSync(output)) await expectWhole(output);
    return changed.length;
  }
}

/** Runs the program in this process; returns its exit code and all of its output. */
async function outcome(args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const chunks: Buffer[] = [];
  const stream = () => new PassThrough().on("data", (chunk: Buffer) => void chunks.push(chunk));
  const code = await main(args, { stdout: stream(), stderr: stream(), env: {} });
  return { code, text: Buffer.concat(chunks).toString("utf8") };
}

/** Reads a capture that the program has written, which must have no faults. */
async function expectWhole(path: string): Promise<void> {
  const listener = {
    packet: () => {},
    problem: ({ text }: { readonly text: string }) => {
      throw new Finding(`what was written cannot be read: ${text}`);
    },
  };
  await readCapture(openCapture(path), path, listener);
}
