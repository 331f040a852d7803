import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../support/installed-program.js";
import { ranProgram } from "../support/program-run.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
let program: string;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
}, 120_000);

describe("export in several processes", () => {
  it("says what one process says, of a file for all captures once", async () => {
    const keys = join(folder, "bad.keys");
    writeFileSync(keys, "no key");
    const captures = ["bz107e-ctf.pcap", "bz107e-ping.pcap", "nagus-session.pcap"].map(sample);
    const runs = [1, 2].map((jobs) => {
      const output = ["-o", join(folder, `${jobs}`)];
      return ranProgram(program, ["export", ...captures, "--keys", keys, "--jobs", `${jobs}`, ...output]);
    });
    const [alone, together] = await Promise.all(runs);
    const lines = (text = "") => text.split("\n").sort();
    expect(lines(together?.stderr)).toEqual(lines(alone?.stderr));
    expect(lines(together?.stderr).filter((line) => line.includes("bad.keys"))).toHaveLength(1);
    expect([alone?.code, together?.code]).toEqual([2, 2]);
  }, 120_000);
});
