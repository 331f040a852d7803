import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { uncheckedRun } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";
import { isPosix } from "../support/platform.js";
import { ranProgram } from "../support/program-run.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `stats` with several threads: the same output, remarks and exit code as with one. */

const folder = temporaryFolder();
let program = "";
let traffic: Traffic;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  traffic = makeTraffic(join(folder, "traffic"), { size: 600_000, pool: 500, hasTwin: false });
}, 120_000);

const stats = (args: readonly string[]) => ranProgram(program, ["stats", ...args]);
/** What one thread counts, in this process: another one would have to start, and compile all of the program. */
const byOne = (args: readonly string[]) => uncheckedRun(["stats", ...args, "--threads", "1"]);
const own = () => [traffic.capture, "--keys", traffic.keys, "--sdl", traffic.sdl];

describe("the statistics of several threads", () => {
  it.each([
    ["as text", () => own(), [3]],
    ["as JSON, of what passes a filter", () => [...own(), "--json", "-Y", 'objectName contains "a" or moul.auth'], [2]],
    ["of each capture, without keys", () => [traffic.capture, sample("dirtsand-plain.pcap"), "--each"], [2]],
    ["of several, one of which is none", () => [...own(), sample("README.md")], [2]],
  ])("are those of one: %s", async (_what, args, threads) => {
    const one = await byOne(args());
    expect(one.stdout).not.toBe("");
    for (const count of threads) expect(await stats([...args(), "--threads", String(count)])).toEqual(one);
  });

  it.each([
    ["a capture can be read only once", ["-"]],
    ["a dissector is not built in", [sample("example-dissector/parley.pcap"), "--dissector", "parley.js"]],
    ["the order of messages is uncertain", [sample("bz107e-ctf.pcap")]],
    ['the limit "countedKeys" was reached', [sample("dirtsand-plain.pcap"), "--limit", "countedKeys=3"]],
    ['the limit "nameLength" was reached', [sample("dirtsand-plain.pcap"), "--limit", "nameLength=3"]],
  ])("are counted by one where that may make a difference: %s", async (why, args) => {
    const paths = args.map((word) => (word === "parley.js" ? sample("example-dissector/parley.js") : word));
    const one = await stats([...paths, "--threads", "1"]);
    const two = await stats([...paths, "--threads", "2"]);
    expect(two.stdout).toBe(one.stdout);
    const remark = `moul-dissect: --threads 2: counting with one thread, because ${why}\n`;
    expect(two.stderr).toBe(`${remark}${one.stderr}`);
  });

  it("are those of one where a filter asks for names that messages of other conversations bring", async () => {
    const args = [...own(), "--json", "-Y", 'names.name == "Atrus"'];
    const one = await byOne(args);
    expect(JSON.parse(one.stdout).messages.count).toBeGreaterThan(0);
    expect((await stats([...args, "--threads", "2"])).stdout).toBe(one.stdout);
  });

  it.runIf(isPosix)(
    "are printed as they are at Ctrl-C",
    async () => {
      const large = makeTraffic(join(folder, "large"), { size: 30_000_000, hasTwin: false });
      const args = [program, "stats", large.capture, "--keys", large.keys, "--json", "--threads", "2"];
      const child = spawn(process.execPath, args, { env: {} });
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      const code = new Promise((resolve) => child.on("close", resolve));
      setTimeout(() => child.kill("SIGINT"), 900);
      expect(await code).toBe(0);
      const { complete, messages } = JSON.parse(stdout);
      expect(complete).toBe(false);
      expect(messages.count).toBeLessThan(large.messages);
    },
    60_000,
  );

  it("are counted again if a thread fails", async () => {
    const copy = buildProgram(join(folder, "broken"));
    writeFileSync(join(copy, "../../src/cli/dividing/counting-worker.js"), "throw new Error('no');");
    const { code, stdout } = await ranProgram(copy, ["stats", ...own(), "--threads", "2"]);
    expect(code).toBe(0);
    expect(stdout).toBe((await byOne(own())).stdout);
  });
});
