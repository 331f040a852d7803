/**
 * Gives the program changed and made-up bytes, as many as wanted: `npm run fuzz -- --seed 7 --count 100000`. What each
 * input is follows from the seed and its number; README.md tells more.
 */
import { parseArgs } from "node:util";
import { hostileLevels, shares } from "./levels.js";
import { runLevel, type Tally } from "./runner.js";
import { Watchdog } from "./watchdog.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "100000" },
    level: { type: "string" },
    stack: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const from = Number(values.from);
const { all, outputs } = await hostileLevels();
const chosen = all.filter(({ name }) => values.level === undefined || name === values.level);
if (chosen.length === 0) throw new Error(`there is no level ${values.level}: ${all.map(({ name }) => name)}`);

const watchdog = new Watchdog(
  all.map(({ name }) => name),
  seed,
);
let findings = 0;
for (const level of chosen) {
  const count =
    values.level === undefined ? Math.ceil(Number(values.count) * (shares[level.name] ?? 0)) : Number(values.count);
  const begins = (index: number) => watchdog.next(level.name, index);
  const tally = await runLevel(level, { seed, from, count }, 10, progress, begins);
  findings += tally.findings.length;
  console.log(`${line(tally)}`);
  for (const { index, error, input } of tally.findings) {
    const text =
      error instanceof Error ? (values.stack ? error.stack : `${error.name}: ${error.message}`) : String(error);
    console.log(`  --level ${level.name} --seed ${seed} --from ${index} --count 1\n    ${text}\n    ${input}`);
  }
}
const { maxRSS } = process.resourceUsage();
console.log(
  `${outputs.validated} lines held against their JSON Schema; ${Math.round(maxRSS / 1024)} MiB of memory at most`,
);
process.exitCode = findings > 0 ? 1 : 0;

function progress(tally: Tally): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${line(tally)}`);
}

function line({ level, inputs, bytes, seconds, slowest, findings }: Tally): string {
  return [
    level.padEnd(8),
    `${inputs} inputs`,
    `${(bytes / 2 ** 20).toFixed(1)} MiB`,
    `${seconds.toFixed(1)} s`,
    `${Math.round(inputs / seconds)}/s`,
    `slowest ${slowest.milliseconds.toFixed(1)} ms (input ${slowest.index}, ${slowest.bytes} bytes)`,
    `${findings.length} findings`,
  ].join(", ");
}
