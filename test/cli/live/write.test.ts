import { expect, it } from "vitest";
import { uncheckedRun } from "../../support/command-line.js";

it("live does not ignore -w without --ring", async () => {
  const { code, stdout, stderr } = await uncheckedRun(["live", "-i", "lo", "-w", "tonight.pcap"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe("moul-dissect: -w needs --ring, which says how much of the recording is kept: --ring 200M\n");
});
