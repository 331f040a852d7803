import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { uncheckedRun } from "../../support/command-line.js";
import { buildProgram } from "../../support/installed-program.js";
import { sample } from "../../support/samples.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
let program = "";
beforeAll(() => {
  program = buildProgram(folder);
}, 60_000);

const capture = readFileSync(sample("dirtsand-session.pcap"));
const keys = ["--keys", sample("dirtsand-session.keys")];

function keyLines(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("MOUL_RC4"));
}

/** Waits until a file has this many keys. */
async function until(log: string, count: number): Promise<void> {
  const found = () => (existsSync(log) ? keyLines(readFileSync(log, "utf8")).length : 0);
  for (let waited = 0; found() < count; waited += 10) {
    if (waited > 20_000) throw new Error(`after twenty seconds there are ${found()} keys instead of ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// Windows has no signal that a program could send: Ctrl-C is that of a console there.
describe.skipIf(process.platform === "win32")("keys --follow (skipped on Windows)", () => {
  test("writes each key as soon as it is known, while the capture and its connections go on", async () => {
    const recording = join(folder, "recording.pcap");
    const log = join(folder, "live.keylog");
    const whole = await uncheckedRun(["keys", sample("dirtsand-session.pcap"), ...keys]);
    // The first connections have begun by then, and none to the game server has ended.
    const cut = Math.floor(capture.length / 3);
    writeFileSync(recording, capture.subarray(0, cut));
    const child = spawn(process.execPath, [program, "keys", recording, ...keys, "--follow", "-o", log], { env: {} });
    const said: Buffer[] = [];
    child.stderr.on("data", (bytes: Buffer) => said.push(bytes));
    const exit = new Promise((resolve) => child.on("close", resolve));
    await until(log, 1);
    const early = keyLines(readFileSync(log, "utf8"));
    appendFileSync(recording, capture.subarray(cut));
    await until(log, keyLines(whole.stdout).length);
    child.kill("SIGINT");
    expect(await exit, Buffer.concat(said).toString()).toBe(0);
    const late = keyLines(readFileSync(log, "utf8"));
    expect(early.length).toBeLessThan(late.length);
    expect([...late].sort()).toEqual(keyLines(whole.stdout).sort());
  }, 60_000);

  test("ends when another recording takes the place of the file", async () => {
    const recording = join(folder, "again.pcap");
    const log = join(folder, "again.keylog");
    writeFileSync(recording, capture);
    const child = spawn(process.execPath, [program, "keys", recording, ...keys, "--follow", "-o", log], { env: {} });
    const exit = new Promise((resolve) => child.on("close", resolve));
    await until(log, 1);
    writeFileSync(recording, capture.subarray(0, 24));
    expect(await exit).toBe(0);
  }, 60_000);
});

describe("keys --follow refuses", () => {
  test("several captures", async () => {
    const { stderr, code } = await uncheckedRun(["keys", "a.pcap", "b.pcap", "--follow"]);
    expect(stderr).toContain("--follow follows one recording at a time");
    expect(code).toBe(1);
  });

  test("a file that is not there", async () => {
    const { stderr, code } = await uncheckedRun(["keys", join(folder, "missing.pcap"), "--follow"]);
    expect(stderr).toContain("there is no such file");
    expect(code).toBe(2);
  });
});
