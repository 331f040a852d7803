import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check } from "../../../src/index.js";
import { run } from "../../support/command-line.js";
import { sample } from "../../support/samples.js";
import { linesOf, recordings, schemaOf } from "./support/recordings.js";

const { file } = recordings();

/** Two recordings of the same script on each shard, of which one has no encryption. */
const TWICE = [
  ["dirtsand-session.pcap", "dirtsand-plain.pcap"],
  ["nagus-session.pcap", "nagus-plain.pcap"],
] as const;

/** What the vault has become by the end, as lines. */
async function vaultOf(name: string, path: string, ...more: readonly string[]): Promise<void> {
  expect(await run(["vault", sample(name), "--json", "-o", path, "--force", "-q", ...more])).toMatchObject({ code: 0 });
}

describe.each(TWICE)("the vault of %s", (name, again) => {
  it("is the one of another recording, with or without the messages that tell which nodes correspond", async () => {
    const path = file("vault.jsonl");
    await vaultOf(name, path);
    const { code, stdout } = await run(["check", sample(again), "--expect", path]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${sample(again)}: 68 nodes as expected\n` });
    // The order of some messages differs.
    const both = await run(["check", sample(again), "--expect", sample(name), "--vault", "--only", "number == 0"]);
    expect(both).toMatchObject({ code: 0 });
    expect(both.stdout).toMatch(/: \d+ messages and 68 nodes as expected\n$/);
  });

  it("becomes lines of the expectation that match the schema, and are compared from then on", async () => {
    const path = file("lines.jsonl");
    const update = await run(["check", sample(name), "--expect", path, "--update", "--vault", "-q"]);
    expect(update).toMatchObject({ code: 0 });
    const isExpected = await schemaOf("expectation");
    const lines = linesOf(path);
    const nodes = lines.filter((line) => line.includes("moul-dissect.expected-node/1"));
    expect(nodes).toHaveLength(68);
    for (const line of nodes) expect(isExpected(JSON.parse(line)), line).toBe(true);
    for (const line of lines.slice(0, 100)) expect(isExpected({ ...JSON.parse(line), surplus: 1 }), line).toBe(false);
    expect((await run(["check", sample(name), "--expect", path, "-q"])).stdout).toMatch(/ and 68 nodes as expected\n$/);

    const changed = lines.map((line) => line.replace(/("online"|"ageSequenceNumber"):(\d+)/, "$1:1$2"));
    writeFileSync(path, `${changed.join("\n")}\n`);
    const { code, stdout } = await run(["check", sample(name), "--expect", path, "--only", "number == 0", "-q"]);
    expect(code).toBe(4);
    expect(stdout).toMatch(/ (online|ageSequenceNumber)\n +- 1\d\n +\+ \d\n/);
    const without = await run(["check", sample(name), "--expect", path, "--only", "number == 0", "--no-vault", "-q"]);
    expect(without).toMatchObject({ code: 0 });
  });

  it("follows changes by --update, which leaves lines alone that mean the same", async () => {
    const path = file("vault.jsonl");
    await vaultOf(again, path);
    const wanted = linesOf(path);
    // Other nodes, other fields, other ids, another order.
    await vaultOf(again, path, "--at", "300");
    const early = linesOf(path);
    const { stdout } = await run(["check", sample(name), "--expect", path, "--update", "-q"]);
    expect(stdout).toMatch(/: written \(68 nodes, \d+ differences\)\n$/);
    expect(linesOf(path).filter((line) => early.includes(line)).length).toBeGreaterThan(20);
    for (const one of [name, again]) {
      expect(await run(["check", sample(one), "--expect", path, "-q"]), one).toMatchObject({ code: 0 });
    }
    const ids = (lines: readonly string[]) =>
      new Set(lines.map((line) => Object(JSON.parse(line))).map(({ id, nodeId }) => String(id ?? nodeId)));
    const kept = [...ids(early)].filter((id) => ids(wanted).has(id));
    expect([...ids(linesOf(path))]).toEqual(expect.arrayContaining(kept));
    const same = await run(["check", sample(name), "--expect", path, "--update", "-q"]);
    expect(same.stdout).toBe(`${path}: already up to date (68 nodes)\n`);
  });
});

describe("the vault in an expectation", () => {
  const capture = sample("dirtsand-session.pcap");

  it("is added and removed by --update", async () => {
    const path = file("lines.jsonl");
    await run(["check", capture, "--expect", path, "--update", "-q"]);
    const messages = linesOf(path);
    const missing = await run(["check", capture, "--expect", path, "--vault", "-q"]);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain("no line of it is about the vault; check --vault --update adds them");
    await run(["check", capture, "--expect", path, "--update", "--vault", "-q"]);
    expect(linesOf(path).slice(0, messages.length)).toEqual(messages);
    expect(linesOf(path)).toHaveLength(messages.length + 68);
    await run(["check", capture, "--expect", path, "--update", "--no-vault", "-q"]);
    expect(linesOf(path)).toEqual(messages);
  });

  it("stays where --ignore leaves it out of an update", async () => {
    const path = file("vault.jsonl");
    await vaultOf("dirtsand-session.pcap", path);
    const before = linesOf(path);
    writeFileSync(path, before.map((line) => `${line.replace("vagahfah 25", "26")}\n`).join(""));
    const ignored = ["--ignore", "vault.Chronicle", "-q"];
    const { stdout } = await run(["check", capture, "--expect", path, "--update", ...ignored]);
    expect(stdout).toBe(`${path}: written (67 nodes, 1 difference)\n`);
    expect(linesOf(path)).toHaveLength(before.length);
    expect(await run(["check", capture, "--expect", path, "-q"])).toMatchObject({ code: 0 });
    await run(["check", capture, "--expect", path, "--update", "--no-vault", ...ignored.slice(2)]);
    expect(readFileSync(path, "utf8")).not.toContain("-node/1");
  });

  it("is a test of its own in a report", async () => {
    const path = file("vault.jsonl");
    const report = file("report.xml");
    await vaultOf("dirtsand-session.pcap", path);
    await run(["check", capture, "--expect", path, "--junit", report, "-q"]);
    expect(readFileSync(report, "utf8")).toMatch(/tests="1" failures="0" errors="0"/);
    expect(readFileSync(report, "utf8")).toMatch(/<testcase [^>]*name="vault"/);
    writeFileSync(path, readFileSync(path, "utf8").replace("vagahfah 25", "]]>"));
    await run(["check", capture, "--expect", path, "--junit", report, "-q"]);
    expect(readFileSync(report, "utf8")).toMatch(/tests="1" failures="1"/);
    expect(readFileSync(report, "utf8")).toContain("~ 10212 TextNote D'ni numbers (expected in line ");
  });

  it("has to be about something", async () => {
    const path = file("lines.jsonl");
    const capturesWithoutVault = sample("bz107e-relay.pcap");
    const nothing = ["check", capturesWithoutVault, "--expect", path, "--vault", "--update"];
    expect(await run(nothing)).toMatchObject({ code: 2 });
    expect(existsSync(path)).toBe(false);
    expect(await run([...nothing, "--allow-empty", "-q"])).toMatchObject({ code: 0 });
    const lost = ["check", capturesWithoutVault, "--expect", file("vault.jsonl")];
    await vaultOf("dirtsand-session.pcap", file("vault.jsonl"));
    expect((await run(lost)).stdout).toMatch(/: 68 differences in 0 nodes\n$/);
  });

  it("is compared by programs, too", async () => {
    const path = file("vault.jsonl");
    await vaultOf("dirtsand-session.pcap", path);
    const lines = linesOf(path);
    const same = await check(capture, { lines });
    expect(same).toMatchObject({ differences: [], comparedNodes: { found: 68, expected: 68 }, compared: { found: 0 } });
    const { differences } = await check(capture, { lines: lines.map((line) => line.replace("vagahfah 25", "26")) });
    expect(differences).toMatchObject([{ kind: "changed node", found: { id: "10212" } }]);
    const both = await check(capture, { captures: sample("dirtsand-session.pcap") }, { vault: true });
    expect(both).toMatchObject({ differences: [], comparedNodes: { found: 68, expected: 68 } });
    await expect(check(capture, { lines: [...lines, ...lines] })).rejects.toThrow("line 69: there is another line");
  });
});
