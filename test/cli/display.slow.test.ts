import { describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";

/** `-Y`, `-e` and `--csv` on the command line. */

const CAPTURE = sample("dirtsand-session.pcap");

const numbers = (stdout: string) =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => Number(line.trim().split(/\s/)[0]));

describe("-Y", () => {
  it("shows only what passes, with the same numbers as without", async () => {
    const { code, stdout, stderr } = await run([CAPTURE, "--format", "summary", "-Y", "plNotifyMsg"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(numbers(stdout)).toEqual([398, 399, 400, 401, 407, 409, 472, 492]);
  });

  it("works with every format", async () => {
    for (const format of ["tree", "json", "json-tree"]) {
      const { stdout } = await run([CAPTURE, "--format", format, "--filter", "number == 5"]);
      expect(stdout.match(/GateKeeper2Cli_PingReply/g)?.length, format).toBeGreaterThan(0);
      expect(stdout).not.toContain("Cli2GateKeeper_FileSrvIpAddressRequest");
    }
  });

  it("makes -c count what is shown", async () => {
    const { stdout } = await run([CAPTURE, "--format", "summary", "-Y", "plNotifyMsg", "-c", "2"]);
    expect(numbers(stdout)).toEqual([398, 399]);
  });

  it("may let nothing pass, which is not an error", async () => {
    expect(await run([CAPTURE, "-Y", "number > 100000"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("does not hide anything from --fail-on", async () => {
    const { code, stdout } = await run([CAPTURE, "-Y", "number > 100000", "--fail-on", "unknown"]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  });

  it("says what is wrong, and where", async () => {
    const { code, stdout, stderr } = await run([CAPTURE, "-Y", "direction == c2s and playrName == 'x'"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      [
        "moul-dissect: there is no field, class or message playrName; did you mean playerName or varName?",
        "  direction == c2s and playrName == 'x'",
        "                       ^~~~~~~~~",
        "",
      ].join("\n"),
    );
  });

  it("never sends a raw expression to the terminal", async () => {
    const { stderr } = await run([CAPTURE, "-Y", "\u001b[2J"]);
    expect(stderr).toBe("moul-dissect: \\u001b means nothing here\n  \\u001b[2J\n  ^\n");
  });
});

describe("-e", () => {
  const args = [CAPTURE, "-Y", "Auth2Cli_AcctLoginReply", "-e", "number", "-e", "result", "-e", "playerName"];

  it("prints a column, separated by tabs", async () => {
    const expected = {
      code: 0,
      stderr: "",
      stdout: ["72\tkNetErrAuthenticationFailed\t", "76\tkNetSuccess\t"].map((line) => `${line}\n`).join(""),
    };
    expect(await run([...args, "-c", "2"])).toEqual(expected);
    expect(await run([...args, "-c", "2", "--format", "fields"])).toEqual(expected);
  });

  it("prints a CSV column with --csv", async () => {
    const csv = [
      CAPTURE,
      "--csv",
      "-c",
      "2",
      "-Y",
      "plNotifyMsg",
      "-e",
      "number",
      "-e",
      "plNotifyMsg.receivers.objectName",
    ];
    const row = '"cRespFountainWater,cPythHoodClock"';
    expect((await run(csv)).stdout).toBe(`number,plNotifyMsg.receivers.objectName\n398,${row}\n399,${row}\n`);
    expect((await run([...csv, "--no-header"])).stdout).toBe(`398,${row}\n399,${row}\n`);
  });

  it.each([
    [["-e", "playrName"], /did you mean playerName or varName\?\n {2}playrName\n {2}\^~~~~~~~~\n$/],
    [["--format", "fields"], /^moul-dissect: --format fields needs columns: name each of them with -e\n$/],
    [["--csv"], /^moul-dissect: --format fields needs columns: name each of them with -e\n$/],
    [["--json", "-e", "number"], /^moul-dissect: -e works only with --format fields, not with json\n$/],
    [["--format", "tree", "-e", "number"], /^moul-dissect: -e works only with --format fields, not with tree\n$/],
    [["--format", "summary", "--csv"], /^moul-dissect: --csv works only with --format fields/],
    [["-e", "number", "--no-header"], /^moul-dissect: --no-header works only with --csv\n$/],
    [["--format", "summary", "--hex"], /^moul-dissect: --hex works only with --format tree, not with summary\n$/],
    [["--json", "--time", "delta"], /^moul-dissect: --time works only with --format tree or summary, not with json/],
    [["--json", "--format", "summary"], /^moul-dissect: --json is the same as --format json, which contradicts/],
  ])("%j is a usage error", async (more, said) => {
    const { code, stdout, stderr } = await run([CAPTURE, ...more]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(said);
  });

  it("is not an option of decode", async () => {
    expect((await run(["decode", "plUoid", "--format", "fields", "00"])).code).toBe(1);
  });
});
