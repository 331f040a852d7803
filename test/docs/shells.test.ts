import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { commandLine } from "../../src/cli/setup/whole-program.js";
import { page, pages } from "./pages.js";

/** What pages and help say to type works as it stands in sh, in cmd.exe and in PowerShell. */

const withCommands = [...pages, page("samples/example-dissector/README.md")];

/** The commands of this program in code, each until it is connected to another program, which may be one of sh. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/^(?: {2}|\$ )?moul-dissect .*$/gm)].map(([line]) =>
    line.trim().replace(/^\$ | \| .*$|#.*$/g, ""),
  );
}

/** True if shells do not agree on the words of a command. */
function isOnlyForOne(command: string): boolean {
  const quoted = [...command.matchAll(/"([^"]*)"/g)].map(([, inside = ""]) => inside);
  const outside = command.replace(/"[^"]*"/g, "");
  // What > writes is UTF-16 in Windows PowerShell; -o writes the same everywhere.
  return /['\\`$>]/.test(outside) || quoted.some((inside) => /[$`%\\]|!(?![= ])/.test(inside));
}

describe.each(withCommands)("$path", ({ text }) => {
  it("has commands for every shell", () => {
    const code = [...text.matchAll(/^```(?:sh|console)\n(.*?)^```/gms)].map(([, block = ""]) => block).join("\n");
    expect(commandsIn(code).filter(isOnlyForOne)).toEqual([]);
    expect([...text.matchAll(/(?:-Y|--filter|--only|--color-filter) '.*?'/g)].map(([words]) => words)).toEqual([]);
  });

  it("needs no && between commands, which Windows PowerShell does not have", () => {
    const blocks = [...text.matchAll(/^```(?:sh|console)\n(.*?)^```/gms)].map(([, block = ""]) => block);
    expect(blocks.filter((block) => /^[^#]* && /m.test(block))).toEqual([]);
  });
});

it("the help of each command has examples for every shell", async () => {
  const io = { stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
  const { commands } = await commandLine(
    io,
    () => {},
    () => {},
    main,
  );
  for (const name of ["", ...commands.map((command) => command.name())]) {
    const stdout = new PassThrough();
    await main(["help", ...(name === "" ? [] : [name])], { ...io, stdout });
    const help = String(stdout.read() ?? "");
    // The manual page is not for Windows, and completion is for its own shells.
    if (name === "man" || name === "completion") continue;
    const [, examples = ""] = /^Examples:\n(.*)/ms.exec(help) ?? [];
    expect(commandsIn(examples).filter(isOnlyForOne)).toEqual([]);
  }
});
