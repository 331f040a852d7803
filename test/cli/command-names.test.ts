import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/setup/command-names.js";
import { loadedFor } from "../../src/cli/setup/loaded-for.js";
import { programOf } from "../../src/cli/setup/program-of.js";
import { commandLine } from "../../src/cli/setup/whole-program.js";

const io = { stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
const none = () => {};

describe("the commands", () => {
  it("are all named in the list that decides what is loaded", async () => {
    const { commands } = await commandLine(io, none, none);
    expect(commands.map((command) => command.name())).toEqual([...COMMANDS]);
  });

  it.each(COMMANDS)("%s is loaded alone, unless it is about all of them", async (name) => {
    const add = await loadedFor([name, "--quiet"]);
    if (name === "completion" || name === "man") expect(add).toBeUndefined();
    else {
      const setting = { io, print: none, end: none, main: () => Promise.resolve(0) };
      const program = programOf(add === undefined ? [] : [add], setting);
      expect(program.commands.map((command) => command.name())).toEqual([name]);
    }
  });

  it.each([[["--quiet", "stats"]], [["stats", "--help"]], [["help", "stats"]], [[]]])(
    "are all loaded for %j",
    async (args) => {
      expect(await loadedFor(args)).toBeUndefined();
    },
  );
});
