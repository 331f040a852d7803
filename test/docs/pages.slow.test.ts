import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ExitCode } from "../../src/cli/exit-code.js";
import { main } from "../../src/cli/program.js";
import { statuses } from "../../src/dissect/message.js";
import { invocationOf } from "../golden/command-file.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { buildProgram } from "../support/installed-program.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { page, pages } from "./pages.js";

/** A terminal as it comes. */
const COLUMNS = 80;
const ROWS = 24;

/** For the output of the commands. */
const written = temporaryFolder();

/** What is in blocks that are no output: shell scripts, programs, configuration, drawings, and SQL, which has a test of its own. */
const NO_OUTPUT: readonly string[] = ["sh", "ts", "js", "html", "yaml", "text", "sql", "python"];

/** The recipes have a stricter test of their own: `test/filter/recipes.slow.test.ts`. */
const tested = pages.filter(({ path }) => path !== "docs/filters.md");

/**
 * Blocks with the command that prints them, in a comment before them or after a prompt; a line of three dots stands for
 * omitted lines.
 */
function excerptsIn(text: string): (readonly [command: string, output: string])[] {
  return [
    ...text.matchAll(/<!-- printed by: (.*?) -->\n```\n(.*?)\n```/gs),
    ...text.matchAll(/```console\n\$ moul-dissect (.*?)\n(.*?)\n```/gs),
  ].map(([, command = "", output = ""]) => [command, output] as const);
}

/** Output files go to a folder of their own; samples have the paths on the pages. */
function whereItIs(word: string): string {
  return /^\w+\.(?:pcapng|jsonl)$/.test(word) ? join(written, word) : word;
}

/** The place of whole lines in a text, from a position on. */
function placeOf(lines: string, text: string, from: number): number {
  const at = `\n${text}`.indexOf(`\n${lines}\n`, from);
  return at < 0 ? Number.NaN : at + lines.length;
}

describe.each(tested)("$path", ({ text }) => {
  const excerpts = excerptsIn(text);

  it("has no output that is not compared with the actual one", () => {
    const blocks = [...text.matchAll(/^ *```(.*)\n(?:.*\n)*? *```$/gm)].map(([, language = ""]) => language);
    expect(excerpts).toHaveLength(blocks.filter((language) => !NO_OUTPUT.includes(language)).length);
    expect(excerpts).toHaveLength([...text.matchAll(/^(?:<!-- printed by:|```console$)/gm)].length);
  });

  it.each(excerpts)("shows the actual output: %s", async (command, output) => {
    let printed = { stdout: "", stderr: "" };
    for (const one of command.split(" && ")) {
      printed = await run(invocationOf(`moul-dissect ${one}`).args.map(whereItIs));
    }
    // On a terminal, remarks come before a command's final summary.
    const shown = printed.stderr + printed.stdout;
    let from = 0;
    for (const part of output.split(/(?:^|\n)\.\.\.(?:\n|$)/)) {
      if (part === "") continue;
      from = placeOf(part, shown, from);
      expect(from, `not printed, or not in this order:\n${part}`).not.toBeNaN();
    }
  });
});

describe("the pages", () => {
  it("show output, all together", () => {
    expect(tested.flatMap(({ text }) => excerptsIn(text)).length).toBeGreaterThan(12);
  });

  it("name every exit code and status", () => {
    const { text: commandLine } = page("docs/command-line.md");
    const { text: messages } = page("docs/messages.md");
    for (const code of Object.values(ExitCode)) {
      expect(commandLine).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
      expect(page("README.md").text).toMatch(new RegExp(`(?:Exit codes: |;\\s)${code} `));
    }
    for (const status of statuses) expect(messages).toContain(`| \`${status}\` |`);
  });
});

describe("the page of ten questions", () => {
  const commands = excerptsIn(page("docs/questions.md").text).map(([command]) => command);

  it("has ten, each with one command", () => {
    expect(commands).toHaveLength(10);
  });

  it.each(commands)("answers within a screen: %s", async (command) => {
    const stdout = new FakeTerminal(COLUMNS);
    const { args } = invocationOf(`moul-dissect ${command}`);
    const isPaged = !command.startsWith("check");
    await main([...args, "--color", "never", ...(isPaged ? ["--no-pager"] : [])], { stdout, stderr: stdout, env: {} });
    const rows = stdout.text
      .trimEnd()
      .split("\n")
      .map((line) => Math.max(1, Math.ceil(line.length / COLUMNS)));
    expect(rows.reduce((sum, one) => sum + one, 0)).toBeLessThan(ROWS);
  });
});

describe("the program on the page about JSON", () => {
  const folder = temporaryFolder();

  it("runs unchanged, with the package and the files that it names", () => {
    const [, program = ""] = /## From a program\n\n```ts\n(.*?)```/s.exec(page("docs/json.md").text) ?? [];
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
