import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Progress } from "../../../src/cli/progress.js";
import { writeInputs } from "../../golden/inputs.js";
import { jsonLines, run } from "../../support/command-line.js";
import { FakeTerminal } from "../../support/fake-terminal.js";
import { sample } from "../../support/samples.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
writeInputs(folder);
const [pings, other] = [join(folder, "pings.pcap"), join(folder, "late.pcap")];

describe("--each", () => {
  it("numbers messages and streams of each capture from the beginning, in the given order", async () => {
    const { stdout } = await run([other, pings, "--each", "--json", "-Y", "number == 1"]);
    expect(jsonLines(stdout)).toMatchObject([
      { number: 1, capture: { name: "late.pcap", index: 0 } },
      { number: 1, stream: 0, capture: { name: "pings.pcap", index: 1 } },
    ]);
  });

  it("has the name in every line, whole as far as captures of the same name differ", async () => {
    const { stdout } = await run([pings, join(folder, "recordings/pings.pcap"), "--each", "--format", "summary"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBe(14);
    for (const line of lines) expect(line).toMatch(/pings\.pcap +\d+ /);
    expect(new Set(lines.map((line) => line.split(/ +\d/, 1)[0])).size).toBe(2);
  });

  it("says which capture has the session of another one, however it was recorded, and says nothing of others", async () => {
    const captures = ["nagus-session.pcap", "nagus-session.any.pcap", "dirtsand-session.pcap"].map(sample);
    const { code, stderr } = await run([...captures, "--each", "--format", "summary", "-Y", "number == 1"]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      "moul-dissect: nagus-session.any.pcap: all 9 conversations are in nagus-session.pcap, too: it is the same session\n",
    );
  });

  it("goes on after a capture that cannot be read, with exit code 2", async () => {
    const { code, stdout, stderr } = await run([
      join(folder, "nowhere.pcap"),
      pings,
      "--each",
      "-c",
      "1",
      "-e",
      "number",
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "pings.pcap\t1\n" });
    expect(stderr).toContain("nowhere.pcap: there is no such file");
  });

  it("lets stats, streams, diagnose and find begin anew, too, with the name beside each object", async () => {
    const captures = [pings, sample("bz107e-ping.pcap")];
    const alone = async (capture: string, ...args: readonly string[]) =>
      jsonLines((await run([...args, capture, "--json"])).stdout);
    for (const args of [["stats"], ["streams"], ["diagnose"], ["find", "MsgAddPlayer"]]) {
      const together = jsonLines((await run([...args, ...captures, "--each", "--json"])).stdout);
      const expected = await Promise.all(
        captures.map(async (capture, index) =>
          (await alone(capture, ...args)).map((line) => ({ ...line, capture: { name: basename(capture), index } })),
        ),
      );
      expect(together).toEqual(expected.flat());
    }
  });

  it("stands above text, and a capture that cannot be read is not the end", async () => {
    const captures = [pings, join(folder, "nowhere.pcap"), sample("bz107e-ping.pcap")];
    for (const args of [["stats"], ["streams"], ["diagnose"]]) {
      const { code, stdout, stderr } = await run([...args, ...captures, "--each"]);
      expect(code).toBe(2);
      expect(stdout).toMatch(/^pings\.pcap\n[\s\S]*\n\n(?:nowhere\.pcap\n\n)?bz107e-ping\.pcap\n/);
      expect(stderr).toContain("nowhere.pcap: there is no such file");
    }
  });

  it("shows how far each file has been read", () => {
    const terminal = new FakeTerminal(100);
    let now = 0;
    const progress = new Progress(terminal, [1000, 3000], () => now);
    now = 2000;
    progress.reachedIn("b.pcap", { capture: 1, bytes: 600 });
    expect(terminal.text).toContain("2/2 b.pcap 20%; 40% of 4.0 kB");
  });
});
