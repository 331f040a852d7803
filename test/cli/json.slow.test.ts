import { describe, expect, it } from "vitest";
import { safeJson } from "../../src/output/writers/sanitise.js";
import { jsonLines, run, uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";

/**
 * What programs may rely on: checks every line of JSON of every recorded session against the contract of the command
 * line.
 */

const SESSIONS = [
  "nagus-session.pcap",
  "nagus-session.pcapng",
  "nagus-session.any.pcap",
  "nagus-plain.pcap",
  "dirtsand-session.pcap",
  "dirtsand-plain.pcap",
];

const BOTH = ["schema", "number", "time", "frames", "stream", "transport", "source", "destination", "direction"];
const MEMBERS = [...BOTH, "protocol", "message", "summary", "status", "fields", "notes"];
const TREE_MEMBERS = [...BOTH, "protocol", "message", "summary", "status", "tree", "sources", "notes"];
/** What version 2 has after these, in its order; those with a question mark may be absent. */
const FACTS = [
  "capture",
  "epoch",
  "seconds",
  "length",
  "payloadId?",
  "answers?",
  "error?",
  "player?",
  "age?",
  "names?",
  "misfits?",
];
/** The members of a node, in their order; those with a question mark may be absent. */
const NODE = ["name", "kind", "class?", "value", "label?", "start", "end", "source", "children?", "notes?"];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(\d{3})?Z$/;
const ENDPOINT = /^127\.0\.0\.1:\d+$/;
const STATUSES = ["ok", "malformed", "truncated", "unknown", "encrypted"];

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Json {
  if (!isObject(value)) throw new TypeError(`${JSON.stringify(value)} is not an object`);
  return value;
}

function listOf(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new TypeError(`${JSON.stringify(value)} is not an array`);
  return value.map(objectOf);
}

async function linesOf(session: string, format: string): Promise<string[]> {
  // schema.slow.test.ts holds these lines against their schema.
  const { code, stdout, stderr } = await uncheckedRun([sample(session), "--format", format]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("\n")).toBe(true);
  return stdout.trimEnd().split("\n");
}

/** The members that an object should have, in order; those with a question mark only if it has them. */
function orderOf(object: Json, members: readonly string[]): string {
  const there = members.filter((member) => !member.endsWith("?") || member.slice(0, -1) in object);
  return there.map((member) => member.replace("?", "")).join();
}

/** What is wrong with the members that both forms have. */
function problemsOf(message: Json, index: number): string[] {
  const { schema, number, time, frames, stream, transport, source, destination, direction, status, notes } = message;
  const { capture, epoch, seconds, length } = message;
  const checks: readonly (readonly [string, boolean])[] = [
    ["schema", schema === "moul-dissect.message/2"],
    ["capture", objectOf(capture)["index"] === 0],
    [
      "epoch",
      new Date(Number(BigInt(String(epoch)) / 1_000_000n)).toISOString().slice(0, 23) === String(time).slice(0, 23),
    ],
    ["seconds", Math.abs(Number(seconds) - Number(epoch) / 1e9) < 1e-6],
    ["length", Number.isInteger(length)],
    ["number", number === index + 1],
    ["time", typeof time === "string" && TIME.test(time)],
    [
      "frames",
      Array.isArray(frames) && frames.length > 0 && frames.every((frame) => Number.isInteger(frame) && frame > 0),
    ],
    ["stream", Number.isInteger(stream)],
    ["transport", transport === "tcp"],
    ["source", typeof source === "string" && ENDPOINT.test(source)],
    ["destination", typeof destination === "string" && ENDPOINT.test(destination)],
    ["direction", direction === (String(destination).endsWith(":14617") ? "c2s" : "s2c")],
    ["protocol", /^moul\.(gatekeeper|auth|game|file)$/.test(String(message["protocol"]))],
    ["message", typeof message["message"] === "string"],
    ["summary", typeof message["summary"] === "string"],
    ["status", STATUSES.includes(String(status))],
    ["notes", listOf(notes).every((note) => Object.keys(note).join() === "severity,path,text")],
  ];
  return checks.filter(([, holds]) => !holds).map(([member]) => `${member} of message ${index + 1}`);
}

/** What is wrong with a node of the annotated tree, and with those below it. */
function nodeProblems(node: Json, sources: readonly Json[], path: string): string[] {
  const here = `${path}.${String(node["name"])}`;
  const order = orderOf(node, NODE);
  const { kind, value, start, end, source, children } = node;
  const source0 = objectOf(sources[Number(source)]);
  const outer = kind === "array" || kind === "struct";
  const checks: readonly (readonly [string, boolean])[] = [
    ["members", Object.keys(node).join() === order],
    ["range", Number(start) <= Number(end) && Number(end) <= Number(source0["length"])],
    ["children", outer === Array.isArray(children)],
    ["value", kind === "derived" || (value === null) === outer],
    ["class", !("class" in node) || kind === "struct"],
    ["elements", kind !== "array" || listOf(children).every(({ name }, index) => name === `[${index}]`)],
  ];
  const below = outer ? listOf(children).flatMap((child) => nodeProblems(child, sources, here)) : [];
  return [...checks.filter(([, holds]) => !holds).map(([member]) => `${member} of ${here}`), ...below];
}

describe.each(SESSIONS)("%s", (session) => {
  it("as JSON has every member of every message, in order", async () => {
    const problems: string[] = [];
    const lines = await linesOf(session, "json");
    expect(lines.length).toBeGreaterThan(400);
    for (const [index, line] of lines.entries()) {
      const message = objectOf(JSON.parse(line));
      if (Object.keys(message).join() !== orderOf(message, [...MEMBERS, ...FACTS]))
        problems.push(`members of message ${index + 1}`);
      // No duplicate member, no spaces, no alternative number format.
      if (safeJson(message) !== line) problems.push(`form of message ${index + 1}`);
      problems.push(...problemsOf(message, index));
      objectOf(message["fields"]);
    }
    expect(problems).toEqual([]);
  });

  it("as an annotated tree has every member of every node, in order", async () => {
    const problems: string[] = [];
    const lines = await linesOf(session, "json-tree");
    for (const [index, line] of lines.entries()) {
      const message = objectOf(JSON.parse(line));
      if (Object.keys(message).join() !== orderOf(message, [...TREE_MEMBERS, ...FACTS]))
        problems.push(`members of message ${index + 1}`);
      problems.push(...problemsOf(message, index));
      const sources = listOf(message["sources"]);
      sources.forEach((source, id) => {
        if (source["id"] !== id || (id === 0) !== (source["kind"] === "message" && !("parent" in source))) {
          problems.push(`source ${id} of message ${index + 1}`);
        }
      });
      for (const node of listOf(message["tree"])) {
        problems.push(...nodeProblems(node, sources, `message ${index + 1}`));
      }
    }
    expect(problems.slice(0, 10)).toEqual([]);
  });
});

describe("JSON", () => {
  it("is the same with --json and --format json", async () => {
    const args = [sample("nagus-plain.pcap"), "-c", "20"];
    const { stdout } = await run([...args, "--json"]);
    expect(stdout).toBe((await run([...args, "--format", "json"])).stdout);
    const both = await run([...args, "--json", "--format", "json"]);
    expect(stdout).toBe(both.stdout);
  });

  it("gives the place and length of what cannot be decrypted, in both forms", async () => {
    const wrong = ["--keys", sample("keys/dirtsand/dirtsand.ini")];
    const args = [sample("nagus-session.pcap"), "--quiet", ...wrong];
    const find = (stdout: string) =>
      jsonLines(stdout)
        .map(objectOf)
        .find(({ status }) => status === "encrypted");
    const fields = objectOf(find((await run([...args, "--json"])).stdout)?.["fields"]);
    expect(fields).toEqual({ offset: 117, length: 60 });
    const { tree, sources, notes } = objectOf(find((await run([...args, "--format", "json-tree"])).stdout));
    expect(listOf(tree).map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ["offset", "derived", 117],
      ["length", "derived", 60],
    ]);
    expect(listOf(sources)).toHaveLength(1);
    expect(listOf(notes)[0]?.["text"]).toMatch(
      /^encrypted, and the key of the gatekeeper server that was given does not fit/,
    );
  });
});
