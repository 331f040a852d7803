import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { MOST_WAITING } from "../../src/parallel/workers.js";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { rawPcapFile } from "../support/captures.js";
import { buildProgram } from "../support/installed-program.js";
import { oncePerName } from "../support/once.js";
import { TcpTalk } from "../support/packets.js";
import { isPosix } from "../support/platform.js";
import { DISTINCT_SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Several threads print what one prints: the same bytes, the same remarks, the same exit code. */

const folder = temporaryFolder();
let program = "";
let traffic: Traffic;
/** A capture that is older, and that no dissector of the program recognises. */
const strange = join(folder, "strange.pcap");
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  // About five batches of messages.
  traffic = makeTraffic(join(folder, "traffic"), { size: 240_000, pool: 1000, hasTwin: false });
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 7], [1, 1]);
  writeFileSync(strange, rawPcapFile([...talk.handshake(), talk.send(0, "echo")]));
}, 120_000);

/** The option of V8 to print what it can no longer take for granted, and what it prints once a buffer is transferred. */
const INVALIDATION = "--trace-protector-invalidation";
const DETACHING = "ArrayBufferDetaching";
const TRANSFER = "const one = new ArrayBuffer(8); structuredClone(one, { transfer: [one] })";
const showsInvalidation = spawnSync(process.execPath, [INVALIDATION, "-e", TRANSFER]).stdout.includes(DETACHING);

interface Ended {
  readonly code: number | null;
  readonly length: number;
  readonly digest: string;
  readonly stderr: string;
}

/** Returns a function that says what has been printed. */
function printed(stdout: Readable | null, stderr: Readable | null): () => Omit<Ended, "code"> {
  const hash = createHash("sha256");
  let length = 0;
  let text = "";
  stdout?.on("data", (chunk: Buffer) => {
    hash.update(chunk);
    length += chunk.length;
  });
  stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => ({ length, digest: hash.digest("hex"), stderr: text });
}

function ended(child: ChildProcess): Promise<Ended> {
  const all = printed(child.stdout, child.stderr);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...all() })));
}

function run(...args: readonly string[]): Promise<Ended> {
  return ended(spawn(process.execPath, [program, ...args], { env: {} }));
}

/**
 * Runs the program in this process, with the threads of the built one. What one thread prints is here sooner: others have
 * something to do only if it waits for them.
 */
async function runHere(...args: readonly string[]): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const all = printed(stdout, stderr);
  const worker = new URL("../src/cli/worker.js", pathToFileURL(program));
  const code = await main(args, { stdout, stderr, env: {}, worker });
  return { code, ...all() };
}

function trafficArguments(): string[] {
  return [traffic.capture, "--keys", traffic.keys, "--sdl", traffic.sdl];
}

/** Arguments with which all threads have something to do: at a strange capture, the main thread waits for the others. */
function together(count: number, place = folder): string[] {
  return [strange, "--threads", String(count), "--dissector", starter(count, place)];
}

/** What one thread prints in this process, found out once for the same arguments. */
const printedByOne = oncePerName((words) => runHere(strange, ...words.split("\0"), "--threads", "1"));

function byOne(...args: readonly string[]): Promise<Ended> {
  return printedByOne(args.join("\0"));
}

/** Compares what several threads print, all of which have something to do, with what one prints. */
async function expectTheSame(args: readonly string[], threads: readonly number[] = [2]): Promise<Ended> {
  const one = await byOne(...args);
  for (const count of threads) expect(await runHere(...together(count), ...args)).toEqual(one);
  return one;
}

describe("the output of two and three threads", () => {
  it("is the same as that of one: --json", async () => {
    const { code, length, stderr } = await expectTheSame([...trafficArguments(), "--json"], [2, 3]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(length).toBeGreaterThan(300_000);
  });

  it.each([
    ["--format json-tree", ""],
    ["--hex --time=relative", ""],
    ["--format summary -c 900", ""],
    ["--csv -e number -e playerId -e objectName", ""],
    ["--json -Y", "plNetMsgSDLStateBCast"],
    ["--json -Y", 'message == "nothing"'],
  ])("is the same as that of one: %s %s", async (words, last) => {
    const { code, stderr } = await expectTheSame([...trafficArguments(), ...words.split(" "), ...(last ? [last] : [])]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it.runIf(showsInvalidation)("never transfers a buffer, which would slow down every access to bytes", async () => {
    const file = join(folder, "printed.jsonl");
    // For a dissector in any other folder, some versions of Node.js start a thread that does transfer buffers.
    const starting = together(2, join(folder, "program"));
    const args = [...starting, ...trafficArguments(), "--json", "-o", file];
    const child = spawn(process.execPath, [INVALIDATION, program, ...args], { env: {} });
    let trace = "";
    child.stdout.on("data", (chunk: Buffer) => {
      trace += chunk.toString();
    });
    expect((await ended(child)).code).toBe(0);
    // Version 24 also prints what its own loader of packages does.
    expect(trace).not.toContain(DETACHING);
    expect(statSync(file).size).toBeGreaterThan(300_000);
  });

  it.each([
    ["ends before any thread can help", () => [sample("dirtsand-session.pcap")]],
    ["ends when threads may just have begun to help", trafficArguments],
  ])("is the same for a capture that %s", async (_, path) => {
    const one = await runHere(...path(), "--json", "--threads", "1");
    expect(await run(...path(), "--json", "--threads", "3")).toEqual(one);
    expect(one.length).toBeGreaterThan(1000);
  });

  it("is the same for several captures, one of them compressed", async () => {
    const packed = join(folder, "packed.pcap.gz");
    writeFileSync(packed, gzipSync(readFileSync(traffic.capture)));
    await expectTheSame([sample("nagus-plain.pcap"), packed, "--keys", traffic.keys, "--json"]);
  });

  it("is the same for everything that was recorded", async () => {
    const captures = DISTINCT_SESSIONS.map((name) => sample(name));
    const { code, length } = await expectTheSame([...captures, "--format", "json-tree", "--checksums"]);
    expect(code).toBe(0);
    expect(length).toBeGreaterThan(5_000_000);
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
    truncateSync(cut, 150_001);
    const { code, stderr } = await expectTheSame([cut, "--keys", traffic.keys, "--json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("the file ends inside");
  });

  it.each([
    ["--time delta", "with --time delta a line depends on the ones before it"],
    ["--color always", "the output goes to a terminal, or has colours"],
  ])("is left to one if more cannot do it, with a remark: %s", async (options, reason) => {
    const args = [...trafficArguments(), "--format", "summary", ...options.split(" ")];
    const one = await runHere(...args, "--threads", "1");
    const two = await runHere(...args, "--threads", "2");
    expect(two.stderr).toBe(`moul-dissect: --threads 2: printing with one thread, because ${reason}\n${one.stderr}`);
    expect({ ...two, stderr: "" }).toEqual({ ...one, stderr: "" });
    expect(await runHere(...args, "--threads", "2", "--quiet")).toEqual({ ...one, stderr: "" });
  });

  it("is the same if the capture is read from a pipe", async () => {
    const args = ["-", "--keys", traffic.keys, "--sdl", traffic.sdl, "--json"];
    const threads = [[strange, "--threads", "1"], together(2)];
    const outcomes = threads.map((options) => {
      const child = spawn(process.execPath, [program, ...options, ...args], { env: {} });
      child.stdin.end(readFileSync(traffic.capture));
      return ended(child);
    });
    const [one, two] = await Promise.all(outcomes);
    expect(one).toMatchObject({ code: 0, stderr: "" });
    expect(two).toEqual(one);
  });

  it.runIf(isPosix)("is the same where keys and definitions are read from pipes", async () => {
    const args = [...trafficArguments(), "--json"];
    const one = await byOne(...args);
    const [keys, definitions] = [join(folder, "keys.pipe"), join(folder, "definitions.pipe")];
    spawnSync("mkfifo", [keys, definitions]);
    spawn("sh", ["-c", 'cat "$0" > "$1" & cat "$2" > "$3"', traffic.keys, keys, traffic.sdl, definitions]);
    const piped = [traffic.capture, "--keys", keys, "--sdl", definitions, "--json"];
    expect(await runHere(...together(2), ...piped)).toEqual(one);
  });

  it.each([
    ["differs in nothing", {}],
    ["changes the settings back", { conversation: "this.settings = count < 100 ? { isShort: true } : undefined;" }],
    [
      "changes the settings of a conversation",
      { conversation: "if (count === 100) this.settings = { isShort: true };" },
    ],
    [
      "changes what it has said of an earlier message",
      { conversation: 'this.me.player = { kind: "player", id: String(count) }; nodes.context = this.me;' },
      "--csv -e number -e conversation.player",
    ],
    ["says what only it can know of a message", { conversation: "nodes.context = { asks: true, then: () => count };" }],
    ["remembers something elsewhere", { isStateless: false, conversation: "seen = count;" }],
    ["has types of another one", { types: "new Map()" }],
  ] as readonly [string, Variant, string?][])(
    "is the same if a dissector %s",
    async (_, variant, format = "--json") => {
      const { types, ...rest } = variant;
      const first = talkative("first", rest);
      const second = talkative("second", { isStateless: rest.isStateless ?? true, ...(types && { types }) });
      const args = ["--dissector", first, "--dissector", second, talks()];
      expect(await expectTheSame([...args, ...format.split(" ")])).toMatchObject({ code: 0, stderr: "" });
    },
  );

  it("is the same if one prints more than may wait while another is still busy with an earlier batch", async () => {
    const { length } = await expectTheSame([pages(), "--json", "--dissector", book("slow")], [3]);
    expect(length).toBeGreaterThan(MOST_WAITING + 2 * PAGE);
  });

  it("is the same in a file", async () => {
    const path = join(folder, "two.jsonl");
    const one = await byOne(...trafficArguments(), "--json");
    expect(await runHere(...together(2), ...trafficArguments(), "--json", "-o", path)).toMatchObject({ code: 0 });
    expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(one.digest);
  });
});

describe("a run with several threads", () => {
  it("ends when its reader has gone", async () => {
    const args = [program, ...together(2), ...trafficArguments(), "--json"];
    const child = spawn(process.execPath, args, { env: {} });
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await ended(child);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("waits for a slow reader", async () => {
    const args = [...trafficArguments(), "--format", "json-tree"];
    const one = await byOne(...args);
    const child = spawn(process.execPath, [program, ...together(2), ...args], { env: {} });
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
    expect((await end).stderr).toBe("");
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).number)).toEqual(lines.map((_, index) => index + 1));
  });

  it("names a dissector that fails only in printing", async () => {
    const dissector = failing("printed");
    const capture = sample("example-dissector/parley.pcap");
    const { code, stderr } = await runHere(capture, "--json", "--dissector", dissector, "--threads", "2");
    expect(code).toBe(70);
    expect(stderr).toContain('the dissector "evil" failed');
    expect(stderr).toContain("boom");
  });

  it("names a dissector that does not declare the same in all threads", async () => {
    const capture = sample("example-dissector/parley.pcap");
    const { code, stderr } = await runHere(capture, "--json", "--dissector", failing("declared"), "--threads", "2");
    expect(code).toBe(70);
    expect(stderr).toContain("Word is not declared alike in all threads");
  });

  it("is complete if no other thread can be started", async () => {
    const capture = sample("example-dissector/parley.pcap");
    const one = await runHere(capture, "--json", "--dissector", failing("loaded"), "--threads", "1");
    expect(one.code).toBe(0);
    expect(await runHere(capture, "--json", "--dissector", failing("loaded"), "--threads", "2")).toEqual(one);
  });

  it("ends with an internal error if a thread is lost that has begun to print", async () => {
    const capture = sample("example-dissector/parley.pcap");
    const { code, stderr } = await run(capture, "--json", "--dissector", failing("lost"), "--threads", "2");
    expect(code).toBe(70);
    expect(stderr).toContain("a thread that prints has ended too early");
  });

  it("ends at once if a thread is lost while a capture is recorded", async () => {
    const child = spawn(process.execPath, [program, "-", "--json", "--dissector", failing("lost"), "--threads", "2"]);
    const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 7], [1, 1]);
    const packets = [...talk.handshake(), ...Array.from({ length: 1000 }, () => talk.send(0, "word"))];
    const capture = rawPcapFile(packets);
    let written = 2000;
    child.stdin.on("error", () => {});
    child.stdin.write(capture.subarray(0, written));
    const recording = setInterval(() => {
      child.stdin.write(capture.subarray(written, written + 100));
      written += 100;
    }, 50);
    const { code, stderr } = await ended(child);
    clearInterval(recording);
    expect(code).toBe(70);
    expect(stderr).toContain("a thread that prints has ended too early");
  });

  it("ends with an internal error if one of three threads is lost, whose text the other one waits for", async () => {
    const { code, stderr } = await run(...together(3), pages(), "--json", "--dissector", book("lost"));
    expect(code).toBe(70);
    expect(stderr).toContain("lost thread");
  });

  it("does not take more threads than are of use", async () => {
    const { code, stderr } = await runHere(traffic.capture, "--threads", "9");
    expect(code).toBe(1);
    expect(stderr).toContain("More than 8 would be of no use");
  });
});

/** A dissector that recognises nothing, and lets the main thread begin once the others have started. */
function starter(threads: number, parent: string): string {
  const place = mkdtempSync(join(parent, "starter-"));
  const path = join(place, "starter.mjs");
  writeFileSync(
    path,
    `import { readdirSync, writeFileSync } from "node:fs";
    import { isMainThread, threadId } from "node:worker_threads";
    const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    const begun = () => readdirSync(${JSON.stringify(place)}).filter((name) => name.startsWith("begun-")).length;
    if (!isMainThread) writeFileSync(${JSON.stringify(join(place, "begun-"))} + threadId, "");
    let hasBegun = false;
    export default {
      name: "starter",
      protocols: ["starter"],
      types: new Map(),
      recognise: () => {
        if (!hasBegun) {
          while (begun() < ${threads - 1}) pause(5);
          pause(150);
        }
        hasBegun = true;
        return "no";
      },
      open: () => {},
    };`,
  );
  return path;
}

/** The length of a page in bytes, which is a batch of its own. */
const PAGE = 45_000;
/** So many pages have more JSON than may wait to be written. */
const PAGES = 220;

/** A capture of pages. */
function pages(): string {
  const path = join(folder, "pages.pcap");
  if (existsSync(path)) return path;
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 8], [1, 1]);
  const packets = talk.handshake();
  for (let page = 0; page < PAGES; page++) packets.push(talk.send(0, new Uint8Array(PAGE).fill(page === 0 ? 1 : 2)));
  writeFileSync(path, rawPcapFile(packets));
  return path;
}

/** A dissector of pages. The thread that prints the first one takes its time over it, or is lost. */
function book(first: "slow" | "lost"): string {
  const path = join(folder, `${first}-book.mjs`);
  const fate = {
    slow: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)",
    // Nobody handles this rejection, which ends the thread.
    lost: 'Promise.reject(new Error("lost thread"))',
  };
  writeFileSync(
    path,
    `import { bytes, struct, u8 } from ${schemaModule()};
    const value = {
      name: "value",
      doc: "",
      schema: {},
      of: (page) => {
        if (page.numberIn(0, "kind") === 1) ${fate[first]};
        return 1;
      },
    };
    const Page = struct("Page", { kind: u8, content: bytes(${PAGE - 1}) }, { derived: [value] });
    export default {
      name: "book",
      isStateless: true,
      protocols: ["book"],
      types: new Map([["Page", Page]]),
      recognise: ({ server }) => (server.port === 8 ? "yes" : "no"),
      open: () => ({
        protocol: "book",
        encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
        next: () => ({ step: "message", type: Page }),
      }),
    };`,
  );
  return path;
}

/** How a dissector differs from one that every thread can repeat. */
interface Variant {
  readonly isStateless?: boolean;
  /** What it does after each message, the `count`th, which has `nodes`. */
  readonly conversation?: string;
  /** The types that the second of two lists. */
  readonly types?: string;
}

/** A capture of 600 words each for two dissectors. */
function talks(): string {
  const path = join(folder, "talks.pcap");
  const packets = [9, 10].flatMap((port) => {
    const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", port], [1, 1]);
    return [...talk.handshake(), ...Array.from({ length: 600 }, () => talk.send(0, "word"))];
  });
  writeFileSync(path, rawPcapFile(packets));
  return path;
}

/** A dissector of words, of which both have the same types. */
function talkative(which: "first" | "second", variant: Variant = {}): string {
  const { isStateless = true, conversation = "", types = 'new Map([["Word", Word]])' } = variant;
  const shared = join(folder, "words.mjs");
  writeFileSync(
    shared,
    `import { resolved, struct, text } from ${schemaModule()};
    export const state = { seen: 0 };
    const value = { name: "value", doc: "", schema: {}, of: () => state.seen };
    const [short, long] = [struct("Short", { text: text(4) }), struct("Long", { words: text(4) })];
    const content = resolved((_, settings) => (settings?.isShort ? short : long));
    export const Word = struct("Word", { content }, { derived: [value] });`,
  );
  const path = join(mkdtempSync(join(folder, "talkative-")), `${which}.mjs`);
  writeFileSync(
    path,
    `import { state, Word } from ${JSON.stringify(pathToFileURL(shared).href)};
    export default {
      name: "${which}",
      isStateless: ${isStateless},
      protocols: ["${which}"],
      types: ${types},
      recognise: ({ server }) => (server.port === ${which === "first" ? 9 : 10} ? "yes" : "no"),
      open: () => {
        let count = 0;
        state.seen = 0;
        return {
          protocol: "${which}",
          me: {},
          encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
          next: () => ({ step: "message", type: Word }),
          decoded(_direction, _type, nodes) {
            count++;
            ${conversation.replace("seen", "state.seen")}
          },
        };
      },
    };`,
  );
  return path;
}

/** The module with the schema language, as a string of JavaScript. */
function schemaModule(): string {
  return JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve("moul-dissect/schema")).href);
}

/** A dissector of words that behaves differently in the worker, for which the main thread waits. */
function failing(where: "loaded" | "printed" | "declared" | "lost"): string {
  const path = join(folder, `${where}.mjs`);
  const sign = JSON.stringify(`${path}.begun-${Math.random()}`);
  const wait = `
    const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    while (!existsSync(${sign})) pause(20);
    pause(150);`;
  const value = {
    loaded: "1",
    printed: `{ if (!isMainThread) throw new Error("boom"); return 1; }`,
    declared: "1",
    // In a thread, this ends only the thread.
    lost: `{ if (!isMainThread) process.exit(); return 1; }`,
  };
  writeFileSync(
    path,
    `import { existsSync, writeFileSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    import { struct, text } from ${schemaModule()};
    ${where === "loaded" ? 'if (!isMainThread) throw new Error("boom");' : ""}
    const value = { name: "value", doc: "", schema: {}, of: () => ${value[where]} };
    if (!isMainThread) writeFileSync(${sign}, "");
    const fields = ${where === "declared" ? "!isMainThread" : "false"} ? { half: text(2), rest: text(2) } : { text: text(4) };
    const Word = struct("Word", fields, { derived: [value] });
    const conversation = {
      protocol: "evil",
      encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
      next: () => ({ step: "message", type: Word }),
    };
    export default {
      name: "evil",
      isStateless: true,
      protocols: ["evil"],
      types: new Map([["Word", Word]]),
      recognise: () => "yes",
      open: () => { ${where === "loaded" ? "" : wait} return conversation; },
    };`,
  );
  return path;
}
