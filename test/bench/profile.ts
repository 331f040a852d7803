/**
 * How the time of a message divides among the parts of the program, by V8's profiler, for commits that are bundled from
 * git: `npm run bench:profile`, or `npm run bench:profile -- --commits fb1befc4,HEAD --size 160 --only stats`.
 *
 * What functions of V8 take counts for the function that calls them. The profiler takes time itself, most of all in small
 * functions, so the sums are larger than without it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { isArray, isObject, type Json } from "../../src/common/json.js";
import { projectPath } from "../support/project-path.js";
import { makeTraffic } from "./traffic/traffic.js";

const { values } = parseArgs({
  options: {
    commits: { type: "string", default: "fb1befc4,HEAD" },
    size: { type: "string", default: "80" },
    only: { type: "string", default: "" },
  },
});

/** The parts of the program, by the files that they consist of; the first that fits applies. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ["reading", /^src\/(?:capture|platform)\/|pcap-parser/],
  ["network", /^src\/network\//],
  ["RC4", /\/rc4\.ts$/],
  ["session", /^src\/(?:session|dissector|pipeline)\//],
  ["framing", /^src\/dissect\//],
  ["skimming", /^src\/schema\/skim\/|^skim$/],
  ["decoding", /^src\/(?:schema|common)\//],
  ["protocol", /^dissectors\//],
  ["statistics", /^src\/stats\//],
  ["filter", /^src\/(?:filter|display-filter)/],
  ["output", /^src\/(?:output|parallel|cli|remarks|store)\//],
  ["garbage", /^\(garbage collector\)$/],
  ["waiting", /^\((?:idle|program)\)$/],
  ["loading, Node.js", /(?:)/],
];

/** Bundles the program of a commit into one file, so that lines of the file tell where code that V8 inlines comes from. */
async function bundled(commit: string, folder: string): Promise<string> {
  mkdirSync(folder);
  const archive = execFileSync("git", ["archive", commit], { cwd: projectPath("."), maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(projectPath("node_modules"), join(folder, "node_modules"));
  const { name, exports } = objectIn(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const own = Object.entries(objectIn(exports)).flatMap(([entry, target]): [string, string][] => {
    const { default: main } = target !== undefined && isObject(target) ? target : {};
    if (typeof main !== "string") return [];
    const source = main.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts");
    return [[`${name}${entry.slice(1)}$`, join(folder, source)]];
  });
  const isOwn = (id: string) => id.startsWith(".") || isAbsolute(id) || own.some(([known]) => known === `${id}$`);
  const bundle = await rolldown({
    cwd: folder,
    input: "bin/moul-dissect.ts",
    platform: "node",
    external: (id) => !isOwn(id),
    moduleTypes: { ".lua": "text" },
    resolve: { alias: Object.fromEntries(own) },
    logLevel: "silent",
  });
  await bundle.write({ file: join(folder, "dist/bin/moul-dissect.js"), sourcemap: true, codeSplitting: false });
  return join(folder, "dist/bin/moul-dissect.js");
}

/** Nanoseconds that each part took for each of so many messages. */
function profiled(program: string, words: readonly string[], messages: number): ReadonlyMap<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "moul-profile-"));
  try {
    const flags = ["--detailed-line-info", "--cpu-prof", "--cpu-prof-dir", folder];
    execFileSync(process.execPath, [...flags, program, ...words], { stdio: ["ignore", "ignore", "inherit"] });
    const profile = join(folder, readdirSync(folder)[0] ?? "");
    const map = new SourceMap(JSON.parse(readFileSync(`${program}.map`, "utf8")));
    return sums(objectIn(JSON.parse(readFileSync(profile, "utf8"))), program, map, messages);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sums(profile: { readonly [name: string]: Json }, program: string, map: SourceMap, messages: number) {
  const found = new Map<string, number>(PARTS.map(([name]) => [name, 0]));
  const { startTime, endTime, nodes: listed } = profile;
  const nodes = arrayIn(listed).map(objectIn);
  const all = nodes.reduce((sum, { hitCount }) => sum + numberIn(hitCount), 0);
  const nanoseconds = ((numberIn(endTime) - numberIn(startTime)) * 1000) / all / messages;
  const add = (place: string, hits: number) => {
    const [part = ""] = PARTS.find(([, files]) => files.test(place)) ?? [];
    found.set(part, (found.get(part) ?? 0) + hits * nanoseconds);
  };
  for (const { callFrame, hitCount, positionTicks } of nodes) {
    const { functionName, url } = objectIn(callFrame);
    if (typeof url !== "string" || typeof functionName !== "string") continue;
    if (!url.endsWith(program.replaceAll("\\", "/"))) {
      add(url === "" || url.startsWith("node:") ? functionName : url, numberIn(hitCount));
      continue;
    }
    for (const { line, ticks } of arrayIn(positionTicks ?? []).map(objectIn)) {
      const entry = map.findEntry(numberIn(line) - 1, 100);
      add("originalSource" in entry ? entry.originalSource.replace(/^(?:\.\.\/)+/, "") : "", numberIn(ticks));
    }
  }
  return found;
}

function objectIn(value: Json | undefined): { readonly [name: string]: Json } {
  if (value !== undefined && isObject(value)) return value;
  throw new TypeError("an object is missing in a file of V8 or of npm");
}

function arrayIn(value: Json | undefined): readonly Json[] {
  return value !== undefined && isArray(value) ? value : [];
}

function numberIn(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

const folder = mkdtempSync(join(tmpdir(), "moul-profile-"));
try {
  const commits = values.commits.split(",");
  const programs: string[] = [];
  for (const commit of commits) programs.push(await bundled(commit, join(folder, commit)));
  const traffic = makeTraffic(join(folder, "traffic"), { size: Number(values.size) * 1e6, hasTwin: false });
  const { capture, keys, sdl, messages } = traffic;
  const columns = ["number", "playerId", "objectName"].flatMap((column) => ["-e", column]);
  const rows: readonly (readonly string[])[] = [
    ["stats"],
    ["--format", "fields", ...columns, "-Y", "plNetMsgGameMessage"],
    ["--format", "summary", "--threads", "1"],
    ["--json", "--threads", "1"],
  ];
  console.log(`${values.size} MB, ${messages} messages; Node ${process.versions.node}; nanoseconds for each message`);
  for (const words of rows) {
    const name = words.slice(0, 2).join(" ");
    if (!name.includes(values.only)) continue;
    const all = [...words, capture, "--keys", keys, "--sdl", sdl];
    const found = programs.map((program) => profiled(program, all, messages));
    console.log(`\n| ${name} | ${commits.join(" | ")} |\n|---|${commits.map(() => "---|").join("")}`);
    for (const [part] of PARTS) {
      const figures = found.map((one) => (one.get(part) ?? 0).toFixed(0));
      if (figures.some((figure) => figure !== "0")) console.log(`| ${part} | ${figures.join(" | ")} |`);
    }
    const total = found.map((one) => [...one.values()].reduce((sum, part) => sum + part, 0).toFixed(0));
    console.log(`| together | ${total.join(" | ")} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
