import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";

it("reads a capture from the standard input that it is given, and not from that of the process", async () => {
  const stdin = Readable.from([readFileSync(sample("bz107e-ping.pcap"))]);
  const { code, stdout } = await run(["--json", "-"], {}, stdin);
  expect(code).toBe(0);
  const named = (await run(["--json", sample("bz107e-ping.pcap")])).stdout;
  expect(stdout).toBe(named.replaceAll('"name":"bz107e-ping.pcap"', '"name":"standard input"'));
});

it("says that a given standard input is empty, also with one thread", async () => {
  const { code, stderr } = await run(["stats", "-", "--threads", "1"], {}, Readable.from([]));
  expect([code, stderr]).toEqual([2, "moul-dissect: standard input: the file is empty\n"]);
});
