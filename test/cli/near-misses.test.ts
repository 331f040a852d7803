import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { sample } from "../support/samples.js";

const CAPTURE = sample("dirtsand-session.pcap");

describe("an option or a format that does not exist, but might", () => {
  it.each([
    [["--stream", "5"], '-Y "stream == 5"'],
    [["--follow", "5"], "moul-dissect follow --stream 5"],
    [["--summary"], "--format summary"],
    [["--format", "csv"], "--csv"],
    [["--format", "ndjson"], "--format json"],
    [["--format", "pcapng"], "decrypt"],
    [["--no-color"], "--color never"],
  ])("%j leads to %s", async (args, hint) => {
    const { code, stdout, stderr } = await run([CAPTURE, ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const [, second = ""] = stderr.split("\n");
    expect(second.startsWith("(") && second.endsWith(")")).toBe(true);
    expect(second).toContain(hint);
    expect(stderr).not.toContain("Did you mean");
  });

  it("has no hint that another command has no use for", async () => {
    expect((await run(["stats", CAPTURE, "--format", "csv"])).stderr).not.toContain("--csv");
  });

  it("that is only misspelled still leads to the right one", async () => {
    expect((await run([CAPTURE, "--colums", "time"])).stderr).toContain("Did you mean --columns?");
  });
});

describe("the name of the program alone", () => {
  it("prints the help on a terminal", async () => {
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
    expect(await main([], { stdout, stderr, env: {} })).toBe(1);
    expect(stdout.text).toMatch(/^Usage: moul-dissect .*--columns <names>/s);
    expect(stderr.text).toBe("");
  });

  it("is a usage error in a script", async () => {
    expect(await run([])).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("missing required") });
  });
});

describe("single quotes that cmd.exe has passed on", () => {
  const HINT = /^\(the single quotes were passed on, .* use double ones/m;

  it.each([
    [[CAPTURE, "-Y", "'result", "!=", "kNetSuccess'"]],
    [[CAPTURE, "--filter='number==3'"]],
    [[CAPTURE, "--color-filter", "'number", ">", "3=red'"]],
    [["find", "'Old", "Tree'", CAPTURE]],
  ])("%j: the hint says so", async (args) => {
    const { code, stderr } = await run(args);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(HINT);
  });

  it("are no matter where all went well, or where there are none", async () => {
    expect((await run(["find", "'Shorah'", CAPTURE])).stderr).not.toMatch(HINT);
    expect((await run([CAPTURE, "-Y", "reslt == 'x'"])).stderr).not.toMatch(HINT);
  });
});
