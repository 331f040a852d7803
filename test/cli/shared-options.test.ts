import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { commandLine } from "../../src/cli/setup/whole-program.js";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const streams = { stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
const ignored = () => {};
const { commands } = await commandLine(streams, ignored, ignored);

/** Commands that a script may give the same options. */
const ALIKE = [
  "view",
  "report",
  "vault",
  "sdl",
  "players",
  "chat",
  "objects",
  "diagnose",
  "find",
  "live",
  "export",
  "sql",
  "split",
  "wireshark",
];

it.each(ALIKE)("%s takes --color and -q", (name) => {
  const flags = commands.find((one) => one.name() === name)?.options.map(({ long }) => long);
  expect(flags).toEqual(expect.arrayContaining(["--color", "--quiet"]));
});

it("split writes its parts with --color", async () => {
  const folder = join(temporaryFolder(), "parts");
  const { code } = await uncheckedRun(["split", sample("bz107e-ping.pcap"), "-o", folder, "--color", "never", "-q"]);
  expect([code, existsSync(folder)]).toEqual([0, true]);
});

it.each(["split", "export", "objects"])("%s takes no empty name for the current folder", async (name) => {
  const { code, stdout, stderr } = await uncheckedRun([name, sample("bz107e-ping.pcap"), "-o", ""]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("argument '' is invalid. It is empty; the current folder is called . (a dot).");
});

it.each(["split", "export", "objects"])("%s writes no folder called -", async (name) => {
  const { code, stdout, stderr } = await uncheckedRun([name, sample("bz107e-ping.pcap"), "-o", "-"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(
    "argument '-' is invalid. A folder cannot be written to standard output; one of this name is ./-",
  );
});
