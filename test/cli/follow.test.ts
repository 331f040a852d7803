import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

function follow(...args: readonly string[]) {
  return run(["follow", ...args]);
}

describe("follow", () => {
  it("writes the bytes of one direction as they are", async () => {
    const path = join(folder, "raw.bin");
    const args = ["--stream", "2", "--as", "raw", "--direction", "s2c", "-o", path];
    expect(await follow(sample("dirtsand-session.pcap"), ...args)).toEqual({ code: 0, stdout: "", stderr: "" });
    const { stdout } = await run(["streams", sample("dirtsand-session.pcap"), "--json"]);
    const stream = JSON.parse(stdout.split("\n")[2] ?? "");
    // The file server does not encrypt: the bytes are those that were captured.
    expect(stream.encryption).toBe("none");
    expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(stream.s2c.sha256);
  });

  it("shows one direction on request", async () => {
    const { stdout } = await follow(sample("dirtsand-session.pcap"), "--stream", "0", "--direction", "s2c");
    expect(stdout).toMatch(/^< #/m);
    expect(stdout).not.toMatch(/^> #/m);
  });

  it("reports what it cannot decrypt on standard error, in raw form", async () => {
    const capture = sample("dirtsand-session.pcap");
    const wrong = ["--keys", sample("keys/nagus/nagus_config.ini")];
    const { stdout } = await follow(capture, "--stream", "0", "-q", ...wrong);
    expect(stdout).toMatch(/\[encrypted: \d+ bytes encrypted, and .*key/);
    const raw = await follow(capture, "--stream", "0", "--as", "raw", "--direction", "c2s", ...wrong);
    expect(raw.stderr).toMatch(/c2s, offset 117: encrypted/);
  });

  it("keeps captured text from controlling the terminal, or looking like a heading", async () => {
    const { stdout } = await follow(sample("dirtsand-session.pcap"), "--stream", "2");
    for (const line of stdout.split("\n")) expect(line).toMatch(/^(?:[<>] #\d+ \d{4}-| {2}|$)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it.each([
    [["--stream", "0", "--as", "raw"], /one direction/],
    [["--stream", "99"], /there is no stream 99/],
    [["--stream", "x"], /number/],
    [[], /required option '--stream/],
  ])("refuses %j", async (args, words) => {
    const { code, stdout, stderr } = await follow(sample("dirtsand-session.pcap"), ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(words);
  });

  it("writes no raw bytes to a terminal", async () => {
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
    const args = ["follow", sample("dirtsand-session.pcap"), "--stream", "0", "--as", "raw", "--direction", "c2s"];
    expect(await main(args, { stdout, stderr, env: {} })).toBe(1);
    expect(stdout.text).toBe("");
    expect(stderr.text).toContain("refusing to write raw bytes to a terminal");
  });
});
