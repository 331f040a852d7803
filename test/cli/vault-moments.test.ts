import { expect, it } from "vitest";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";

const CAPTURE = sample("nagus-session.pcap");

async function differences(...moments: string[]) {
  return uncheckedRun(["vault", CAPTURE, "--diff", ...moments]);
}

it("says that moments are the wrong way round, instead of that nothing differs", async () => {
  expect((await differences("150", "190")).stdout).not.toBe("");
  const { code, stdout, stderr } = await differences("190", "150");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe("moul-dissect: --diff: 150 is before 190; name the earlier moment first\n");
});

it("says so of times, too", async () => {
  const [earlier, later] = ["2026-11-20T04:54:53", "2026-11-20T04:54:55"];
  expect((await differences(earlier, later)).stdout).not.toBe("");
  expect((await differences(later, earlier)).code).toBe(1);
});

it("takes the same moment twice", async () => {
  const { code, stderr } = await differences("150", "150");
  expect([code, stderr]).toEqual([0, "moul-dissect: nothing in the vault differs between 150 and 150\n"]);
});
