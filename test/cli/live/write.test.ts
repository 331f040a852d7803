import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { uncheckedRun } from "../../support/command-line.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

it("live does not ignore -w without --ring", async () => {
  const { code, stdout, stderr } = await uncheckedRun(["live", "-i", "lo", "-w", "tonight.pcap"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe("moul-dissect: -w needs --ring, which says how much of the recording is kept: --ring 200M\n");
});

it("live --ring says at once that it cannot keep the recording", async () => {
  const folder = temporaryFolder();
  const ring = (path: string) => uncheckedRun(["live", "-i", "lo", "--ring", "1M", "-w", path]);
  const nowhere = join(folder, "nowhere", "tonight.pcap");
  expect(await ring(nowhere)).toEqual({
    code: 1,
    stdout: "",
    stderr: `moul-dissect: ${nowhere}: there is no such folder\n`,
  });
  writeFileSync(join(folder, "tonight-0317.pcap"), "");
  const { code, stderr } = await ring(join(folder, "tonight.pcap"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("tonight-0317.pcap exists: name another file with -w")]);
});
