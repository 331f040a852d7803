/**
 * Reads captures of other projects: `npm run foreign -- FOLDER...`. Nothing in them may be recognised, and what each side
 * of each TCP conversation sent has to be what tshark finds, or the difference has to have a reason. See README.md.
 */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Examination, type FileResult } from "./examination.js";
import { Explained } from "./explained.js";
import { isPassed, report } from "./report.js";

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error("npm run foreign -- FOLDER...");

const todo = positionals.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map((file) => ({ path: join(folder, file), project: basename(folder), file })),
);
const explained = Explained.read();
const results: FileResult[] = [];
let next = 0;

/** Takes one capture after the other, while other lanes do the same. */
async function lane(): Promise<void> {
  const examination = new Examination(explained);
  for (let job = todo[next++]; job !== undefined; job = todo[next++]) {
    const result = await examination.result(job);
    results.push(result);
    if (values.json) console.log(JSON.stringify(result));
    else if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${todo.length} files`);
  }
  await examination.stop();
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), todo.length) }, lane));
if (!values.json) console.log(report(results));
process.exitCode = isPassed(results) ? 0 : 1;
