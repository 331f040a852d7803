import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { type Ended, ended } from "../support/ended.js";
import { buildProgram } from "../support/installed-program.js";
import { keyFiles, MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

/** What the program does with the streams of its process. */

const folder = temporaryFolder();
const file = filesIn(folder);

const pings = ping(ping(ping(new MoulTalk("auth", { encryption: "none" }).opens())));
const CLEAN = file("clean.pcap", rawPcapFile(packetsOf(pings)));
const WRONG_KEYS = file("wrong.ini", keyFiles.dirtsand({ auth: "another" }));

describe("the installed program", () => {
  let program = "";

  beforeAll(() => {
    program = buildProgram(join(folder, "installed"));
  }, 60_000);

  /** Runs the program; its reader goes away after this many lines. */
  function start(args: readonly string[], input: Uint8Array = new Uint8Array(0), lines = Infinity): Promise<Ended> {
    const child = spawn(process.execPath, [program, ...args], { env: {} });
    let seen = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString().split("\n").length - 1;
      if (seen >= lines) {
        child.stdout.destroy();
        child.stderr.destroy();
      }
    });
    // The program need not read all of it.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    return ended(child);
  }

  it("says its version without loading the rest of itself", async () => {
    const bare = join(folder, "bare");
    cpSync(join(folder, "installed"), bare, { recursive: true });
    rmSync(join(bare, relative(join(folder, "installed"), program), "../../shared/messages.js"));
    const child = spawn(process.execPath, [join(bare, relative(join(folder, "installed"), program)), "--version"]);
    expect(await ended(child)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w.]+\n$/), stderr: "" });
  });

  it("ends, with all that it prints, although a dissector has left a timer", async () => {
    const dissector = file(
      "timer.mjs",
      `setInterval(() => {}, 1000);
      export default {
        name: "timer", protocols: [], types: new Map(), recognise: () => "no", open: () => { throw new Error(); },
      };`,
    );
    const plain = await start([CLEAN, "--json"]);
    expect(plain.stdout).not.toBe("");
    expect(await start([CLEAN, "--json", "--dissector", dissector])).toEqual(plain);
    expect(await start([file("empty.pcap", new Uint8Array(0)), "--dissector", dissector])).toMatchObject({ code: 2 });
    // A reader that takes its time.
    const child = spawn(process.execPath, [program, "schema", "--dissector", dissector], { env: {} });
    await setTimeout(1000);
    const { stdout } = await start(["schema"]);
    expect((await ended(child)).stdout).toBe(stdout);
  });

  it("keeps compiled code, and does without it if it is damaged", async () => {
    const kept = join(program, "../../compiled");
    const runAgain = () => ended(spawn(process.execPath, [program, CLEAN], { env: {} }));
    const filesOfCode = () =>
      readdirSync(kept, { recursive: true, encoding: "utf8" })
        .map((path) => join(kept, path))
        .filter((path) => path.endsWith(".code"));
    const first = await runAgain();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const files = filesOfCode();
    expect(files.map((path) => basename(path).replace(/-.*/, "")).sort()).toEqual(["messages", "schema"]);
    const contents = files.map((path) => readFileSync(path));
    expect(await runAgain()).toEqual(first);
    expect(files.map((path) => readFileSync(path))).toEqual(contents);
    const damaged = Buffer.from(contents[0] ?? []);
    damaged.fill(0x55, 5000, 6000);
    for (const [index, path] of files.entries()) {
      writeFileSync(path, index === 0 ? damaged : readFileSync(path).subarray(0, 1000));
    }
    expect(await runAgain()).toEqual(first);
    expect(await runAgain()).toEqual(first);
    expect(files.map((path) => readFileSync(path).length > 1000 && !readFileSync(path).equals(damaged))).toEqual([
      true,
      true,
    ]);
  });

  it("reads standard input", async () => {
    const expected = (await run([CLEAN])).stdout;
    expect(await start(["-"], readFileSync(CLEAN))).toEqual({ code: 0, stdout: expected, stderr: "" });
    const cut = await start(["-"], readFileSync(CLEAN).subarray(0, 720));
    expect(cut).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("standard input: the file ends inside frame"),
    });
    expect(cut.stdout).not.toBe("");
    expect(await start(["-"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "moul-dissect: standard input: the file is empty\n",
    });
  });

  it("leaves standard input alone unless it is to read it: a program that shares it could not", async () => {
    // Opening it takes no more than looking at it.
    const watch = join(folder, "watch.cjs");
    writeFileSync(
      watch,
      `const { get } = Object.getOwnPropertyDescriptor(process, "stdin");
      const opened = () => {
        console.error("opened");
        return get.call(process);
      };
      Object.defineProperty(process, "stdin", { get: opened, configurable: true, enumerable: true });`,
    );
    const watched = (...args: readonly string[]) =>
      ended(spawn(process.execPath, ["--require", watch, program, ...args], { env: {} }));
    expect((await watched(CLEAN, "--json")).stderr).toBe("");
    expect((await watched("stats", CLEAN)).stderr).toBe("");
    const reading = spawn(process.execPath, ["--require", watch, program, "-"], { env: {} });
    reading.stdin.end(readFileSync(CLEAN));
    expect((await ended(reading)).stderr).toMatch(/^opened\n/);
  });

  it("compares a capture with lines from standard input", async () => {
    const lines = (await run([CLEAN, "--json"])).stdout;
    expect(await start(["check", CLEAN, "--expect", "-"], Buffer.from(lines))).toMatchObject({ code: 0, stderr: "" });
    const fewer = lines.replace(/.*\n/, "");
    expect(await start(["check", CLEAN, "--expect", "-"], Buffer.from(fewer))).toMatchObject({ code: 4 });
    const { stderr } = await start(["check", CLEAN, "--expect", "-"], Buffer.from("{}\n"));
    expect(stderr).toMatch(/^moul-dissect: standard input:1: "schema" must be one of/);
  });

  it("ends quietly when the readers of its output and remarks go away", async () => {
    const captures = Array.from({ length: 30 }, () => sample("nagus-session.any.pcap"));
    const { code, stderr } = await start([...captures, "--keys", WRONG_KEYS], undefined, 3);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
