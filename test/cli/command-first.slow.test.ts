import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const CAPTURE = sample("nagus-plain.pcap");
const COLUMNS = ["-e", "number", "-e", "message"];

describe("options before a command", () => {
  it.each([
    ["-Y", "moul.game"],
    ["-Ymoul.game"],
    ["--filter=moul.game"],
    ["--json"],
    ["--format", "json"],
    ["-qY", "moul.game", "--json"],
    ["--limit", "depth=9"],
    ["-Y", "streams"],
    ["-Y", "moul.game", "-Y", "moul.auth"],
  ])("mean the same as after it: %s %s", async (...options) => {
    const after = await run(["stats", CAPTURE, ...options]);
    expect(await run([...options, "stats", CAPTURE])).toEqual(after);
    expect(await run([...options, "--", "stats", CAPTURE])).toEqual(after);
  });

  it("may be repeated after it", async () => {
    const found = await run(["--keys", "none-1.ini", "streams", "--keys", "none-2.ini", CAPTURE]);
    expect(found.code).toBe(2);
    expect(found.stderr).toMatch(/none-1\.ini.*\n.*none-2\.ini/);
  });

  it.each([["-h"], ["--help"], ["-q", "--help"]])("ask for its help: %s %s", async (...options) => {
    expect(await run([...options, "stats"])).toEqual(await run(["stats", "--help"]));
  });

  it("may be options of that command only", async () => {
    const after = await run(["follow", CAPTURE, "--stream", "1", "--as", "hex"]);
    expect(after.code).toBe(0);
    expect(await run(["--stream", "1", "--as=hex", "follow", CAPTURE])).toEqual(after);
  });

  it("say where a capture is written", async () => {
    const path = join(folder, "plain.pcapng");
    expect(await run(["-o", path, "decrypt", CAPTURE])).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(path).length).toBeGreaterThan(0);
  });

  it.each([["--fail-on", "gap"], ["-c", "5"], ["--csv"], ["--stream=1"], ["-e", "number", "--strict"]])(
    "are refused if it does not have them: %s %s",
    async (...options) => {
      const after = await run(["stats", ...options, CAPTURE]);
      expect(after).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("unknown option '-") });
      expect(await run([...options, "stats", CAPTURE])).toEqual(after);
    },
  );

  it("and without their value are refused", async () => {
    expect(await run(["stats", CAPTURE, "-Y"])).toMatchObject({ code: 1 });
    expect(await run([CAPTURE, "-Y"])).toMatchObject({ code: 1 });
    expect(await run(["-c", "stats", CAPTURE])).toMatchObject({ code: 1 });
  });

  it("hide neither the version nor the command help", async () => {
    expect(await run(["--version", "stats"])).toEqual(await run(["--version"]));
    expect(await run(["-q", "-V", "stats"])).toEqual(await run(["--version"]));
    expect(await run(["-q", "help", "stats"])).toEqual(await run(["help", "stats"]));
  });
});

describe("the name of a command", () => {
  it("can be that of a capture, after another one or with its folder", async () => {
    const stats = join(folder, "stats");
    copyFileSync(CAPTURE, stats);
    const alone = await run([CAPTURE, ...COLUMNS]);
    expect(await run([...COLUMNS, stats])).toEqual(alone);
    const { stderr } = await run([CAPTURE, "-q", "stats", ...COLUMNS]);
    expect(stderr).toContain("stats: there is no such file");
  });

  it("can be the value of an option", async () => {
    const expected = { code: 1, stderr: expect.stringContaining("there is no field, class or message stats") };
    expect(await run(["-Y", "stats", CAPTURE])).toMatchObject(expected);
    expect(await run([CAPTURE, "-Y", "stats"])).toMatchObject(expected);
  });
});
