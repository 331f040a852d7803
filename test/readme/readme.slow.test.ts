import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** For the output of the commands. */
const written = temporaryFolder();

/**
 * Blocks with the command that prints them, in a comment before them or after a prompt; a line of three dots stands for
 * omitted lines.
 */
const excerpts = [
  ...readme.matchAll(/<!-- printed by: (.*?) -->\n```\n(.*?)\n```/gs),
  ...readme.matchAll(/```console\n\$ moul-dissect (.*?)\n(.*?)\n```/gs),
].map(([, command = "", text = ""]) => [command, text] as const);

/** Output files go to a folder of their own; samples have the paths in the README. */
function whereItIs(word: string): string {
  return /^\w+\.pcapng$/.test(word) ? join(written, word) : word;
}

/** The place of whole lines in a text, from a position on. */
function placeOf(lines: string, text: string, from: number): number {
  const at = `\n${text}`.indexOf(`\n${lines}\n`, from);
  return at < 0 ? Number.NaN : at + lines.length;
}

describe("the README", () => {
  it("has no output that is not compared with the actual one", () => {
    const blocks = [...readme.matchAll(/^ *```(.*)\n(?:.*\n)*? *```$/gm)].map(([, language = ""]) => language);
    expect(blocks.length).toBeGreaterThan(10);
    expect(excerpts).toHaveLength(blocks.filter((language) => !["sh", "ts", "yaml"].includes(language)).length);
    expect(excerpts).toHaveLength([...readme.matchAll(/printed by:|```console/g)].length);
  });

  it.each(excerpts)("shows the actual output: %s", async (command, text) => {
    let printed = { stdout: "", stderr: "" };
    for (const one of command.split(" && ")) printed = await run(one.split(" ").map(whereItIs));
    // On a terminal, remarks come before a command's final summary.
    const shown = printed.stderr + printed.stdout;
    let from = 0;
    for (const part of text.split("\n...\n")) {
      from = placeOf(part, shown, from);
      expect(from, `not printed, or not in this order:\n${part}`).not.toBeNaN();
    }
  });

  it("names every exit code and status", () => {
    for (const code of [0, 1, 2, 3, 4, 70]) expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
    for (const status of ["ok", "unknown", "truncated", "malformed", "encrypted"]) {
      expect(readme).toContain(`| \`${status}\` |`);
    }
  });
});

describe("the program in the README", () => {
  const folder = temporaryFolder();

  it("runs unchanged, with the package and the files that it names", () => {
    const [, program = ""] = /## From a program\n\n```ts\n(.*?)```/s.exec(readme) ?? [];
    buildProgram(folder);
    // Inside the package, its own name refers to the package; the program has no types, so that Node.js 20 can run it.
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
