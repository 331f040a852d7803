import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Option } from "commander";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../src/cli/setup/whole-program.js";
import { examplesIn, invocationOf } from "./command-file.js";

/**
 * Commands and options that have no golden file yet, by name ("keys", "--limit") or both ("stats --limit"). An entry
 * that has one after all has to be removed.
 */
const WITHOUT: readonly string[] = [];

const TO_BE_SHOWN = "to be used by a command line in a file of test/golden, which `npm run golden` completes";

const surroundings = { stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
const program = await commandLine(
  surroundings,
  () => {},
  () => {},
);
const commands = [program, ...program.commands];

const folder = fileURLToPath(new URL(".", import.meta.url));
const invocations = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .flatMap((name) => examplesIn(readFileSync(`${folder}${name}`, "utf8")))
  .map(({ line }) => invocationOf(line))
  .filter((invocation) => invocation.program === "moul-dissect")
  .map(({ args }) => {
    const command = program.commands.find((one) => one.name() === args[0]);
    return { command: command ?? program, args: command === undefined ? args : args.slice(1) };
  });

const options = commands.flatMap((command) => {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ command, option }));
});

/** The name of a command with an option, as a user would type it. */
function typed(command: string, option = ""): string {
  return `${command === program.name() ? "" : command} ${option}`.trim();
}

/** The values that golden files give an option; those of a flag are empty. */
function uses(args: readonly string[], { long, short }: Option): string[] {
  return args.flatMap((word, index) => {
    if (word === long || word === short) return [args[index + 1] ?? ""];
    if (long && word.startsWith(`${long}=`)) return [word.slice(long.length + 1)];
    return short && !word.startsWith("--") && word.startsWith(short) ? [word.slice(short.length)] : [];
  });
}

function isExcepted(command: string, option = ""): boolean {
  return [command, option, typed(command, option)].some((name) => name !== "" && WITHOUT.includes(name));
}

describe("the golden files", () => {
  it.each(commands.map((command) => command.name()).filter((name) => !isExcepted(name)))("show %s", (name) => {
    expect(
      invocations.filter(({ command }) => command.name() === name),
      TO_BE_SHOWN,
    ).not.toEqual([]);
  });

  const covered = options.map(({ command, option }) => {
    const own = invocations.filter((invocation) => invocation.command === command);
    return { command: command.name(), option, isUsed: own.some(({ args }) => uses(args, option).length > 0) };
  });

  it("show every option of every command", () => {
    const missing = covered.filter(({ command, option, isUsed }) => !isUsed && !isExcepted(command, option.long));
    expect(
      missing.map(({ command, option }) => typed(command, option.long)),
      TO_BE_SHOWN,
    ).toEqual([]);
  });

  it("show every choice of every option", () => {
    const missing = options.flatMap(({ command, option }) => {
      if (isExcepted(command.name(), option.long)) return [];
      const used = new Set(invocations.flatMap(({ args }) => uses(args, option)));
      return (option.argChoices ?? [])
        .filter((choice) => !used.has(choice))
        .map((choice) => `${option.long} ${choice}`);
    });
    expect([...new Set(missing)], TO_BE_SHOWN).toEqual([]);
  });

  it("have no unneeded exceptions", () => {
    const used = covered.filter(({ isUsed }) => isUsed).map(({ command, option }) => typed(command, option.long));
    const known = invocations.map(({ command }) => command.name());
    const isUsed = (name: string) => used.some((one) => one === name || one.endsWith(` ${name}`));
    expect(WITHOUT.filter((name) => known.includes(name) || isUsed(name))).toEqual([]);
  });
});
