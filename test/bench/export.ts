/**
 * Measures `export` beside `--json` on the same capture, the size of what they write, the questions of docs/data.md beside
 * jq, and how the cost grows from one to many captures: `npm run bench:export -- --size 400 --captures 1000`.
 */
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { projectPath } from "../support/project-path.js";
import { type Cost, isThere, run } from "./traffic/run.js";
import { makeTraffic } from "./traffic/traffic.js";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "20" },
    captures: { type: "string", default: "100" },
    each: { type: "string", default: "0.2" },
  },
});
const program = projectPath("dist/bin/moul-dissect.js");
const oneCore = isThere("taskset", "-c", "0", "true") ? ["taskset", "-c", "0"] : [];

/** What three of the questions are for jq. */
const JQ: Readonly<Record<string, string>> = {
  "What fails, and how often?":
    "reduce (inputs | select(.error) | [.message, .error] | tostring) as $k ({}; .[$k] += 1)",
  "Which kinds of messages are the largest, all together?":
    'reduce inputs as $m ({}; .[$m.protocol + " " + $m.message] += 1)',
  "What could not be dissected?": 'reduce (inputs | select(.status != "ok") | .message) as $k ({}; .[$k] += 1)',
};

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function alone(words: readonly string[]): Promise<Cost> {
  const [command = "", ...rest] = [...oneCore, process.execPath, program, ...words];
  return run(command, rest);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function gzipped(paths: readonly string[]): Promise<number> {
  let length = 0;
  for (const path of paths) {
    for await (const chunk of createReadStream(path).pipe(createGzip())) length += chunk.length;
  }
  return length;
}

function size(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Processor time, where the system reports it: other work may run beside. */
function timeOf({ seconds, processor = seconds }: Cost): number {
  return processor;
}

function told(cost: Cost, bytes: number): string {
  const { memory = Number.NaN } = cost;
  const seconds = timeOf(cost);
  return `${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s, ${(memory / 1e6).toFixed(0)} MB of memory`;
}

async function oneCapture(folder: string): Promise<void> {
  const traffic = makeTraffic(join(folder, "one"), { size: Number(values.size) * 1e6 });
  const { capture, keys, sdl } = traffic;
  const given = ["--keys", keys, "--sdl", sdl];
  const [json, dataset] = [join(folder, "one.json"), join(folder, "dataset")];
  const bytes = size([capture]);
  const printed = await alone([capture, "--json", ...given, "--threads", "1", "-o", json]);
  const exported = await alone(["export", capture, ...given, "-o", dataset]);
  console.log(`capture: ${megabytes(bytes)}, gzipped ${megabytes(await gzipped([capture]))}`);
  console.log(`--json: ${told(printed, bytes)}`);
  console.log(
    `export: ${told(exported, bytes)}; ${(timeOf(printed) / timeOf(exported)).toFixed(2)} of the speed of --json`,
  );
  console.log(`JSON: ${megabytes(size([json]))}, gzipped ${megabytes(await gzipped([json]))}`);
  console.log(`dataset: ${megabytes(size(filesIn(dataset)))}, gzipped ${megabytes(await gzipped(filesIn(dataset)))}`);
  await questions(dataset, json);
}

async function questions(dataset: string, json: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(readFileSync(join(dataset, "views.sql"), "utf8").replaceAll("'./", `'${dataset}/`));
  const asked = readFileSync(projectPath("docs/data.md"), "utf8").matchAll(/^(\S[^\n]*\?)\n\n```sql\n(.*?)```/gms);
  for (const [, question = "", sql = ""] of asked) {
    const start = performance.now();
    const rows = (await connection.runAndReadAll(sql)).getRows().length;
    const seconds = (performance.now() - start) / 1000;
    const filter = isThere("jq", "--version") ? JQ[question] : undefined;
    const other = filter === undefined ? undefined : await run("jq", ["-n", filter, json]);
    const beside = other === undefined ? "" : `; jq ${other.seconds.toFixed(1)} s`;
    console.log(`${question} ${seconds.toFixed(2)} s, ${rows} rows${beside}`);
  }
}

/** Exports ever more captures, each of which is another one. */
async function manyCaptures(folder: string): Promise<void> {
  const { capture, keys } = makeTraffic(join(folder, "each"), { size: Number(values.each) * 1e6 });
  const captures = join(folder, "captures");
  await mkdir(captures);
  for (let count = 1; count <= Number(values.captures); count *= 10) {
    const paths = Array.from({ length: count }, (_, at) => join(captures, `${at}.pcap`));
    for (const [at, path] of paths.entries()) {
      await copyFile(capture, path);
      // The digest of a capture decides whether it is another one: the time of its first packet differs.
      const file = await open(path, "r+");
      await file.write(Buffer.from([at & 0xff, at >> 8]), 0, 2, 28);
      await file.close();
    }
    const dataset = join(folder, `of-${count}`);
    const cost = await alone(["export", "-q", ...paths, "--keys", keys, "-o", dataset]);
    const again = await alone(["export", "-q", ...paths, "--keys", keys, "-o", dataset]);
    const bytes = size(paths);
    const kept = size(filesIn(dataset));
    console.log(
      `${count} captures: ${told(cost, bytes)}; dataset ${megabytes(kept)}; again ${timeOf(again).toFixed(1)} s`,
    );
  }
}

const folder = await mkdtemp(join(tmpdir(), "moul-dissect-export-"));
try {
  await oneCapture(folder);
  await manyCaptures(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
