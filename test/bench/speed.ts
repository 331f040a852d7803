/**
 * Measures the program on captures of encrypted game traffic, taking turns with tshark and a dissector in Lua, and
 * prints a table. `npm run bench` or `npm run bench -- --size 500 --runs 5`; `--scale` shows instead how time and
 * memory grow with captures up to that size; `--short` only shows that everything still runs.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectPath } from "../support/project-path.js";
import { type Cost, isThere, median, run } from "./traffic/run.js";
import { makeTraffic, type Traffic, type TrafficOptions } from "./traffic/traffic.js";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "50" },
    runs: { type: "string", default: "3" },
    short: { type: "boolean", default: false },
    scale: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const size = values.short ? 300_000 : Number(values.size) * 1e6;
const runs = values.short ? 1 : Number(values.runs);
const program = projectPath("dist/bin/moul-dissect.js");
const script = projectPath("test/bench/traffic/tshark-moul.lua");
const hasTshark = isThere("tshark", "--version");
/** Runs everything on one core, where the system can do that. */
const oneCore = isThere("taskset", "-c", "0", "true") ? ["taskset", "-c", "0"] : [];

type Words = readonly string[];

/** A row of the table: the program that runs on a capture, and what it is compared with. */
interface Row {
  readonly name: string;
  readonly traffic: Traffic;
  readonly ours: Words;
  /** The same with two threads, where possible. */
  readonly shared?: Words;
  readonly theirs?: { readonly name: string; readonly words: Words };
}

function ours({ capture, keys, sdl }: Traffic, ...words: Words): Words {
  return [
    process.execPath,
    program,
    ...words,
    capture,
    "--keys",
    keys,
    ...(words[0] === "streams" ? [] : ["--sdl", sdl]),
  ];
}

function fields({ twin }: Traffic): Row["theirs"] {
  const columns = ["frame.number", "moul.class", "moul.player"].flatMap((column) => ["-e", column]);
  const words = [
    "-n",
    "-X",
    `lua_script:${script}`,
    "-r",
    twin,
    "-Y",
    "moul.class == 0x26b",
    "-T",
    "fields",
    ...columns,
  ];
  return { name: "Lua, -T fields", words: ["tshark", ...words] };
}

function json({ twin }: Traffic): Row["theirs"] {
  return { name: "Lua, -T json", words: ["tshark", "-n", "-X", `lua_script:${script}`, "-r", twin, "-T", "json"] };
}

function statistics({ capture }: Traffic): Row["theirs"] {
  // Encrypted bytes sometimes look like another protocol (Thrift, for one), which then waits for megabytes.
  const soberly = ["-o", "tcp.desegment_tcp_streams:FALSE"];
  return { name: "-z io,stat,0", words: ["tshark", "-n", ...soberly, "-r", capture, "-q", "-z", "io,stat,0"] };
}

/** Writes the plugin for Wireshark, the session keys of a capture, and the capture in the clear; returns their paths. */
function forWireshark({ capture, keys, sdl }: Traffic): Readonly<Record<"plugin" | "log" | "plain", string>> {
  const made = { plugin: `${capture}.lua`, log: `${capture}.keylog`, plain: `${capture}.plain.pcapng` };
  const write = (...words: Words) =>
    execFileSync(process.execPath, [program, ...words, "--force"], { stdio: "ignore" });
  write("wireshark", "--sdl", sdl, "-o", made.plugin);
  write("keys", capture, "--keys", keys, "-o", made.log);
  write("decrypt", capture, "--keys", keys, "-o", made.plain);
  return made;
}

/** tshark with our plugin, for the same columns as the dissector in Lua; it decrypts, too. */
function pluginRows(mixed: Traffic): Row[] {
  const { plugin, log, plain } = forWireshark(mixed);
  const columns = ["frame.number", "moul.class", "moul.playerId"].flatMap((column) => ["-e", column]);
  const theirs = fields(mixed);
  const only = ["-o", "moul.only:plNetMsgGameMessage,class,playerId"];
  const row = (name: string, capture: string, ...options: Words): Row => ({
    name,
    traffic: mixed,
    ours: [
      ...["tshark", "-n", "-X", `lua_script:${plugin}`, ...options, "-r", capture],
      ...["-Y", "moul.plNetMsgGameMessage", "-T", "fields", ...columns],
    ],
    ...(theirs && { theirs }),
  });
  return [
    row("plugin, moul.only", mixed.capture, ...only, "-o", `moul.keylog:${log}`),
    row("plugin, moul.only, decrypted", plain, ...only),
    row("plugin, all fields", mixed.capture, "-o", `moul.keylog:${log}`),
  ];
}

function rowsOf(mixed: Traffic, foreign: Traffic): Row[] {
  const row = (name: string, traffic: Traffic, words: Words, theirs?: Row["theirs"]): Row => {
    const one = ours(traffic, ...words);
    const shared = words[0] === "stats" || words[0] === "streams" ? one : [...one, "--threads", "2"];
    return { name, traffic, ours: one, shared, ...(theirs && hasTshark && { theirs }) };
  };
  const columns = ["number", "playerId", "objectName"].flatMap((column) => ["-e", column]);
  return [
    row("--format summary", mixed, ["--format", "summary"], fields(mixed)),
    row("--format fields -Y", mixed, ["--format", "fields", ...columns, "-Y", "plNetMsgGameMessage"], fields(mixed)),
    row("--json", mixed, ["--json"], json(mixed)),
    row("stats", mixed, ["stats"], statistics(mixed)),
    row("streams", mixed, ["streams"], statistics(mixed)),
    row("summary, 99 % foreign", foreign, ["--format", "summary"], fields(foreign)),
    ...(hasTshark ? pluginRows(mixed) : []),
  ].filter(({ name }) => values.only === undefined || name.includes(values.only));
}

async function times(words: Words, bound: Words = oneCore): Promise<Cost> {
  const [command = "", ...rest] = [...bound, ...words];
  return run(command, rest);
}

/** Reads a capture through `pcap-parser` and does nothing with it. */
function reading({ capture }: Traffic): Words {
  return [process.execPath, join(import.meta.dirname, "traffic/read.js"), capture];
}

async function measure({ name, traffic, ours, shared = [], theirs }: Row): Promise<string> {
  const [mine, both, others, readings]: [Cost[], Cost[], Cost[], Cost[]] = [[], [], [], []];
  for (let round = 0; round < runs; round++) {
    mine.push(await times(ours));
    if (shared.length > 0) both.push(await times(shared, []));
    if (theirs !== undefined) others.push(await times(theirs.words));
    readings.push(await times(reading(traffic)));
  }
  const ratio = (seconds: number) => (others.length === 0 ? "" : (spent(others) / seconds).toFixed(1));
  const each = `${Math.round(traffic.messages / spent(mine)).toLocaleString("en")} | ${(traffic.bytes / 1e6 / spent(mine)).toFixed(0)}`;
  const share = `${((100 * spent(readings)) / spent(mine)).toFixed(0)} %`;
  const clock = median(both.map(({ seconds }) => seconds));
  const one = `${spent(mine).toFixed(2)} s | ${memoryOf(mine)} | ${each} | ${share}`;
  const two = both.length === 0 ? " | " : `${clock.toFixed(2)} s | ${memoryOf(both)}`;
  const tshark =
    others.length === 0 ? "| | |" : `${spent(others).toFixed(2)} s (${theirs?.name}) | ${memoryOf(others)} |`;
  return `| ${name} | ${one} | ${two} | ${tshark} ${ratio(spent(mine))} | ${both.length === 0 ? "" : ratio(clock)} |`;
}

/** What a run costs on one core: processor time does not include what other programs do on the machine. */
function spent(costs: readonly Cost[]): number {
  return median(costs.map(({ seconds, processor }) => processor ?? seconds));
}

function memoryOf(costs: readonly Cost[]): string {
  return `${median(costs.map((cost) => (cost.memory ?? Number.NaN) / 1e6)).toFixed(0)} MB`;
}

/** Captures that differ in one thing: size, message length, or number of conversations. */
const scales: readonly (readonly [string, Omit<TrafficOptions, "hasTwin">])[] = [
  ["a tenth", { size: size / 10 }],
  ["all", { size }],
  ["messages of 50 bytes", { size, messages: "short" }],
  ["messages of 1 MiB", { size, messages: "long" }],
  ["1 conversation", { size, conversations: 1 }],
  ["10,000 conversations, 64 at a time", { size, conversations: 10_000, open: 64 }],
  ["10,000 conversations at once", { size, conversations: 10_000 }],
];

async function compare(): Promise<void> {
  const mixed = makeTraffic(join(folder, "mixed"), { size });
  const foreign = makeTraffic(join(folder, "foreign"), { size, foreign: 0.99 });
  const told = `${mixed.messages.toLocaleString("en")} messages in ${mixed.packets.toLocaleString("en")} packets`;
  console.log(`${(mixed.bytes / 1e6).toFixed(0)} MB, ${told}; Node ${process.versions.node}, median of ${runs}`);
  console.log("One core: processor time; two cores: time by the clock; tshark on one core: processor time.");
  console.log(
    "| | one core | memory | messages/s | MB/s | reading alone | two cores | memory | tshark | memory | ratio: one | two |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (const row of rowsOf(mixed, foreign)) console.log(await measure(row));
  const starts: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < 3 * runs; round++) {
    starts[0].push(await times([process.execPath, program, "--version"]));
    starts[1].push(await times([process.execPath, "-e", "0"]));
  }
  const [start, node] = starts.map((costs) => median(costs.map(({ seconds }) => seconds)));
  const milliseconds = (seconds = Number.NaN) => `${(1000 * seconds).toFixed(0)} ms`;
  const ratio = ((start ?? Number.NaN) / (node ?? Number.NaN)).toFixed(2);
  console.log(`\n--version: ${milliseconds(start)}; node -e 0: ${milliseconds(node)}; ratio ${ratio}`);
}

async function scale(): Promise<void> {
  console.log("| | MB | messages | --json: processor | memory | stats: processor | memory |");
  console.log("|---|---|---|---|---|---|---|");
  for (const [name, options] of scales) {
    const traffic = makeTraffic(join(folder, "scale"), { ...options, hasTwin: false });
    const [json, stats]: [Cost[], Cost[]] = [[], []];
    for (let round = 0; round < runs; round++) {
      json.push(await times(ours(traffic, "--json")));
      stats.push(await times(ours(traffic, "stats")));
    }
    const columns = [json, stats].map((costs) => `${spent(costs).toFixed(2)} s | ${memoryOf(costs)}`);
    const head = `${name} | ${(traffic.bytes / 1e6).toFixed(0)} | ${traffic.messages.toLocaleString("en")}`;
    console.log(`| ${head} | ${columns.join(" | ")} |`);
  }
}

const folder = await mkdtemp(join(tmpdir(), "moul-bench-"));
try {
  if (!hasTshark) console.log("tshark is not installed: only this program is run.");
  if (!values.scale) await compare();
  if (values.scale || values.short) await scale();
} finally {
  await rm(folder, { recursive: true });
}
