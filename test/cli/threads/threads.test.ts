import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTraffic, type Traffic } from "../../bench/traffic/traffic.js";
import { buildProgram } from "../../support/installed-program.js";
import { isPosix } from "../../support/platform.js";
import { sample } from "../../support/samples.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Several threads print what one prints: the same bytes, the same remarks, the same exit code. */

const folder = temporaryFolder();
let program = "";
let traffic: Traffic;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  // About twenty blocks of messages.
  traffic = makeTraffic(join(folder, "traffic"), { size: 1_000_000 });
}, 120_000);

interface Ended {
  readonly code: number | null;
  readonly length: number;
  readonly digest: string;
  readonly stderr: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  const hash = createHash("sha256");
  let length = 0;
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    hash.update(chunk);
    length += chunk.length;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ code, length, digest: hash.digest("hex"), stderr })),
  );
}

function run(...args: readonly string[]): Promise<Ended> {
  return ended(spawn(process.execPath, [program, ...args], { env: {} }));
}

function trafficArguments(): string[] {
  return [traffic.capture, "--keys", traffic.keys, "--sdl", traffic.sdl];
}

async function expectTheSame(args: readonly string[], threads: readonly string[] = ["2"]): Promise<Ended> {
  const one = await run(...args, "--threads", "1");
  for (const count of threads) expect(await run(...args, "--threads", count)).toEqual(one);
  return one;
}

describe("the output of two and three threads", () => {
  it.each(["--json", "--time=relative"])("is the same as that of one: %s", async (option) => {
    // Often enough that the other threads are ready in time.
    const again = Array<string>(3).fill(traffic.capture);
    const { code, length, stderr } = await expectTheSame([...again, ...trafficArguments(), option], ["2", "3"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(length).toBeGreaterThan(5_000_000);
  });

  it.each([
    ["--format json-tree", ""],
    ["--hex", ""],
    ["--format summary", ""],
    ["--csv -e number -e playerId -e objectName", ""],
    ["--json -Y", "plNetMsgSDLStateBCast"],
    ["--json -Y", 'message == "nothing"'],
  ])("is the same as that of one: %s %s", async (words, last) => {
    const { code, stderr } = await expectTheSame([...trafficArguments(), ...words.split(" "), ...(last ? [last] : [])]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("is the same for a capture that ends before any thread can help", async () => {
    const { length } = await expectTheSame([sample("dirtsand-session.pcap"), "--json"]);
    expect(length).toBeGreaterThan(1000);
  });

  it("is the same for several captures, one of them compressed", async () => {
    const packed = join(folder, "packed.pcap.gz");
    writeFileSync(packed, gzipSync(readFileSync(traffic.capture)));
    await expectTheSame([sample("nagus-plain.pcap"), packed, "--keys", traffic.keys, "--json"]);
  });

  it("is the same if nothing can be decrypted", async () => {
    const without = join(folder, "without-keys.pcap");
    writeFileSync(without, readFileSync(traffic.capture));
    const { code, stderr } = await expectTheSame([without, "--json", "--strict"]);
    expect(code).toBe(3);
    expect(stderr).toContain("no key");
  });

  it("is the same for a truncated capture, with the same remarks", async () => {
    const cut = join(folder, "cut.pcap");
    writeFileSync(cut, readFileSync(traffic.capture));
    truncateSync(cut, 600_001);
    const { code, stderr } = await expectTheSame([cut, "--keys", traffic.keys, "--json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("the file ends inside");
  });

  it.each([
    ["--time delta", "with --time delta a line depends on the ones before it"],
    ["-c 70", "--count stops in the middle"],
    ["--color always", "the output goes to a terminal, or has colours"],
  ])("is left to one if more cannot do it, with a remark: %s", async (options, reason) => {
    const args = [...trafficArguments(), "--format", "summary", ...options.split(" ")];
    const one = await run(...args, "--threads", "1");
    const two = await run(...args, "--threads", "2");
    expect(two.stderr).toBe(`moul-dissect: --threads 2: printing with one thread, because ${reason}\n${one.stderr}`);
    expect({ ...two, stderr: "" }).toEqual({ ...one, stderr: "" });
    expect(await run(...args, "--threads", "2", "--quiet")).toEqual({ ...one, stderr: "" });
  });

  it("is left to one if the capture is read from a pipe", async () => {
    const args = [program, "-", "--keys", traffic.keys, "--sdl", traffic.sdl, "--json"];
    const outcomes = ["1", "2"].map((count) => {
      const child = spawn(process.execPath, [...args, "--threads", count], { env: {} });
      child.stdin.end(readFileSync(traffic.capture));
      return ended(child);
    });
    const [one, two] = await Promise.all(outcomes);
    expect(two?.stderr).toContain("--threads 2: printing with one thread, because an input can be read only once\n");
    expect({ ...two, stderr: "" }).toEqual({ ...one, stderr: "" });
  });

  it.runIf(isPosix).each([
    ["--keys", () => traffic.keys],
    ["--sdl", () => traffic.sdl],
  ])("is left to one where %s are read from a pipe", async (option, path) => {
    const args = [...trafficArguments(), "--json"];
    const one = await run(...args, "--threads", "1");
    const pipe = join(folder, `pipe${option}`);
    spawnSync("mkfifo", [pipe]);
    spawn("sh", ["-c", 'cat "$0" > "$1"', path(), pipe]);
    const two = await run(...args.map((word) => (word === path() ? pipe : word)), "--threads", "2");
    expect(two.stderr).toContain("--threads 2: printing with one thread, because an input can be read only once\n");
    expect({ ...two, stderr: "" }).toEqual({ ...one, stderr: "" });
  });

  it("is the same in a file", async () => {
    const [one, two] = [join(folder, "one.jsonl"), join(folder, "two.jsonl")];
    await run(...trafficArguments(), "--json", "--threads", "1", "-o", one);
    expect(await run(...trafficArguments(), "--json", "--threads", "2", "-o", two)).toMatchObject({ code: 0 });
    expect(readFileSync(two).equals(readFileSync(one))).toBe(true);
  });
});

describe("a run with several threads", () => {
  it("ends when its reader has gone", async () => {
    const args = [program, ...trafficArguments(), "--json", "--threads", "2"];
    const child = spawn(process.execPath, args, { env: {} });
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await ended(child);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("waits for a slow reader", async () => {
    const one = await run(...trafficArguments(), "--format", "json-tree", "--threads", "1");
    const child = spawn(process.execPath, [program, ...trafficArguments(), "--format", "json-tree", "--threads", "2"], {
      env: {},
    });
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), 800);
    expect(await ended(child)).toEqual(one);
  });

  it.runIf(isPosix)("keeps what it has when it is interrupted", async () => {
    const place = mkdtempSync(join(folder, "interrupted-"));
    const path = join(place, "out.jsonl");
    const captures = Array<string>(100).fill(traffic.capture);
    const args = [program, ...captures, "--keys", traffic.keys, "--json", "--threads", "2", "-o", path];
    const child = spawn(process.execPath, args, { env: {}, stdio: ["ignore", "pipe", "pipe"] });
    const end = ended(child);
    // Once the file that becomes this one has content, it is at work.
    const isAtWork = () => readdirSync(place).some((name) => statSync(join(place, name)).size > 0);
    while (!isAtWork()) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGINT");
    expect((await end).stderr).not.toContain("changed");
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).number)).toEqual(lines.map((_, index) => index + 1));
  });

  it("names a dissector that fails only in printing", async () => {
    const dissector = failing("printed");
    const capture = sample("example-dissector/parley.pcap");
    const { code, stderr } = await run(capture, "--json", "--dissector", dissector, "--threads", "2");
    expect(code).toBe(70);
    expect(stderr).toContain('the dissector "evil" failed');
    expect(stderr).toContain("boom");
  });

  it("says so if the threads have not found the same", async () => {
    const capture = sample("example-dissector/parley.pcap");
    const { code, stderr } = await run(capture, "--json", "--dissector", failing("found"), "--threads", "2");
    expect(code).toBe(2);
    expect(stderr).toContain("changed while it was being read");
  });

  it("is complete if no other thread can be started", async () => {
    const capture = sample("example-dissector/parley.pcap");
    const one = await run(capture, "--json", "--dissector", failing("loaded"), "--threads", "1");
    expect(one.code).toBe(0);
    expect(await run(capture, "--json", "--dissector", failing("loaded"), "--threads", "2")).toEqual(one);
  });

  it("ends with an internal error if a thread is lost that has begun to print", async () => {
    const capture = sample("example-dissector/parley.pcap");
    const { code, stderr } = await run(capture, "--json", "--dissector", failing("lost"), "--threads", "2");
    expect(code).toBe(70);
    expect(stderr).toContain("lost thread");
  });

  it("does not take more threads than are of use", async () => {
    const { code, stderr } = await run(traffic.capture, "--threads", "9");
    expect(code).toBe(1);
    expect(stderr).toContain("More than 8 would be of no use");
  });
});

/** A dissector of words that behaves differently in the helping thread, which gets to the first message first. */
function failing(where: "loaded" | "printed" | "found" | "lost"): string {
  const schema = pathToFileURL(createRequire(import.meta.url).resolve("moul-dissect/schema")).href;
  const path = join(folder, `${where}.mjs`);
  // It signals that it is about to reach the first message, and is given the time to do so.
  const sign = JSON.stringify(`${path}.begun-${Math.random()}`);
  const wait = `
    const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    if (!isMainThread) writeFileSync(${sign}, "");
    else {
      while (!existsSync(${sign})) pause(20);
      pause(200);
    }`;
  const value = {
    loaded: "1",
    printed: `{ if (!isMainThread) throw new Error("boom"); return 1; }`,
    found: "1",
    // Nobody handles this rejection, which ends the thread.
    lost: `{ if (!isMainThread) Promise.reject(new Error("lost thread")); return 1; }`,
  };
  writeFileSync(
    path,
    `import { existsSync, writeFileSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    import { struct, text } from ${JSON.stringify(schema)};
    ${where === "loaded" ? 'if (!isMainThread) throw new Error("boom");' : ""}
    const value = { name: "value", doc: "", schema: {}, of: () => ${value[where]} };
    const Word = struct("Word", { text: text(4) }, { derived: [value] });
    let words = 0;
    const conversation = {
      protocol: "evil",
      encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
      next: () => {
        words++;
        return ${where === "found" ? "!isMainThread && words > 2" : "false"}
          ? { step: "encrypted", reason: "is not for everybody" }
          : { step: "message", type: Word };
      },
    };
    export default {
      name: "evil",
      protocols: ["evil"],
      types: new Map([["Word", Word]]),
      recognise: () => "yes",
      open: () => { ${where === "loaded" ? "" : wait} return conversation; },
    };`,
  );
  return path;
}
