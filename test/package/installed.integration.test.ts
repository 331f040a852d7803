import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programs } from "../docs/library-programs.js";
import { buildInto } from "../support/installed-program.js";
import { isPosix } from "../support/platform.js";

/** The package as a user gets it: packed, installed into an empty project, with the example dissector. */

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");

/** Without the variables that npm sets for its scripts: this npm is a user's. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const shell = !isPosix && command === "npm";
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env, shell, maxBuffer: 1 << 26 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const told = (member: string) => (error instanceof Error ? String(Reflect.get(error, member) ?? "") : "");
    return { code: Number(told("code")) || 1, stdout: told("stdout"), stderr: told("stderr") || String(error) };
  }
}

async function npm(cwd: string, ...args: readonly string[]): Promise<Outcome> {
  return run("npm", [...args, "--no-audit", "--no-fund", "--ignore-scripts"], cwd);
}

async function must(outcome: Promise<Outcome>): Promise<Outcome> {
  const result = await outcome;
  if (result.code !== 0) throw new Error(`${result.stderr}${result.stdout}`);
  return result;
}

/** The content of the package: built from scratch, so that the test does not depend on the last build. */
async function stage(folder: string): Promise<void> {
  await mkdir(folder);
  const { scripts: _, ...manifest }: Record<string, unknown> = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  for (const name of ["README.md", "CHANGELOG.md", "LICENSE", "samples", "docs"]) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  buildInto(join(folder, "dist"));
  await run(process.execPath, [tsc, "-p", "build/tsconfig.json", "--outDir", join(folder, "dist")], root);
}

/** The files in a tarball, as listed by npm. */
function filesPackedBy({ stdout }: Outcome): string[] {
  const [tarball]: { readonly files: readonly { readonly path: string }[] }[] = JSON.parse(stdout);
  return (tarball?.files ?? []).map(({ path }) => path);
}

/**
 * Installs the package from npm's cache, otherwise from the registry, otherwise with what is already installed here.
 */
async function install(project: string, tarball: string): Promise<void> {
  if ((await npm(project, "install", tarball, "--offline")).code === 0) return;
  if ((await npm(project, "install", tarball, "--prefer-offline", "--fetch-retries=0")).code === 0) return;
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const seen = new Set<string>();
  const bring = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    seen.add(name);
    const folder = join("node_modules", name);
    await cp(join(root, folder), join(project, folder), { recursive: true });
    const inner: { dependencies?: Record<string, string> } = JSON.parse(
      await readFile(join(root, folder, "package.json"), "utf8"),
    );
    await Promise.all(Object.keys(inner.dependencies ?? {}).map(bring));
  };
  await Promise.all(Object.keys(dependencies).map(bring));
  await must(npm(project, "install", tarball, "--offline"));
}

const usable = (await run("npm", ["--version"], root)).code === 0;
if (!usable) console.warn("npm cannot be run here: the package is not tested as a user installs it");

describe.runIf(usable)("the installed package", { timeout: 30_000 }, () => {
  let folder = "";
  let project = "";
  let packed: readonly string[] = [];
  const moulDissect = (...args: readonly string[]) => {
    return run(
      process.execPath,
      [join(project, "node_modules", "moul-dissect", "dist", "bin", "moul-dissect.js"), ...args],
      project,
    );
  };
  const example = (name: string) => join(project, "node_modules", "moul-dissect", "samples", "example-dissector", name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
    project = join(folder, "project");
    await stage(join(folder, "package"));
    const packing = await must(npm(join(folder, "package"), "pack", "--json", "--pack-destination", folder));
    packed = filesPackedBy(packing);
    const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
    if (tarball === undefined) throw new Error("npm pack has made no tarball");
    await mkdir(project);
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
    await install(project, join(folder, tarball));
    await cp(example("parley.js"), join(project, "my-protocol.js"));
    await cp(example("parley.pcap"), join(project, "parley.pcap"));
  }, 90_000);

  afterAll(async () => {
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  const SUMMARY = [
    "0 c2s Greeting ok: version=1",
    '0 c2s Join ok: nick="Ada"',
    "0 s2c Greeting ok: version=1",
    '0 s2c Joined ok: member=1 (Ada), nick="Ada"',
    "1 c2s Greeting ok: version=1",
    '1 c2s Join ok: nick="Bob"',
    "1 s2c Greeting ok: version=1",
    '1 s2c Joined ok: member=2 (Bob), nick="Bob"',
    '0 s2c Joined ok: member=2 (Bob), nick="Bob"',
    '1 c2s Say ok: mood=Merry, words="Hello, Ada!"',
    '0 s2c Said ok: member=2 (Bob), mood=Merry, words="Hello, Ada!"',
    '1 s2c Said ok: member=2 (Bob), mood=Merry, words="Hello, Ada!"',
    '0 c2s Say ok: mood=Calm, words="Hello yourself."',
    '1 s2c Said ok: member=1 (Ada), mood=Calm, words="Hello yourself."',
    '0 s2c Said ok: member=1 (Ada), mood=Cross, to=2 (Bob), words="Not so loud!"',
    "0 s2c Unknown unknown: ",
  ];

  function summaryOf({ stdout }: Outcome): string[] {
    return stdout
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line))
      .map(
        ({ stream, direction, message, status, summary }) => `${stream} ${direction} ${message} ${status}: ${summary}`,
      );
  }

  it("contains what is needed, and nothing else", () => {
    for (const file of ["README.md", "LICENSE", "dist/bin/moul-dissect.js", "dist/src/index.d.ts"]) {
      expect(packed).toContain(file);
    }
    const kinds = packed.map((file) => {
      const [top = "", second = ""] = file.split("/");
      if (top === "dist" && second !== "LICENSES.txt") return `${top}/${second} ${/(?:\.d)?\.[jt]s$/.exec(file)?.[0]}`;
      if (top === "docs") return `${top} ${/\.\w+$/.exec(file)?.[0]}`;
      return top === "samples" && second !== "example-dissector" ? `${top} ${/\.\w+$/.exec(file)?.[0]}` : file;
    });
    expect([...new Set(kinds)].sort()).toEqual(
      [
        ...["README.md", "CHANGELOG.md", "LICENSE", "package.json", "docs .md", "docs .png", "docs .svg"],
        ...["dist/LICENSES.txt", "dist/bin .js", "dist/src .js", "dist/shared .js"],
        ...["bin", "src", "dissectors"].map((room) => `dist/${room} .d.ts`),
        ...[
          "samples .pcap",
          "samples .pcapng",
          "samples .sdl",
          "samples .jsonl",
          "samples .keys",
          "samples .ini",
          "samples .md",
          "samples .py",
        ],
        ...["README.md", "parley.js", "parley.pcap"].map((name) => `samples/example-dissector/${name}`),
      ].sort(),
    );
  });

  it.runIf(isPosix)("is built as an executable file: a link to it has to work after each build", async () => {
    const { mode } = await stat(join(folder, "package", "dist", "bin", "moul-dissect.js"));
    expect(mode & 0o111).toBe(0o111);
  });

  it("dissects the example capture with the example dissector", async () => {
    const outcome = await moulDissect("parley.pcap", "--dissector", "./my-protocol.js", "--json");
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(summaryOf(outcome)).toEqual(SUMMARY);
  });

  it("finds a dissector that is installed as a package", async () => {
    const home = join(project, "node_modules", "parley-dissector");
    await mkdir(home);
    const manifest = { name: "parley-dissector", type: "module", exports: { ".": { import: "./index.js" } } };
    await writeFile(join(home, "package.json"), JSON.stringify(manifest));
    await cp(example("parley.js"), join(home, "index.js"));
    expect(summaryOf(await moulDissect("parley.pcap", "--dissector", "parley-dissector", "--json"))).toEqual(SUMMARY);
  });

  it("provides the schema language even to a dissector outside any project", async () => {
    const elsewhere = join(folder, "elsewhere.mjs");
    await cp(example("parley.js"), elsewhere);
    const outcome = await moulDissect("parley.pcap", "--dissector", elsewhere, "--json");
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(summaryOf(outcome)).toEqual(SUMMARY);
  });

  it("says where a dissector failed to load", async () => {
    const refused = async (name: string, text: string) => {
      await writeFile(join(project, name), text);
      return (await moulDissect("parley.pcap", "--dissector", `./${name}`)).stderr;
    };
    const own = 'import { array, struct, u8 } from "moul-dissect/schema";\n\n';
    const declared = await refused("wrong.js", `${own}export const S = struct("S", { a: array(u8, "n") });`);
    expect(declared).toContain("loading it fails with Error: S: n is not an earlier field (wrong.js:3)\n");
    const missing = await refused("missing.js", own.replace("array", "aray"));
    expect(missing).toMatch(/SyntaxError: .* an export named 'aray' \(missing\.js:1\)\n/);
    const garbled = await refused("garbled.js", `${own}export default {;`);
    expect(garbled).toMatch(/SyntaxError: .* \("node \.\/garbled\.js" shows where\)\n/);
    const common = await refused("common.cjs", "\nmodule.exports = undefined.x;");
    expect(common).toMatch(/TypeError: .* \(common\.cjs:2\)\n/);
    const stuck = await refused("stuck.js", "await new Promise(() => {});");
    expect(stuck).toContain("./stuck.js cannot be used: it waits for something that never comes\n");
  });

  it("gives up on modules that wait forever as often as it is asked, and on many at once without a warning", async () => {
    await writeFile(join(project, "forever.js"), "await new Promise(() => {});");
    await writeFile(
      join(project, "loads.mjs"),
      `import { loadDissector } from "moul-dissect";
       const load = () => loadDissector("./forever.js", new Set()).catch(({ message }) => console.log(message));
       await load();
       await load();
       await Promise.all(Array.from({ length: 11 }, load));`,
    );
    const line = "the dissector ./forever.js cannot be used: it waits for something that never comes\n";
    const outcome = await run(process.execPath, ["loads.mjs"], project);
    expect(outcome).toEqual({ code: 0, stdout: line.repeat(13), stderr: "" });
  });

  it("supports the example in its other commands and options", async () => {
    const fields = await moulDissect("fields", "parley", "--dissector", "./my-protocol.js");
    expect(fields.stdout).toContain("parley Said s2c\n");
    expect(fields.stdout).toMatch(/mood +u8 +0 = Calm, 1 = Merry, 2 = Cross\n/);
    const decoded = await moulDissect("decode", "Say", "000502014869", "--dissector", "./my-protocol.js", "--json");
    expect(JSON.parse(decoded.stdout)).toMatchObject({ message: "Say", fields: { mood: "Merry", words: "Hi" } });
    const filtered = await moulDissect(
      "parley.pcap",
      "--dissector",
      "./my-protocol.js",
      "-Y",
      "mood == Cross",
      "--json",
    );
    expect(summaryOf(filtered)).toEqual([SUMMARY[14]]);
    const declared = await moulDissect(
      "parley.pcap",
      "--dissector",
      "./my-protocol.js",
      "-d",
      "tcp.port==7777,parley",
      "--json",
    );
    expect(summaryOf(declared)).toEqual(SUMMARY);
  });

  it.runIf(isPosix)("checks recordings in CI, by the steps that docs/check.md prints", async () => {
    const page = await readFile(join(root, "docs", "check.md"), "utf8");
    const steps = [...page.matchAll(/^ +- run: (.*)$/gm)].map(([, step = ""]) => step);
    const [installing = "", checking = ""] = steps;
    expect(steps).toHaveLength(2);
    const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
    expect(installing).toContain(`./tools/${tarball}`);
    const ci = join(folder, "ci");
    for (const name of ["tools", "recordings"]) await mkdir(join(ci, name), { recursive: true });
    await cp(join(folder, tarball), join(ci, "tools", tarball));
    await cp(join(root, "samples", "keys", "dirtsand", "dirtsand.ini"), join(ci, "dirtsand.ini"));
    const record = (from: string, to: string) => cp(join(root, "samples", from), join(ci, "recordings", to));
    await record("regression/login.pcap", "login.pcap");
    await record("regression/login.expected.jsonl", "login.expected.jsonl");
    const step = (command: string) => run("bash", ["-e", "-c", command], ci);
    if ((await step(`npm_config_prefer_offline=true ${installing}`)).code !== 0) {
      await writeFile(join(ci, "package.json"), "{}");
      await install(ci, join(folder, tarball));
    }
    expect(await step(checking)).toMatchObject({ code: 0 });
    expect(await readFile(join(ci, "report.xml"), "utf8")).toMatch(
      /<testsuite .* failures="0" .* file="recordings\/login/,
    );
    await record("regression/changed/login.pcap", "login.pcap");
    expect(await step(checking)).toMatchObject({ code: 4 });
    expect(await readFile(join(ci, "report.xml"), "utf8")).toContain("<failure ");
  });

  it("has types that accept the example, and a dissector in TypeScript", async () => {
    await writeFile(
      join(project, "typed.ts"),
      `import { dissect, loadDissector } from "moul-dissect";
       import type { Dissector } from "moul-dissect/dissector";
       import { type Infer, struct, text, u8 } from "moul-dissect/schema";
       import { u32 } from "moul-dissect/schema/little-endian";
       const Message = struct("Message", { a: u8, b: u32, c: text(3) });
       export const value: Infer<typeof Message> = { a: 1, b: 2, c: "x" };
       export const wrong: Infer<typeof Message> = {
         a: 1,
         // @ts-expect-error a text, not a number
         b: "",
         c: "x",
       };
       export async function main(): Promise<void> {
         const dissector: Dissector = await loadDissector("./my-protocol.js", new Set());
         for await (const message of dissect("parley.pcap", { dissectors: [dissector] })) console.log(message.name);
       }`,
    );
    const flags = ["--noEmit", "--strict", "--checkJs", "--allowJs", "--module", "nodenext", "--target", "es2022"];
    const typeRoots = join(root, "node_modules", "@types");
    const outcome = await run(
      process.execPath,
      [tsc, ...flags, "--skipLibCheck", "--typeRoots", typeRoots, "--types", "node", "my-protocol.js", "typed.ts"],
      project,
    );
    expect(outcome).toMatchObject({ code: 0, stdout: "" });
  });

  it("has types of the engine that need none of Node.js", async () => {
    await writeFile(
      join(project, "in-page.ts"),
      `import { displayFilter, dissect } from "moul-dissect/engine";
       export async function failed(file: File): Promise<number> {
         const passes = await displayFilter("error");
         let count = 0;
         for await (const message of dissect(file, { keys: [] })) if (passes(message)) count++;
         return count;
       }`,
    );
    const flags = ["--noEmit", "--strict", "--module", "esnext", "--moduleResolution", "bundler"];
    const platform = ["--target", "es2023", "--lib", "es2023,dom", "--types", ""];
    const outcome = await run(process.execPath, [tsc, ...flags, ...platform, "in-page.ts"], project);
    expect(outcome).toMatchObject({ code: 0, stdout: "" });
  });

  it("has options of check that are those of the page about it", async () => {
    const program = programs.find(([, name]) => name === "check.js")?.[2] ?? "";
    const asked = /await check\(.*\)/.exec(program)?.[0] ?? "";
    await writeFile(
      join(project, "checked.ts"),
      `import { check } from "moul-dissect";
       export async function main(lines: string[]): Promise<object> { return ${asked}; }`,
    );
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    const typeRoots = ["--typeRoots", join(root, "node_modules", "@types"), "--types", "node"];
    const outcome = await run(process.execPath, [tsc, ...flags, ...typeRoots, "checked.ts"], project);
    expect(outcome).toMatchObject({ code: 0, stdout: "" });
  });
});
