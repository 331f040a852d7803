import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { run } from "../../support/command-line.js";
import { isPosix } from "../../support/platform.js";
import { recordings } from "./support/recordings.js";

const { capture, file } = recordings();

describe.runIf(isPosix)("an expectation in a pipe, as jq writes it", () => {
  it("is read once, and cannot be updated", async () => {
    const old = capture("old");
    const path = file("old.expected.jsonl");
    await run(["check", old, "--update"]);
    const lines = readFileSync(path, "utf8");
    const pipe = file("pipe");
    spawnSync("mkfifo", [pipe]);
    const compared = async (text: string) => {
      const [outcome] = await Promise.all([run(["check", old, "--expect", pipe]), writeFile(pipe, text)]);
      return outcome;
    };
    expect(await compared(lines)).toMatchObject({ code: 0 });
    expect(await compared(lines.replace('"alice"', '"alicia"'))).toMatchObject({ code: 4 });
    expect((await compared("no JSON\n")).stderr).toContain(`${pipe}:1: this is not JSON`);
    const { code, stderr } = await run(["check", old, "--expect", pipe, "--update"]);
    expect(stderr).toContain(`${pipe}: this is not a file, so it cannot be updated`);
    expect(code).toBe(1);
  });
});
