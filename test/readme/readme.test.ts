import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run, sample } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** For what the commands write. */
const written = mkdtempSync(join(tmpdir(), "moul-dissect-"));
afterAll(() => rmSync(written, { recursive: true }));

/** Blocks behind a comment that says which command prints them; a line of three dots stands for lines left out. */
const excerpts = [...readme.matchAll(/<!-- printed by: (.*?) -->\n```\n(.*?)\n```/gs)].map(
  ([, command = "", text = ""]) => [command, text] as const,
);

function whereItIs(word: string): string {
  if (word.startsWith("samples/")) return sample(word.slice("samples/".length));
  return word.endsWith(".pcapng") ? join(written, word) : word;
}

describe("the README", () => {
  it("has excerpts", () => expect(excerpts.length).toBeGreaterThanOrEqual(2));

  it.each(excerpts)("shows what is really printed: %s", async (command, text) => {
    let printed = "";
    for (const one of command.split(" && ")) {
      const { stdout, stderr } = await run(one.split(" ").map(whereItIs));
      printed = `${stdout}${stderr}`;
    }
    let from = 0;
    for (const part of text.split("\n...\n")) {
      const at = printed.indexOf(`${part}\n`, from);
      expect(at, `not printed, or not in this order:\n${part}`).toBeGreaterThanOrEqual(0);
      from = at + part.length;
    }
  });

  it("names every exit code and status that there is", () => {
    for (const code of [0, 1, 2, 3, 4, 70]) expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
    for (const status of ["ok", "unknown", "truncated", "malformed", "encrypted"]) {
      expect(readme).toContain(`| \`${status}\` |`);
    }
  });
});

describe("the program in the README", () => {
  const folder = mkdtempSync(join(tmpdir(), "moul-dissect-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("runs as it stands, with the package and the files that it names", () => {
    const [, program = ""] = /## From a program\n\n```ts\n(.*?)```/s.exec(readme) ?? [];
    buildProgram(folder);
    // Inside the package, its own name means the package; what Node.js 20 runs has no types to take away.
    writeFileSync(join(folder, "example.js"), program);
    copyFileSync(sample("dirtsand-session.pcap"), join(folder, "session.pcap"));
    copyFileSync(sample("keys/dirtsand/dirtsand.ini"), join(folder, "dirtsand.ini"));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["example.js"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.match(/^\d+ \w+ \{$/gm)?.length).toBeGreaterThan(500);
    expect(stdout).toMatch(/^\d+ Cli2Game_JoinAgeRequest \{$/m);
  }, 60_000);
});
