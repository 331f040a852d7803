import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { run, uncheckedRun } from "../../support/command-line.js";
import { isPosix } from "../../support/platform.js";
import { sample } from "../../support/samples.js";
import { elsewhere, recordings } from "./support/recordings.js";

const { capture, file } = recordings();

describe("--junit", () => {
  interface Element {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
    text: string;
  }

  /** The elements of a file, which has to be well formed. */
  function elementsOf(xml: string): Element[] {
    const parser = new SaxesParser();
    const elements: Element[] = [];
    const open: Element[] = [];
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", ({ name, attributes }) => {
      const element = { name, attributes, text: "" };
      elements.push(element);
      open.push(element);
    });
    parser.on("text", (text) => {
      const element = open.at(-1);
      if (element !== undefined) element.text += text;
    });
    parser.on("closetag", () => void open.pop());
    parser.write(xml).close();
    return elements;
  }

  it("writes well-formed XML whatever was captured, with a test for each conversation", async () => {
    const hostile = 'x]]>&<"\u0000\u0008\u001b\ud800\ufffe\r\n\tend';
    const found = capture("new & old", { ...elsewhere, account: "alice" });
    const path = file("lines.jsonl");
    await run(["check", capture("old"), "--expect", path, "--update"]);
    writeFileSync(path, readFileSync(path, "utf8").replace('"alice"', JSON.stringify(hostile)));
    const report = file("report.xml");
    writeFileSync(report, "of the last run");
    expect(await run(["check", found, "--expect", path, "--junit", report])).toMatchObject({ code: 4 });
    const [suites, suite, test, failure] = elementsOf(readFileSync(report, "utf8"));
    expect(suites).toMatchObject({ name: "testsuites", attributes: { tests: "1", failures: "1", errors: "0" } });
    expect(suite).toMatchObject({ name: "testsuite", attributes: { name: found } });
    expect(test).toMatchObject({
      name: "testcase",
      attributes: { classname: found, name: "moul.auth conversation 1 (stream 0)" },
    });
    expect(failure).toMatchObject({ name: "failure", attributes: { message: "1 difference" } });
    expect(failure?.text).toContain('x]]>&<"\\u0000\\u0008\\u001b');
    expect(failure?.text).toContain("        + alice");
    expect(failure?.text).toMatch(/ \(expected in line \d+\)/);
  });

  it("shows what passed, and what could not be checked", async () => {
    const old = capture("old");
    capture("other");
    const report = file("report.xml");
    await run(["check", old, "--update"]);
    expect(await run(["check", file("."), "--junit", report])).toMatchObject({ code: 2 });
    const elements = elementsOf(readFileSync(report, "utf8"));
    expect(elements.map(({ name }) => name)).toEqual([
      "testsuites",
      "testsuite",
      "testcase",
      "testsuite",
      "testcase",
      "error",
    ]);
    expect(elements.at(-1)?.attributes["message"]).toMatch(/there is no expectation/);
  });

  it("says which capture is missing", async () => {
    const missing = file("nowhere.pcap");
    const report = file("report.xml");
    expect(await run(["check", missing, "--junit", report])).toMatchObject({ code: 2 });
    expect(elementsOf(readFileSync(report, "utf8")).at(-1)).toMatchObject({
      name: "error",
      attributes: { message: `${missing}: there is no such file` },
    });
  });

  it("lists the first hundred differences of a conversation, and says how many more there are", async () => {
    const session = sample("bz107e-relay.pcap");
    const path = file("backwards.jsonl");
    // schema.slow.test.ts holds these lines against their schema.
    const lines = (await uncheckedRun([session, "--json"])).stdout.trimEnd().split("\n");
    writeFileSync(path, lines.reverse().join("\n"));
    const report = file("report.xml");
    expect(await run(["check", session, "--expect", path, "--junit", report])).toMatchObject({ code: 4 });
    const longest = elementsOf(readFileSync(report, "utf8")).find(({ text }) =>
      text.includes("; --json lists them all"),
    );
    const [, more] = /^and (\d+) more; --json lists them all$/m.exec(longest?.text ?? "") ?? [];
    expect(longest?.attributes["message"]).toBe(`${100 + Number(more)} differences`);
  });

  it("has a test for a conversation that was not expected", async () => {
    const old = capture("old");
    const nothing = file("nothing.jsonl");
    writeFileSync(nothing, "");
    const report = file("report.xml");
    expect(await run(["check", old, "--expect", nothing, "--junit", report])).toMatchObject({ code: 4 });
    const elements = elementsOf(readFileSync(report, "utf8"));
    expect(elements.map(({ name }) => name)).toEqual(["testsuites", "testsuite", "testcase", "failure"]);
    expect(elements.at(-1)?.attributes["message"]).toBe("1 difference");
  });

  it("reports a capture that was read only in part, and its own loss", async () => {
    const old = capture("old");
    await run(["check", old, "--update"]);
    const lost = await run(["check", old, "--junit", file("missing", "report.xml")]);
    expect(lost.code).toBe(2);
    expect(lost.stderr).toContain("report.xml cannot be written: ");
    writeFileSync(old, readFileSync(old).subarray(0, -7));
    const report = file("report.xml");
    expect(await run(["check", old, "--junit", report])).toMatchObject({ code: 2 });
    expect(elementsOf(readFileSync(report, "utf8")).at(-1)).toMatchObject({
      name: "error",
      attributes: { message: `${old}: it could not be read completely` },
    });
  });

  it("is not written to standard output, where the differences are", async () => {
    const old = capture("old");
    const { code, stdout, stderr } = await run(["check", old, "--expect", old, "--junit", "-"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("--junit needs a file");
    expect(existsSync("-")).toBe(false);
  });

  it("does not overwrite its input", async () => {
    const old = capture("old");
    expect(await run(["check", old, "--expect", old, "--junit", old])).toMatchObject({ code: 1 });
  });

  it("and -o overwrite neither the expectation nor each other", async () => {
    const old = capture("old");
    const path = file("old.expected.jsonl");
    await run(["check", old, "--update"]);
    const expected = readFileSync(path, "utf8");
    for (const args of [
      ["--junit", path],
      ["-o", path, "--force"],
      ["--update", "--junit", path],
    ]) {
      const { code, stderr } = await run(["check", old, ...args]);
      expect(stderr).toContain(`this is the input ${path}, which would be overwritten`);
      expect(code).toBe(1);
    }
    expect(readFileSync(path, "utf8")).toBe(expected);
    const both = file("both.txt");
    const { code, stderr } = await run(["check", old, "--junit", file(".", "both.txt"), "-o", both]);
    expect(stderr).toContain("-o and --junit name the same file");
    expect(code).toBe(1);
    expect(existsSync(both)).toBe(false);
    if (!isPosix) {
      expect((await run(["check", old, "--junit", file("BOTH.txt"), "-o", both])).code).toBe(1);
    } else {
      expect(await run(["check", old, "--junit", "/dev/null", "-o", "/dev/null"])).toMatchObject({ code: 0 });
      const link = file("link.txt");
      symlinkSync("both.txt", link);
      const dangling = await run(["check", old, "--junit", link, "-o", both]);
      expect(dangling.stderr).toContain("-o and --junit name the same file");
      expect(existsSync(both)).toBe(false);
      writeFileSync(both, "of the last run");
      const linked = await run(["check", old, "--junit", link, "-o", both, "--force"]);
      expect(linked.stderr).toContain("-o and --junit name the same file");
      expect(readFileSync(both, "utf8")).toBe("of the last run");
    }
  });
});
