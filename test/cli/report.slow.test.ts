import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it.each([[[]], [["--scrub"]]])(
  "says that a definition file cannot be read, and writes the page without it: %s",
  async (options) => {
    const folder = temporaryFolder();
    const [page, sdl] = [join(folder, "session.html"), join(folder, "no.sdl")];
    const { code, stderr } = await uncheckedRun([
      "report",
      sample("bz107e-ping.pcap"),
      ...options,
      "--sdl",
      sdl,
      "-o",
      page,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${sdl}: the definition file cannot be read (there is no such file)\n`);
    expect(stderr).not.toContain("internal error");
    expect(existsSync(page)).toBe(true);
  },
);
