import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("diagnose says so if there is nothing that it could look at", async () => {
  const capture = join(temporaryFolder(), "nothing.pcap");
  writeFileSync(capture, Buffer.from("d4c3b2a1020004000000000000000000ffff000001000000", "hex"));
  const { code, stdout, stderr } = await uncheckedRun(["diagnose", capture]);
  expect([code, stdout]).toEqual([0, "0 messages in 0 conversations: nothing that a person should look at\n"]);
  expect(stderr).toBe("moul-dissect: there are no packets in the capture\n");
  expect((await uncheckedRun(["diagnose", sample("bz107e-ping.pcap")])).stderr).toBe("");
});
