import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { shells } from "../../src/cli/completion/index.js";
import { formats } from "../../src/cli/options/format.js";
import { commandLine } from "../../src/cli/setup/whole-program.js";
import { run } from "../support/command-line.js";
import { isPosix } from "../support/platform.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

/** Generated from the definitions of commands and options: completion scripts and the manual page. */

const folder = temporaryFolder();
const file = filesIn(folder);

function isHere(program: string): boolean {
  const here = isPosix && spawnSync(program, ["--version"], { timeout: 10_000 }).status === 0;
  if (!here) console.warn(`${program} is not on this machine: what it would check is skipped`);
  return here;
}

const program = await commandLine(
  { stdout: new PassThrough(), stderr: new PassThrough(), env: {} },
  () => {},
  () => {},
);
const commands: readonly Command[] = [program, ...program.commands];
const allFlags = new Set(commands.flatMap((command) => optionsOf(command).flatMap(({ short, long }) => [short, long])));

function optionsOf(command: Command) {
  return command.createHelp().visibleOptions(command);
}

describe.each(shells)("the completion script of %s", (shell) => {
  const here = isHere(shell);

  it("has every command, option and choice", async () => {
    const { code, stdout } = await run(["completion", shell]);
    expect(code).toBe(0);
    const words = new Set(stdout.match(/[\w-]+/g));
    for (const command of program.commands) expect(words).toContain(command.name());
    for (const flag of allFlags) {
      // Fish takes option names without their hyphens.
      if (flag !== undefined) expect(words).toContain(shell === "fish" ? flag.replace(/^-+/, "") : flag);
    }
    for (const { argChoices = [] } of commands.flatMap(optionsOf)) {
      for (const choice of argChoices) expect(words).toContain(choice);
    }
  });

  it.runIf(here)("can be parsed by the shell", async () => {
    const script = file(`script.${shell}`, (await run(["completion", shell])).stdout);
    const { status, stderr } = spawnSync(shell, ["-n", script], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

it("does not exist for other shells", async () => {
  expect(await run(["completion", "tcsh"])).toMatchObject({ code: 1, stdout: "" });
});

/** Each line up to where the Tab key is pressed, and the completions offered there. */
const OFFERS: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ["--form", ["--format"]],
  ["--format ", formats],
  ["--format = js", ["json", "json-tree"]],
  ["--format =", formats],
  ["session.pcap --time r", ["relative"]],
  ["str", ["streams"]],
  ["--keys stats str", ["streams"]],
  ["--stream 3 fol", ["follow"]],
  ["follow --as h", ["hex"]],
  ["follow --stream 3 --dir", ["--direction"]],
  ["stats --format", []],
  ["session.pcap str", []],
  ["completion ", ["bash", "zsh", "fish"]],
  ["completion bash z", []],
  ["help st", ["streams", "stats"]],
  ["--keys c", []],
  ["decode plNetMsgVoi", ["plNetMsgVoice"]],
  ["schema plNetMsgVoi", ["plNetMsgVoice"]],
  ["fields moul.ga", ["moul.gatekeeper", "moul.game"]],
  ["fields --json proPick", ["proPickedEventData"]],
];

describe.runIf(isHere("bash"))("bash", () => {
  it.each(OFFERS)("completes moul-dissect %s", async (line, offered) => {
    const words = ["moul-dissect", ...line.split(" ")];
    const script = `${(await run(["completion", "bash"])).stdout}
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _moul_dissect
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", ...words], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.split("\n").filter((word) => word !== "")).toEqual(offered);
  });

  it("offers files as well as commands, and names with spaces as one word", async () => {
    file("stray one.pcap", "");
    const script = `${(await run(["completion", "bash"])).stdout}
      compopt() { :; }
      COMP_WORDS=(moul-dissect str) COMP_CWORD=1
      _moul_dissect
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8", cwd: folder });
    expect(stdout).toBe("streams\nstray one.pcap\n");
  });
});

describe.runIf(isHere("zsh"))("zsh", () => {
  it.each([
    [
      "--keys stats fol",
      "moul-dissect 4",
      ["1:command or file:_moul-dissect_first", "*:file:_files"],
      "*-c+[",
      "*--count=[",
    ],
    [
      "-q follow --as h",
      "follow 3",
      ["*:file:_files"],
      "*--as=[how the bytes are shown]:form:(text hex raw)",
      "*--quiet[",
    ],
    ["completion ", "completion 2", ["1:word:(bash zsh fish)", "*:file:_files"], "*--force[", "*-o+["],
    ["--format ", "moul-dissect 3", expect.anything(), `(default\\: tree)]:format:(${formats.join(" ")})`, "*-V["],
  ])("is told what can stand in moul-dissect %s", async (line, place, operands, ...options) => {
    const script = `compdef() { :; }
      _arguments() { print -rl -- "$words[1] $CURRENT" "\${@:4}"; }
      words=("$@") CURRENT=$#
      ${(await run(["completion", "zsh"])).stdout}
      _moul-dissect`;
    const words = ["moul-dissect", ...line.split(" ")];
    const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", script, "zsh", ...words], { encoding: "utf8" });
    expect(stderr).toBe("");
    const [first, ...specs] = stdout.trimEnd().split("\n");
    expect(first).toBe(place);
    expect(specs.filter((spec) => !spec.startsWith("*-"))).toEqual(operands);
    for (const option of options) expect(stdout).toContain(option);
  });
});

const fish = isHere("fish");
it.runIf(fish)("fish completes an option, a choice and a command", async () => {
  const script = file("offers.fish", (await run(["completion", "fish"])).stdout);
  const offers = ["--form", "--format summ", "str", "follow --as h", "--keys decryp", "decode plNetMsgVoi"].map(
    (line) => `complete -C 'moul-dissect ${line}'`,
  );
  const { stdout } = spawnSync("fish", ["-N", "-c", `source '${script}'; ${offers.join("; ")}`], { encoding: "utf8" });
  expect(stdout.trim().split("\n")).toEqual([
    expect.stringMatching(/^--format\t/),
    expect.stringMatching(/^summary\t/),
    expect.stringMatching(/^streams\t/),
    expect.stringMatching(/^hex\t/),
    expect.stringMatching(/^plNetMsgVoice\b/),
  ]);
});

describe("the manual page", () => {
  const page = async () => (await run(["man"])).stdout;
  const plain = (text: string) => text.replace(/\\f[BIR]/g, "").replace(/\\([-&e])/g, "$1");

  it("names every command and every option", async () => {
    const text = plain(await page());
    for (const command of commands) {
      const name = command === program ? "moul-dissect" : `moul-dissect ${command.name()}`;
      const [, part = ""] = text.split(command === program ? ".SH OPTIONS\n" : `.SS "${name}"\n`);
      const [section = ""] = part.split(/^\.S[SH] /m);
      for (const { flags } of optionsOf(command)) expect(`\n${section}`).toContain(`\n.TP\n${flags}\n`);
    }
  });

  it("has what follows the help: keys, exit codes, examples that can be copied", async () => {
    const text = await page();
    for (const section of ["KEYS", "EXIT CODES", "EXAMPLES"]) expect(text).toContain(`\n.SH ${section}\n`);
    expect(text).toContain("\\-Y \\(dqobjectName matches \\(aq\\(hacPyth\\(aq\\(dq");
  });

  it("has no line that roff would take for a request by mistake", async () => {
    const requests = (await page()).split("\n").filter((line) => /^[.']/.test(line));
    expect(new Set(requests.map((line) => line.split(" ")[0]))).toEqual(
      new Set([".TH", ".nh", ".ad", ".SH", ".SS", ".TP", ".PP", ".br", ".RS", ".RE", ".nf", ".fi"]),
    );
  });

  it("has no blanks around its lines, which roff would print", async () => {
    const lines = (await page()).split("\n");
    expect(lines.filter((line) => line !== line.trim())).toEqual([]);
  });

  it("is written to a file on demand, which is how the package is built", async () => {
    const path = join(folder, "page.1");
    expect(await run(["man", "-o", path])).toEqual({ code: 0, stdout: "", stderr: "" });
    const missing = await run(["man", "-o", join(folder, "missing", "page.1")]);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("page.1 cannot be written: there is no such folder"),
    });
  });

  it("is in the package where npm looks for it: in a list", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(manifest.man).toEqual(["./dist/moul-dissect.1"]);
    expect(manifest.scripts.build).toMatch(/ man --force -o dist\/moul-dissect\.1(?: |$)/);
  });

  it.runIf(isHere("groff"))("is formatted by groff without a warning", async () => {
    const input = await page();
    const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], { input, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain('Y "result != kNetSuccess"');
  });
});
