import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../../support/command-line.js";
import { modesCount } from "../../support/platform.js";
import { sample } from "../../support/samples.js";
import { linesOf, recordings } from "./support/recordings.js";

const { capture, file } = recordings();

describe("an expectation that cannot be used", () => {
  it.runIf(modesCount)("is named if permission to read it is denied", async () => {
    const path = capture("session");
    const expectation = file("session.expected.jsonl");
    writeFileSync(expectation, "", { mode: 0 });
    const { code, stderr } = await run(["check", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${expectation}: the file cannot be read: permission denied`);
  });

  it.each([
    ["{}", 'lines.jsonl:3: "schema" must be one of'],
    ["[", "lines.jsonl:3: this is not JSON: "],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "lines.jsonl:3: this is not a JSON object"],
    ['{"schema":"moul-dissect.stream/1"}', 'lines.jsonl:3: "schema" must be one of'],
  ])("is refused, with the line: %#", async (line, reason) => {
    const path = file("lines.jsonl");
    const old = capture("old");
    await run(["check", old, "--expect", path, "--update"]);
    const [first, ...others] = linesOf(path);
    writeFileSync(path, [first, "", line, ...others].join("\n"));
    const { code, stdout, stderr } = await run(["check", old, "--expect", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
  });

  it("is reported if it is a folder", async () => {
    const { code, stderr } = await run(["check", capture("old"), "--expect", file(".")]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file(".")}: `);
  });

  it("may be nested to any depth", async () => {
    const path = file("lines.jsonl");
    const old = capture("old");
    await run(["check", old, "--expect", path, "--update"]);
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    writeFileSync(path, readFileSync(path, "utf8").replace('"buildId":918', `"buildId":${deep},"x":${deep}`));
    const { code, stderr } = await run(["check", old, "--expect", path]);
    expect([2, 4]).toContain(code);
    expect(stderr).not.toContain("internal error");
  });

  it("expects no messages if it is empty", async () => {
    const path = file("empty.jsonl");
    writeFileSync(path, "");
    const { code, stdout } = await run(["check", capture("old"), "--expect", path]);
    expect(code).toBe(4);
    expect(stdout).toContain("+ the whole conversation was not expected: 10 messages\n");
  });
});

describe("a folder", () => {
  it("is checked capture by capture, each with the files beside it", async () => {
    const recordings = file("recordings");
    mkdirSync(recordings);
    cpSync(sample("regression/login.pcap"), join(recordings, "a.pcap"));
    cpSync(sample("regression/changed/login.pcap"), join(recordings, "b.pcap"));
    cpSync(sample("regression/login.expected.jsonl"), join(recordings, "a.expected.jsonl"));
    writeFileSync(join(recordings, "notes.txt"), "milk\n");
    mkdirSync(join(recordings, "older.pcap"));
    const missing = await run(["check", recordings]);
    expect(missing.code).toBe(2);
    expect(missing.stdout).toBe(`${join(recordings, "a.pcap")}: 14 messages as expected\n`);
    expect(missing.stderr).toContain("there is no expectation");
    expect(missing.stderr).toContain("--update");
    cpSync(sample("regression/login.expected.jsonl"), join(recordings, "b.expected.jsonl"));
    const { code, stdout } = await run(["check", recordings]);
    expect(code).toBe(4);
    expect(stdout).toContain(`${join(recordings, "b.pcap")}: 1 difference in 14 messages\n`);
    expect(await run(["check", recordings, "--update"])).toMatchObject({ code: 0 });
    expect(await run(["check", join(recordings, "a.pcap"), recordings])).toMatchObject({ code: 0 });
  });
});

describe("an expectation on standard input", () => {
  it("is reported if it cannot be read to its end, which is not taken for the end of the expectation", async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from("\n");
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    }
    const { code, stderr } = await run(["check", capture("old"), "--expect", "-"], {}, Readable.from(failing()));
    expect(stderr).toContain("standard input: the file cannot be read: the disk or device failed");
    expect(code).toBe(2);
  });

  it("cannot be standard input if the capture is", async () => {
    const { code, stderr } = await run(["check", "-", "--expect", "-"]);
    expect(stderr).toContain("the capture and --expect cannot both be standard input");
    expect(code).toBe(1);
  });
});

describe("a capture that cannot be read, or only partly", () => {
  it("is reported if it is missing, with and without an expectation", async () => {
    const missing = file("nowhere.pcap");
    const stderr = `moul-dissect: ${missing}: there is no such file\n`;
    expect(await run(["check", missing])).toEqual({ code: 2, stdout: "", stderr });
    expect(await run(["check", missing, "--update"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(stderr),
    });
    expect(await run(["check", missing, "--expect", file("none.jsonl")])).toEqual({ code: 2, stdout: "", stderr });
    expect(await run(["check", missing, "--expect", capture("old")])).toEqual({ code: 2, stdout: "", stderr });
  });

  it("is reported, and compared as far as it can be read", async () => {
    const old = capture("old");
    expect(await run(["check", file("nowhere.pcap"), "--expect", old])).toMatchObject({ code: 2, stdout: "" });
    const cut = file("cut.pcap");
    writeFileSync(cut, readFileSync(old).subarray(0, -400));
    writeFileSync(`${cut}.keys`, readFileSync(`${old}.keys`));
    const { code, stdout } = await run(["check", cut, "--expect", old]);
    expect(code).toBe(2);
    expect(stdout).toContain("Auth2Cli_AcctSetPlayerReply is missing");
  });
});
