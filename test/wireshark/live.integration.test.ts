import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { hasTshark, tsharkProgram, WithPlugin } from "./with-plugin.js";

const capture = readFileSync(sample("dirtsand-session.pcap"));
/** In the middle of a long connection to the auth server. */
const FRAME = 400;

/** Where a frame ends in the capture. */
function endOf(frame: number): number {
  let at = 24;
  for (let count = 0; count < frame; count++) at += 16 + capture.readUInt32LE(at + 8);
  return at;
}

describe.skipIf(!hasTshark)("a live capture in tshark (skipped without it)", () => {
  let plugin: WithPlugin;
  beforeAll(() => {
    plugin = new WithPlugin();
  });
  afterAll(() => plugin.close());

  test("is decrypted from where the key log has the key on", async () => {
    const keys = await uncheckedRun([
      "keys",
      sample("dirtsand-session.pcap"),
      "--keys",
      sample("dirtsand-session.keys"),
    ]);
    const log = plugin.file("live.keylog", "# nothing yet\n");
    const columns = ["frame.number", "moul.message", "moul.status", "tcp.stream"].flatMap((name) => ["-e", name]);
    // The last that it shows before the key comes.
    const before = plugin
      .tshark(sample("dirtsand-session.pcap"), ["-Y", "moul", "-T", "fields", ...columns])
      .split("\n");
    const last = before.findLast((row) => Number.parseInt(row, 10) <= FRAME);
    const args = ["-i", "-", "-l", "-o", `moul.keylog:${log}`, "-Y", "moul", "-T", "fields", ...columns];
    const child = spawn(tsharkProgram, [...plugin.script, ...args]);
    let [text, errors] = ["", ""];
    child.stdout.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
    child.stderr.on("data", (bytes: Buffer) => {
      errors += bytes.toString();
    });
    // What was not written as it ended early shows in what it printed.
    child.stdin.on("error", () => {});
    const exit = new Promise((resolve) => child.on("close", resolve));
    const cut = endOf(FRAME);
    child.stdin.write(capture.subarray(0, cut));
    for (let waited = 0; !text.includes(`\n${last}\n`); waited += 10) {
      if (waited > 20_000 || child.exitCode !== null) {
        throw new Error(`tshark has not shown "${last}": ${text}${errors}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    writeFileSync(log, keys.stdout);
    child.stdin.end(capture.subarray(cut));
    await exit;
    const lines = text
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
    // One that was encrypted at first is not any more.
    const isEncrypted = new Set(lines.flatMap(([, , status, stream]) => (status === "encrypted" ? [stream] : [])));
    const [, ...shown] = lines.slice(lines.findLastIndex(([, , status]) => status === "encrypted"));
    // What the same packets hold where the key is known from the beginning.
    const whole = plugin.tshark(sample("dirtsand-session.pcap"), [
      "-o",
      `moul.keylog:${log}`,
      "-Y",
      "moul",
      "-T",
      "fields",
      ...columns,
    ]);
    const known = new Map(
      whole
        .trim()
        .split("\n")
        .map((line) => [line.split("\t")[0], line]),
    );
    expect(shown.length).toBeGreaterThan(100);
    expect(shown.filter(([, , status, stream]) => status === "ok" && isEncrypted.has(stream)).length).toBeGreaterThan(
      0,
    );
    const different = shown.filter((row) => known.get(row[0]) !== row.join("\t"));
    expect(different.map((row) => row.join(" "))).toEqual([]);
  }, 60_000);
});
