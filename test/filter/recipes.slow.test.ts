import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";

/** Runs the recipes of the page about filters as they are printed there. */

const page = readFileSync(new URL("../../docs/filters.md", import.meta.url), "utf8");
const RECIPE = /^\*\*(.+?)\*\*[^\n]*\n\n```console\n\$ moul-dissect ([^\n]+)\n(.*?)```/gms;
const recipes = [...page.matchAll(RECIPE)].map(([, title = "", command = "", output = ""]) => {
  return { title, command, output };
});

/** The words of a command, split as by a shell. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => {
    return quoted ?? plain?.replace(/^samples\/(.*)/, (_, name: string) => sample(name)) ?? "";
  });
}

/** A pattern for the output: a line of dots stands for one or more lines. */
function pattern(output: string): RegExp {
  const lines = output.trimEnd().split("\n");
  const parts = lines.map((line) =>
    line === "..." ? "(?:.*\\n)+" : `${line.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\n`,
  );
  return new RegExp(`^${parts.join("")}$`);
}

describe("recipes", () => {
  it("are all found", () => {
    expect(recipes).toHaveLength(12);
  });

  it.each(recipes)("$title", async ({ command, output }) => {
    const { code, stdout, stderr } = await run(words(command));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(pattern(output));
  });
});
