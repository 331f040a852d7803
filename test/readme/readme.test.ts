import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, sample } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** For what the commands write. */
const written = temporaryFolder();

/**
 * Blocks that say which command prints them, in a comment before them or after a prompt; a line of three dots stands for
 * lines left out.
 */
const excerpts = [
  ...readme.matchAll(/<!-- printed by: (.*?) -->\n```\n(.*?)\n```/gs),
  ...readme.matchAll(/```console\n\$ moul-dissect (.*?)\n(.*?)\n```/gs),
].map(([, command = "", text = ""]) => [command, text] as const);

/** What a command writes has a place of its own; samples have the paths that the README gives them. */
function whereItIs(word: string): string {
  return /^\w+\.pcapng$/.test(word) ? join(written, word) : word;
}

/** Where some lines stand in a text, from a place on: whole lines. */
function placeOf(lines: string, text: string, from: number): number {
  const at = `\n${text}`.indexOf(`\n${lines}\n`, from);
  return at < 0 ? Number.NaN : at + lines.length;
}

describe("the README", () => {
  it("has excerpts", () => expect(excerpts.length).toBeGreaterThanOrEqual(2));

  it.each(excerpts)("shows what is really printed: %s", async (command, text) => {
    let printed = { stdout: "", stderr: "" };
    for (const one of command.split(" && ")) printed = await run(one.split(" ").map(whereItIs));
    // On a terminal, remarks come before what a command sums up.
    const shown = printed.stderr + printed.stdout;
    let from = 0;
    for (const part of text.split("\n...\n")) {
      from = placeOf(part, shown, from);
      expect(from, `not printed, or not in this order:\n${part}`).not.toBeNaN();
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
  const folder = temporaryFolder();

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
