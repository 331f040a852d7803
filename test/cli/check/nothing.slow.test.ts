import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pcapFile } from "../../support/captures.js";
import { jsonLines, run } from "../../support/command-line.js";
import { elsewhere, recordings } from "./support/recordings.js";

const { capture, file } = recordings();

/** A capture without messages; returns its path. */
function silence(name: string): string {
  const path = file(`${name}.pcap`);
  writeFileSync(path, pcapFile([]));
  return path;
}

it("does not pass if there is nothing to compare, unless that is allowed", async () => {
  const path = silence("silent");
  const lines = file("silent.expected.jsonl");
  writeFileSync(lines, "");
  for (const expectation of [lines, silence("other")]) {
    const { code, stdout, stderr } = await run(["check", path, "--expect", expectation, "-q"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("silent.pcap: there are no messages to compare; ");
    const allowed = await run(["check", path, "--expect", expectation, "--allow-empty"]);
    expect(allowed).toEqual({ code: 0, stdout: `${path}: 0 messages as expected\n`, stderr: "" });
  }
});

it("is a difference if the messages are only in one of them, whether nothing is allowed or not", async () => {
  const said = capture("said");
  const nothing = silence("nothing");
  for (const pair of [
    [said, nothing],
    [nothing, said],
  ] as const) {
    for (const args of [[], ["--allow-empty"]]) {
      expect(await run(["check", pair[0], "--expect", pair[1], ...args])).toMatchObject({ code: 4 });
    }
  }
});

it("does not pass if all messages are ignored", async () => {
  const [old, found] = [capture("old"), capture("new", elsewhere)];
  const names = new Set(jsonLines((await run([old, "--json"])).stdout).map(({ message }) => String(message)));
  const ignore = [...names].flatMap((name) => ["--ignore", name]);
  const { code, stdout, stderr } = await run(["check", found, "--expect", old, ...ignore]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("new.pcap: --only and --ignore leave no message to compare; ");
  expect(await run(["check", found, "--expect", old, ...ignore, "--allow-empty"])).toMatchObject({ code: 0 });
});

it("is not written by --update if no message passes --only", async () => {
  const only = ["--only", "result == kNetErrOldBuildId"];
  expect(await run(["check", capture("old"), "--update", ...only])).toMatchObject({ code: 2 });
  expect(existsSync(file("old.expected.jsonl"))).toBe(false);
});

it("is reported to CI as an error", async () => {
  const report = file("report.xml");
  const path = silence("silent");
  expect(await run(["check", path, "--expect", silence("other"), "--junit", report])).toMatchObject({ code: 2 });
  expect(readFileSync(report, "utf8")).toMatch(
    /tests="1" failures="0" errors="1"[\s\S]*<error message="[^"]*no messages/,
  );
});

it("is not written by --update, which leaves what there was, unless that is allowed", async () => {
  const path = silence("silent");
  const expectation = file("silent.expected.jsonl");
  const refused = await run(["check", path, "--update"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("silent.expected.jsonl is not written (--allow-empty writes it)\n");
  expect(existsSync(expectation)).toBe(false);

  await run(["check", capture("said"), "--expect", expectation, "--update"]);
  const before = readFileSync(expectation, "utf8");
  expect(await run(["check", path, "--update"])).toMatchObject({ code: 2 });
  expect(readFileSync(expectation, "utf8")).toBe(before);

  expect(await run(["check", path, "--update", "--allow-empty"])).toMatchObject({ code: 0 });
  expect(readFileSync(expectation, "utf8")).toBe("");
  expect(await run(["check", path, "--allow-empty"])).toMatchObject({ code: 0 });
});
