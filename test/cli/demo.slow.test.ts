import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { steps } from "../../src/cli/demo/steps.js";
import { run } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";
import { projectPath } from "../support/project-path.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { hasTmux, Terminal } from "../support/tmux.js";

/** Beside the samples, as in the package. */
const folder = temporaryFolder();
let program = "";
beforeAll(() => {
  program = buildProgram(folder);
  symlinkSync(projectPath("samples"), join(folder, "samples"), "junction");
}, 60_000);

it("the demo shows something at every station", async () => {
  const { code, stdout, stderr } = await run(["demo"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const stations = stdout.split(/^\d\/\d .*$/m).slice(1);
  expect(stations).toHaveLength(steps.length);
  for (const station of stations) {
    const [command = "", ...output] = station.trim().split("\n");
    expect(command).toMatch(/^\$ moul-dissect /);
    expect(output.length).toBeGreaterThan(2);
    expect(output.length).toBeLessThan(24);
  }
});

describe.runIf(hasTmux())("on a terminal, the demo", () => {
  let terminal: Terminal;
  beforeAll(() => {
    terminal = new Terminal(folder, "/usr/bin:/bin", 80, 40);
  });
  afterAll(() => terminal.close());

  it("waits at each station, goes on at Enter, and ends at q, with lines that fit", async () => {
    terminal.begin(`'${process.execPath}' '${program}' demo`);
    expect(await terminal.shows(/Enter goes on/)).not.toContain("2/7");
    terminal.press("Enter");
    await terminal.shows(/2\/7.*Enter goes on/s);
    terminal.press("q");
    terminal.press("Enter");
    const { code, output } = await terminal.ended();
    expect(code).toBe(0);
    expect(output).not.toContain("3/7");
    expect(output).toContain("That was the tour");
    const summary = output.split("\n").filter((line) => /^ +\d+ \d\d:\d\d:\d\d /.test(line));
    expect(summary).toHaveLength(8);
  });
});
