/**
 * Compares this program with an earlier one, which is built from git: both run in turns, over the same traffic, and must
 * print the same. `npm run bench:against`, or `npm run bench:against -- --commit fb1befc4 --size 400 --runs 5`.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectPath } from "../support/project-path.js";
import { SAMPLES, sample } from "../support/samples.js";
import { type Cost, isThere, median, run } from "./traffic/run.js";
import { makeTraffic, type Traffic } from "./traffic/traffic.js";

const { values } = parseArgs({
  options: {
    commit: { type: "string", default: "fb1befc4" },
    size: { type: "string", default: "50" },
    runs: { type: "string", default: "5" },
    only: { type: "string", default: "" },
  },
});
const runs = Number(values.runs);
const oneCore = isThere("taskset", "-c", "0", "true") ? ["taskset", "-c", "0"] : [];

type Words = readonly string[];

/** Builds the program of a commit in a folder; returns the path of its main module. */
function built(commit: string, folder: string): string {
  const git = (...words: Words) => execFileSync("git", words, { cwd: projectPath("."), maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", commit) });
  symlinkSync(projectPath("node_modules"), join(folder, "node_modules"));
  // The bundle is all that runs.
  const bundler = projectPath("node_modules/rolldown/bin/cli.mjs");
  const config = ["build/program.ts", "rolldown.config.ts"].find((file) => existsSync(join(folder, file))) ?? "";
  execFileSync(process.execPath, [bundler, "-c", config], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return join(folder, "dist/bin/moul-dissect.js");
}

/** What a run prints, as a digest: it may be some gigabytes. */
async function printed(program: string, words: Words): Promise<string> {
  const hash = createHash("sha256");
  const { stdout } = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const piece of stdout) hash.update(piece);
  return hash.digest("hex");
}

function spent(costs: readonly Cost[]): number {
  return median(costs.map(({ seconds, processor }) => processor ?? seconds));
}

function megabytes(costs: readonly Cost[]): string {
  return `${median(costs.map(({ memory }) => (memory ?? Number.NaN) / 1e6)).toFixed(0)} MB`;
}

/** What is compared, and the words of both programs; the present one may need more of them for the same output. */
interface Row {
  readonly name: string;
  readonly words: Words;
  readonly more?: Words;
}

/** Runs both programs in turns, and prints a row. */
async function compare({ name, words, more = [] }: Row, [before, now]: readonly [string, string]): Promise<void> {
  const costs: Record<"before" | "now" | "before2" | "now2", Cost[]> = { before: [], now: [], before2: [], now2: [] };
  const start = (program: string, bound: Words): Promise<Cost> => {
    const [command = "", ...rest] = [...bound, process.execPath, program, ...words, ...(program === now ? more : [])];
    return run(command, rest);
  };
  for (let round = 0; round < runs; round++) {
    costs.before.push(await start(before, oneCore));
    costs.now.push(await start(now, oneCore));
    costs.before2.push(await start(before, []));
    costs.now2.push(await start(now, []));
  }
  const [one, other] = [spent(costs.before), spent(costs.now)];
  const clockOf = (all: readonly Cost[]) => median(all.map(({ seconds }) => seconds));
  const [clock, clockNow] = [clockOf(costs.before2), clockOf(costs.now2)];
  const ratio = (before = Number.NaN, now = Number.NaN) => (before / now).toFixed(2);
  const figures = `${one.toFixed(2)} s | ${other.toFixed(2)} s | **${ratio(one, other)}**`;
  const two = `${clock.toFixed(2)} s | ${clockNow.toFixed(2)} s | **${ratio(one, clockNow)}** | ${ratio(clock, clockNow)}`;
  const memory = `${megabytes(costs.before2)} | ${megabytes(costs.now2)}`;
  const isSame = (await printed(before, words)) === (await printed(now, [...words, ...more])) ? "same" : "differs";
  console.log(`| ${name} | ${figures} | ${two} | ${memory} | ${isSame} |`);
}

const folder = mkdtempSync(join(tmpdir(), "moul-against-"));
try {
  const programs = [built(values.commit, folder), projectPath("dist/bin/moul-dissect.js")] as const;
  const traffic: Traffic = makeTraffic(join(folder, "traffic"), { size: Number(values.size) * 1e6, hasTwin: false });
  const { capture, keys, sdl, messages } = traffic;
  console.log(
    `${values.size} MB, ${messages} messages; ${values.commit} and now; Node ${process.versions.node}, median of ${runs}`,
  );
  console.log(
    "One core: processor time. Two cores: time by the clock, with the default number of threads, whose ratios",
  );
  console.log("are to one core before, and to two.\n");
  const heads = ["", "one core, before", "now", "ratio", "two cores, before", "now", "ratio to one", "to two"];
  const columns = [...heads, "memory, before", "now", "output"];
  console.log(`| ${columns.join(" | ")} |\n|${columns.map(() => "---|").join("")}`);
  const whole = (...words: Words) => [...words, capture, "--keys", keys, "--sdl", sdl];
  const shown = ["number", "playerId", "objectName"].flatMap((path) => ["-e", path]);
  const small = SAMPLES.find((name) => name.startsWith("dirtsand-session")) ?? "";
  const old = ["--json-version", "1"];
  const rows: readonly Row[] = [
    { name: "stats", words: whole("stats") },
    { name: "--format fields -Y", words: whole("--format", "fields", ...shown, "-Y", "plNetMsgGameMessage") },
    { name: "--format summary", words: whole("--format", "summary") },
    { name: "--json, the old form", words: whole("--json"), more: old },
    { name: "--json", words: whole("--json") },
    { name: "streams", words: ["streams", capture, "--keys", keys] },
    { name: "small capture, summary", words: ["--format", "summary", sample(small)] },
    { name: "small capture, --json, the old form", words: ["--json", sample(small)], more: old },
    { name: "small capture, --json", words: ["--json", sample(small)] },
  ];
  for (const row of rows) if (row.name.includes(values.only)) await compare(row, programs);
} finally {
  rmSync(folder, { recursive: true });
}
