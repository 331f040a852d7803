import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { widthOf } from "../../src/output/writers/text-width.js";
import { page } from "../docs/pages.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { sample } from "../support/samples.js";

/** `--format summary` on a terminal: lines that fit, and what went wrong. */

const CAPTURE = sample("dirtsand-session.pcap");
const SAMPLES = ["dirtsand-session.pcap", "nagus-session.pcap", "bz107e-reject.pcap", "bz107e-ping.pcap"];
const WIDTHS = [80, 100, 120, 200];
const PLAIN = ["--color", "never"];
const SUMMARY = ["--format", "summary", ...PLAIN];
/** What went wrong in the sample, with what was asked. */
const REFUSED = "number in {58, 59, 71, 72, 97, 98, 172, 173}";

/** Text with the codes of its colours as `<32>`. */
function withCodes(text: string): string {
  return text.replaceAll("\u001b[", "<").replace(/(?<=<\d+)m/g, ">");
}

async function onTerminal(args: readonly string[], columns: number) {
  const [stdout, stderr] = [new FakeTerminal(columns), new FakeTerminal(columns)];
  const code = await main(args, { stdout, stderr, env: {} });
  return { code, lines: stdout.text.split("\n").slice(0, -1), said: stderr.text };
}

describe.each(WIDTHS)("on a terminal of %d columns, a summary", (columns) => {
  it("looks like the picture", async () => {
    const filter = [
      "-Y",
      "number in {1 .. 7, 37 .. 41, 56 .. 59, 71 .. 76, 97 .. 98, 172 .. 173, 311 .. 330, 560 .. 574}",
    ];
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY, ...filter], columns);
    await expect(lines.join("\n")).toMatchFileSnapshot(`pictures/summary-${columns}.txt`);
  });

  it.each(SAMPLES)("has no line that is wider, for %s", async (name) => {
    for (const more of [[], ["--time", "absolute"], ["--columns", "number,time,source,destination,info"]]) {
      const { lines } = await onTerminal([sample(name), ...SUMMARY, ...more], columns);
      expect(lines.length).toBeGreaterThan(5);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.filter((line) => line.endsWith(" "))).toEqual([]);
    }
  });

  it("has all messages, by the same numbers as in a pipe", async () => {
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY], columns);
    const { stdout } = await run([CAPTURE, "--format", "summary"]);
    const numbers = (all: readonly string[]) => all.map((line) => Number.parseInt(line, 10));
    expect(numbers(lines)).toEqual(numbers(stdout.split("\n").slice(0, -1)));
  });

  it("says why requests failed", async () => {
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY, "-Y", REFUSED], columns);
    const text = lines.join("\n");
    expect(text).toMatch(/file dat\\nothere\.gz: not found/);
    expect(text).toMatch(/account alic\S*: authentication failed/);
    expect(text).toMatch(/player Alice of D'ni: already exists/);
    expect(text).toMatch(/node 2147483632: not found/);
  });
});

describe("a summary on a terminal", () => {
  it("is as documented", async () => {
    const [, block = ""] = /At 100 columns:\n\n```text\n(.*?)\n```/s.exec(page("docs/messages.md").text) ?? [];
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY], 100);
    expect(block.split("\n").length).toBeGreaterThan(3);
    for (const line of block.split("\n")) expect(lines).toContain(line);
  });

  it.each([1, 2, 5, 10, 20, 40, 49, 50, 79])("fits even into %d columns", async (columns) => {
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY], columns);
    expect(lines.length).toBe(574);
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
  });

  it("is as wide on a terminal of unknown width as on one of 80 columns", async () => {
    expect((await onTerminal([CAPTURE, ...SUMMARY], 0)).lines).toEqual(
      (await onTerminal([CAPTURE, ...SUMMARY], 80)).lines,
    );
  });

  it("knows what was asked although the request is not shown", async () => {
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY, "-Y", "number == 59"], 120);
    expect(lines).toEqual([expect.stringContaining("file dat\\nothere.gz: not found (#58, 0.095 ms)")]);
  });

  it("has whole columns with --wide, as a pipe has", async () => {
    const { lines } = await onTerminal([CAPTURE, ...SUMMARY, "--wide", "-Y", "number <= 30"], 80);
    const { stdout } = await run([CAPTURE, "--format", "summary", "-Y", "number <= 30"]);
    expect(lines).toEqual(stdout.split("\n").slice(0, -1));
  });

  it("has failed replies in red, and others not", async () => {
    const args = [CAPTURE, "--format", "summary", "--color", "always", "-Y", "number in {58, 59}"];
    const { lines } = await onTerminal(args, 120);
    expect(lines.map((line) => withCodes(line).includes("<31>"))).toEqual([false, true]);
    expect(withCodes(lines[1] ?? "")).toMatch(/<31>file dat\\nothere\.gz: not found/);
  });

  it("follows the width of the terminal", async () => {
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
    let asked = 0;
    // Somebody makes it narrow while it is printed to.
    Object.defineProperty(stdout, "columns", { get: () => (asked++ < 300 ? 200 : 60) });
    await main([CAPTURE, ...SUMMARY], { stdout, stderr, env: {} });
    const widths = stdout.text.split("\n").map(widthOf);
    expect(Math.max(...widths.slice(0, 250))).toBeGreaterThan(120);
    expect(Math.max(...widths.slice(300))).toBe(60);
  });
});

describe("requests without a reply", () => {
  it("are listed at the end, on a terminal only", async () => {
    const { said } = await onTerminal([CAPTURE, ...SUMMARY], 80);
    expect(said).toBe(
      [
        "moul-dissect: no reply to #479 Cli2Game_GameMgrMsg: message 0, receiving game 4 (stream 5)\n",
        "moul-dissect: no reply to #574 Cli2Auth_AcctExistsRequest: account carol (stream 8)\n",
      ].join(""),
    );
    expect((await run([CAPTURE, "--format", "summary"])).stderr).toBe("");
  });

  it("are those that were shown, and none if reading ends early", async () => {
    expect((await onTerminal([CAPTURE, ...SUMMARY, "-Y", "stream == 8"], 80)).said).toMatch(/^[^\n]*#574[^\n]*\n$/);
    expect((await onTerminal([CAPTURE, ...SUMMARY, "-c", "4"], 80)).said).toBe("");
    expect((await onTerminal([CAPTURE, ...SUMMARY, "-q"], 80)).said).toBe("");
  });
});

describe("--columns", () => {
  it("are the fields that the user names", async () => {
    const args = [CAPTURE, "--columns", "number,playerId,info", "-Y", "number in {316, 402}"];
    expect((await run(args)).stdout.split("\n")).toEqual([
      '   316 10124            Cli2Game_PropagateBuffer plNetMsgPagingRoom: playerId=10124 (Alice of D\'ni), name="nb01", pageFlags=0',
      expect.stringMatching(/^ {3}402 10124 {12}Cli2Game_PropagateBuffer plNetMsgTestAndSet: /),
      "",
    ]);
  });

  it("show the name of a message once", async () => {
    const { stdout } = await run([CAPTURE, "--columns", "message,info", "-Y", "number == 58"]);
    expect(stdout).toBe(`${"Cli2File_FileDownloadRequest".padEnd(38)} fileName="dat\\nothere.gz"\n`);
  });

  it("are cut on a terminal, an endpoint at its beginning", async () => {
    const columns = "number,time,source,destination,protocol,message,info";
    const { lines } = await onTerminal([CAPTURE, "--columns", columns, ...PLAIN, "-Y", "number == 58"], 100);
    expect(lines[0]).toMatch(/^ {4}58 04:55:06\.997 …[\d.]*:45232 …[\d.]*:14617 .*fileName="/);
  });

  it.each([
    ["nmber,info", /did you mean number or member\?/],
    ["number,,info", /^moul-dissect: --columns needs names with commas/],
    ["", /^moul-dissect: --columns needs names with commas/],
  ])("%j is a usage error", async (names, said) => {
    const { code, stdout, stderr } = await run([CAPTURE, "--columns", names]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(said);
  });
});

describe("--color-filter", () => {
  const filter = ["-Y", "number in {58, 59, 71}", "--color", "always"];
  const rules = ["--color-filter", "result != kNetSuccess=magenta", "--color-filter", "protocol == moul.file=green"];

  it("colours whole lines, the first rule that fits", async () => {
    const { lines } = await onTerminal([CAPTURE, ...rules, ...filter], 80);
    expect(lines.map(withCodes)).toEqual([
      expect.stringMatching(/^<32> {3}58 [^<]*<39>$/),
      expect.stringMatching(/^<35> {3}59 .* < file F[^<]*<39>$/),
      expect.stringMatching(/^ {3}71 <2>/),
    ]);
  });

  it("leaves the text of a pipe as it is", async () => {
    const colored = (await run([CAPTURE, ...rules, ...filter])).stdout;
    const plain = (await run([CAPTURE, ...rules, ...filter, "--color", "never"])).stdout;
    expect(withCodes(colored)).toMatch(/^<32> {4}58 .*\n<35> {4}59 .*\n {4}71 /);
    expect(withCodes(colored).replace(/<\d+>/g, "")).toBe(plain);
    expect(plain).toBe((await run([CAPTURE, "--format", "summary", ...filter, "--color", "never"])).stdout);
  });

  it.each(["result != kNetSuccess", "result=pink", "=red", ""])("%j is a usage error", async (rule) => {
    const { code, stderr } = await run([CAPTURE, "--color-filter", rule]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/is not a display filter and a colour, as in .*; the colours are red, green, /);
  });

  it("reports a mistaken filter", async () => {
    const { code, stderr } = await run([CAPTURE, "--color-filter", "playrName == 'x'=red"]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no field, class or message playrName");
  });
});

it.each([["--wide"], ["--columns", "number"], ["--color-filter", "number == 1=red"]])(
  "%s works only with a summary",
  async (...option) => {
    const { code, stderr } = await run([CAPTURE, "--json", ...option]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^moul-dissect: --[a-z-]+ works only with --format summary, not with json\n/);
  },
);
