import { createServer } from "node:net";
import { expect, it } from "vitest";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";

async function viewed(port: string) {
  return uncheckedRun(["view", sample("bz107e-ping.pcap"), "--no-open", "--port", port]);
}

it("refuses a port that there cannot be", async () => {
  const { code, stderr } = await viewed("65536");
  expect(code).toBe(1);
  expect(stderr).toContain("argument '65536' is invalid. It must be 65535 or less.");
});

it("says that another program uses the port", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const { code, stdout, stderr } = await viewed(String(port));
    expect([code, stdout]).toEqual([2, ""]);
    const why = "another program uses it; name another with --port";
    expect(stderr).toBe(`moul-dissect: the page cannot be served on port ${port}: ${why}\n`);
  } finally {
    other.close();
  }
});

it.each([
  [[], 0],
  [["--keys", "no.keys"], 2],
  [["--sdl", "no.sdl"], 2],
])("ends with 2 if a file that was named cannot be read: %s", async (options, expected) => {
  const before = process.listenerCount("SIGINT");
  const ending = uncheckedRun(["view", sample("bz107e-ping.pcap"), "--no-open", ...options]);
  await expect.poll(() => process.listenerCount("SIGINT")).toBeGreaterThan(before);
  process.emit("SIGINT");
  const { code, stdout } = await ending;
  expect([code, stdout]).toEqual([expected, expect.stringMatching(/^http:/)]);
});
