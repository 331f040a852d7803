import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run, sample } from "../support/command-line.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** Blocks behind a comment that says which command prints them; a line of three dots stands for lines left out. */
const excerpts = [...readme.matchAll(/<!-- printed by: (.*?) -->\n```\n(.*?)\n```/gs)].map(
  ([, command = "", text = ""]) => [command, text] as const,
);

describe("the README", () => {
  it("has excerpts", () => expect(excerpts.length).toBeGreaterThanOrEqual(2));

  it.each(excerpts)("shows what is really printed: %s", async (command, text) => {
    const args = command.split(" ").map((word) => (word.startsWith("samples/") ? sample(word.slice(8)) : word));
    const { stdout } = await run(args);
    let from = 0;
    for (const part of text.split("\n...\n")) {
      const at = stdout.indexOf(`${part}\n`, from);
      expect(at, `not printed, or not in this order:\n${part}`).toBeGreaterThanOrEqual(0);
      from = at + part.length;
    }
  });

  it("names every exit code and status that there is", () => {
    for (const code of [0, 1, 2, 3, 70]) expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
    for (const status of ["ok", "unknown", "truncated", "malformed", "encrypted"]) {
      expect(readme).toContain(`| \`${status}\` |`);
    }
  });
});
