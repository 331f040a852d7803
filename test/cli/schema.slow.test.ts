import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { jsonLines, run, uncheckedRun } from "../support/command-line.js";
import { type SchemaCheck, schemaCheck, wholeSchemaCheck } from "../support/json-schema.js";
import { oncePerName } from "../support/once.js";
import { DISTINCT_SESSIONS, sample } from "../support/samples.js";
import { vectorsIn } from "../support/vectors.js";

/** Checks `schema` against actual output: every line of JSON of every sample has to match it. */

async function schemaOf(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(["schema", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const checkByWords = oncePerName(async (words) => schemaCheck(await schemaOf(...words.split(" ").filter(Boolean))));

/** Checks values against a schema printed by the program, which is printed only once. */
function checkOf(...args: readonly string[]): Promise<SchemaCheck> {
  return checkByWords(args.join(" "));
}

async function linesOf(...args: readonly string[]): Promise<unknown[]> {
  const { code, stdout } = await uncheckedRun([...args, "--quiet"]);
  expect(code).toBe(0);
  return jsonLines(stdout);
}

function problemsOf(lines: readonly unknown[], check: SchemaCheck): string[] {
  return lines.flatMap((line, index) => check(line).map((problem) => `line ${index + 1}: ${problem}`)).slice(0, 5);
}

describe.each(DISTINCT_SESSIONS)("%s", (name) => {
  it.each([
    ["messages", [], [sample(name), "--json"]],
    ["annotated trees", ["--of", "tree"], [sample(name), "--format", "json-tree"]],
    ["conversations", ["--of", "stream"], ["streams", sample(name), "--json"]],
    ["statistics", ["--of", "stats"], ["stats", sample(name), "--json"]],
  ])("has %s that match the schema", async (_, schema, args) => {
    const lines = await linesOf(...args);
    expect(lines.length).toBeGreaterThan(0);
    expect(problemsOf(lines, await checkOf(...schema))).toEqual([]);
  });
});

describe("schema", () => {
  it.each([
    ["what concerns a message", schemaCheck],
    ["the whole", wholeSchemaCheck],
  ])("rejects lines that do not match it: %s", async (_what, checkBy) => {
    const check = checkBy(await schemaOf());
    const lines = await linesOf(sample("nagus-plain.pcap"), "--json");
    const line = JSON.stringify(lines.find((one) => JSON.stringify(one).includes('"Cli2Game_JoinAgeRequest"')));
    const changed = (from: string, to: string) => {
      expect(line).toContain(from);
      return check(JSON.parse(line.replace(from, to)));
    };
    expect(problemsOf(lines, check)).toEqual([]);
    expect(changed('"fields":{', '"fields":{"surplus":1,')).not.toEqual([]);
    expect(changed('"mcpId":', '"mcpId":-')).not.toEqual([]);
    expect(changed('"status":"ok"', '"status":"fine"')).not.toEqual([]);
    expect(changed('"transport":"tcp",', "")).not.toEqual([]);
    const { fields, ...envelope } = Object(JSON.parse(line));
    const { mcpId: _, ...others } = Object(fields);
    expect(check({ ...envelope, fields: others })).not.toEqual([]);
    expect(check({ ...envelope, fields: others, status: "truncated" })).toEqual([]);
    expect(changed("Cli2Game_JoinAgeRequest", "Cli2Game_Nothing")).not.toEqual([]);
    const nested = JSON.stringify(lines.find((one) => JSON.stringify(one).includes('"class":"plNetMsgGameMessage"')));
    expect(check(JSON.parse(nested))).toEqual([]);
    expect(check(JSON.parse(nested.replaceAll('"classIndex":', '"classIndex":-')))).not.toEqual([]);
    expect(check(JSON.parse(nested.replaceAll('"class":"plNetMsg', '"class":"plNetMs')))).not.toEqual([]);
  });

  it("knows the names of enums and flags", async () => {
    const check = await checkOf("Game2Cli_JoinAgeReply");
    expect(check({ transactionId: 1, result: "kNetSuccess" })).toEqual([]);
    expect(check({ transactionId: 1, result: "4711" })).toEqual([]);
    expect(check({ result: "kNetSucces" })).not.toEqual([]);
    expect(check({ result: true })).not.toEqual([]);
    const flags = await checkOf("plNetMsgPlayerPage");
    expect(flags({ class: "plNetMsgPlayerPage", classIndex: 0x03b4, flags: ["kHasPlayerID", "0x80000000"] })).toEqual(
      [],
    );
    expect(flags({ class: "plNetMsgPlayerPage", classIndex: 0x03b4, flags: ["nosuch"] })).not.toEqual([]);
    expect(flags({ class: "plNetMsgPlayerPag", classIndex: 0x03b4 })).not.toEqual([]);
  });

  it("covers only one message or class on request", async () => {
    const { $schema, title, $ref, $defs } = await schemaOf("plUoid");
    expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect({ title, $ref }).toEqual({ title: "plUoid", $ref: "#/$defs/plUoid" });
    expect(Object.keys(Object($defs))).toEqual(expect.arrayContaining(["plLocation", "plUoid"]));
    expect(Object.keys(Object($defs)).length).toBeLessThan(6);
  });

  it.each([
    ["what concerns a value", schemaCheck],
    ["the whole", wholeSchemaCheck],
  ])("describes what decode prints: %s", async (_what, checkBy) => {
    const check = checkBy(await schemaOf("--of", "value"));
    const [line] = await decoded("plUoid", "0021000100000001000500000005f0af939e9691");
    expect(check(line)).toEqual([]);
    expect(check({ ...Object(line), message: "nosuch" })).not.toEqual([]);
    expect(check({ ...Object(line), fields: { surplus: 1 } })).not.toEqual([]);
  });

  it("describes every class with recorded bytes, even if they are cut off or wrong", async () => {
    const check = await checkOf("--of", "value");
    const files = ["net-messages", "plasma-messages", "avatar-tasks-brains", "extra-messages"];
    const whole = files.flatMap(vectorsIn).filter(({ classIndex }) => classIndex !== null);
    const broken = whole.flatMap(({ hex }, index) => {
      // After the class index, at a different place in each of them.
      const at = 4 + 2 * ((index * 7) % Math.max(1, hex.length / 2 - 2));
      return [hex.slice(0, at), `${hex.slice(0, at)}ff${hex.slice(at + 2)}`, `${hex}00`];
    });
    const all = [...whole.map(({ hex }) => hex), ...broken];
    const input = Readable.from(all.map((hex) => `${hex}\n`));
    const lines = jsonLines((await run(["decode", "plCreatable", "--json"], {}, input)).stdout);
    expect(lines.length).toBe(all.length);
    expect(lines.some((line) => Object(line).status === "malformed")).toBe(true);
    expect(problemsOf(lines, check)).toEqual([]);
  });

  it("explains itself with --help", async () => {
    const { code, stdout } = await run(["schema", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--of <lines>", '"stream"', "[name]", "--dissector"]) expect(stdout).toContain(word);
  });

  it("is available for other dissectors", async () => {
    const args = ["--dissector", sample("example-dissector/parley.js")];
    const lines = await linesOf(sample("example-dissector/parley.pcap"), "--json", ...args);
    expect(problemsOf(lines, await checkOf(...args))).toEqual([]);
    expect(problemsOf(lines, await checkOf())).not.toEqual([]);
  });

  it("refuses undeclared names", async () => {
    const { code, stdout, stderr } = await run(["schema", "nosuch"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe("moul-dissect: nosuch is not a message or class; moul-dissect fields lists them\n");
  });
});

async function decoded(type: string, digits: string): Promise<unknown[]> {
  const { stdout } = await run(["decode", type, digits, "--json"]);
  return jsonLines(stdout);
}
