import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { jsonLines, run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Third-party dissectors that are wrong wherever the program relies on them: it names them and goes on. */

const folder = temporaryFolder();

/** What must not reach a terminal. */
const UNSAFE = /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u;

const CAPTURE = sample("example-dissector/parley.pcap");

/** Commands that read captures. */
const READING = [
  [CAPTURE],
  [CAPTURE, "--format", "summary"],
  [CAPTURE, "--json"],
  [CAPTURE, "--format", "json-tree"],
  [CAPTURE, "--csv", "-e", "number", "-e", "protocol", "-e", "summary"],
  [CAPTURE, "--format", "summary", "-Y", 'protocol contains "a"'],
  ["streams", CAPTURE],
  ["streams", CAPTURE, "--json"],
  ["stats", CAPTURE],
  ["stats", CAPTURE, "--json"],
  ["follow", CAPTURE, "--stream", "0"],
  ["keys", CAPTURE],
];

/** Commands that print declarations. */
const DECLARED = [
  ["fields", "evil"],
  ["fields", "evil", "--json"],
  ["schema", "Word"],
  ["decode", "Word", "0548656c6c6f"],
  ["decode", "Word", "0548656c6c6f", "--json"],
];

/** The schema of everything has that of a dissector among hundreds of others: it is printed where a declaration differs. */
const ALL_DECLARED = ["schema"];

/** The schema language, as a package that depends on this one resolves it. */
const schema = pathToFileURL(createRequire(import.meta.url).resolve("moul-dissect/schema")).href;
let modules = 0;

/** Writes a dissector of length-prefixed words, some parts of which are replaced; returns its path. */
function dissector(parts: { declared?: string; conversation?: string; members?: string }): string {
  const path = join(folder, `evil-${++modules}.mjs`);
  writeFileSync(
    path,
    `import { coded, enumeration, group, remarked, packed, rest, struct, text, u8, bytes } from ${JSON.stringify(schema)};
    const boom = () => { throw new Error("boom"); };
    const seen = { c2s: 0, s2c: 0 };
    let Word = struct("Word", { text: text(4).inSummary() });
    ${parts.declared ?? ""}
    const conversation = {
      protocol: "evil",
      encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
      next: () => ({ step: "message", type: Word }),
      ${parts.conversation ?? ""}
    };
    export default {
      name: "evil",
      protocols: ["evil"],
      types: new Map([["Word", Word]]),
      messages: new Map([["evil", { c2s: [Word], s2c: [Word] }]]),
      recognise: () => "yes",
      open: () => conversation,
      ${parts.members ?? ""}
    };`,
  );
  return path;
}

/** Runs a command with a dissector; the output has to be safe, and any failure has to be the dissector's. */
async function attempt(args: readonly string[], module: string) {
  const { code, stdout, stderr } = await run([...args, "--dissector", module]);
  expect(UNSAFE.exec(stdout)?.[0]).toBeUndefined();
  expect(UNSAFE.exec(stderr)?.[0]).toBeUndefined();
  expect(stderr).not.toContain("please report it");
  if (code === 70) expect(stderr).toMatch(/^moul-dissect: the dissector "evil" failed/);
  else expect({ code, stderr }).toMatchObject({ code: 0 });
  // Throws if they are not JSON.
  if (args.includes("--json") || args.includes("json-tree")) jsonLines(stdout);
  return { code, stdout, stderr };
}

const EVIL = '"\\u001b[2J\\u202e\\u2028\\ud800"';
const LEAF = (codec: string) => `Word = struct("Word", { text: coded("word", ${codec}).inSummary() });`;
const MEASURE = (length: string) =>
  LEAF(`{ measure: () => ${length}, read: () => "x", write: () => new Uint8Array(1) }`);
const READ = (value: string) => LEAF(`{ measure: () => 1, read: () => ${value}, write: () => new Uint8Array(1) }`);
const PROBLEM = (found: string) =>
  LEAF(`{ measure: () => 1, read: () => "x", problem: () => ${found}, write: () => new Uint8Array(1) }`);
const DERIVED = (of: string) =>
  `Word = struct("Word", { text: text(4) }, { derived: [{ name: "more", doc: "", schema: {}, of: ${of} }] });`;

describe("a loaded dissector is contained", () => {
  it.each([
    ["is right", { members: "" }],
    ["gives no encryption state", { conversation: "encryptionState: {}" }],
    [
      "gives a strange encryption state",
      { conversation: `encryptionState: { encryption: 5, key: ${EVIL}, keySource: {} }` },
    ],
    [
      "throws in its encryption state",
      {
        conversation:
          "get encryptionState() { if (seen.c2s++ > 0) boom(); return { encryption: 'none', key: 'missing', keySource: '' } }",
      },
    ],
    [
      "gives a key source that a terminal obeys",
      { conversation: `encryptionState: { encryption: "none", key: "missing", keySource: ${EVIL} }` },
    ],
    ["names its protocol so that a terminal obeys", { conversation: `protocol: ${EVIL}` }],
    ["throws in its protocol", { conversation: "get protocol() { if (seen.c2s++ > 1) boom(); return 'evil' }" }],
    ["changes its protocol into a number", { conversation: "get protocol() { return seen.c2s++ > 1 ? 5 : 'evil' }" }],
    ["has a scope that is not text", { conversation: "nameScope: { toString: boom }" }],
    ["throws in decoded", { conversation: "decoded: boom" }],
    [
      "adds a note to a node that does not exist",
      { conversation: "decoded: (d, t, nodes) => nodes.note('malformed', 'error', 99, 'x')" },
    ],
    ["adds a non-text note", { conversation: "decoded: (d, t, nodes) => nodes.note('malformed', 'error', 0, 5)" }],
    [
      "adds a note that a terminal obeys",
      { conversation: `decoded: (d, t, nodes) => nodes.note(${EVIL}, ${EVIL}, 0, ${EVIL})` },
    ],
    ["adds annotations a terminal obeys", { conversation: `decoded: (d, t, nodes) => nodes.annotate(0, ${EVIL})` }],
    [
      "adds an annotation that is not text",
      { conversation: "decoded: (d, t, nodes) => nodes.annotate(1, { toString: boom })" },
    ],
    [
      "gives a strange context",
      {
        conversation: "decoded: (d, t, nodes) => { nodes.context = { player: 5, place: {}, answers: {}, error: 7 } }",
      },
    ],
    [
      "names a request so that a terminal obeys",
      { conversation: `decoded: (d, t, nodes) => { nodes.context = { asks: ${EVIL} } }` },
    ],
    [
      "names a player so that a terminal obeys",
      {
        conversation: `decoded: (d, t, nodes) => {
          nodes.context = { player: { kind: ${EVIL}, id: ${EVIL}, idTitle: ${EVIL} } };
        }`,
      },
    ],
    ["removes all nodes", { conversation: "decoded: (d, t, nodes) => { nodes.count = 0 }" }],
    ["adds nodes that do not exist", { conversation: "decoded: (d, t, nodes) => { nodes.count = 50 }" }],
    ["assembles nonsense", { conversation: "assembled: () => ({ type: Word, bytes: 'text', parts: null })" }],
    [
      "assembles a value that is not a struct",
      { conversation: "assembled: () => ({ type: u8, bytes: new Uint8Array(3), parts: [] })" },
    ],
    ["throws when a message is assembled", { conversation: "assembled: boom" }],
    [
      "names an unknown message so that a terminal obeys",
      { conversation: `next: () => ({ step: "unknown", name: ${EVIL}, head: Word, reason: ${EVIL}, length: 9 })` },
    ],
    ["gives a line of a key log that a terminal obeys", { conversation: `keyLogLine: () => ${EVIL}` }],
    ["gives an invalid line of a key log", { conversation: "keyLogLine: () => 5" }],
    ["throws when it gives a line of a key log", { conversation: "keyLogLine: boom" }],
    ["throws what cannot be shown", { conversation: "decoded: () => { throw { toString: boom } }" }],
    ["throws nothing", { conversation: "decoded: () => { throw undefined }" }],
    ["has no candidate", { conversation: "next: () => ({ step: 'search' }), candidate: () => 5" }],
    [
      "has an invalid candidate",
      {
        conversation: "next: () => ({ step: 'search' }), candidate: () => ({ type: 5, bits: Number.NaN, length: -1 })",
      },
    ],
    [
      "finds candidates everywhere",
      { conversation: "next: () => ({ step: 'search' }), candidate: () => ({ type: Word, bits: 1e9, length: 1 })" },
    ],
    [
      "always wants more to find a candidate",
      { conversation: "next: () => ({ step: 'search' }), candidate: () => 'more'" },
    ],
    [
      "names an unknown message with a number",
      { conversation: "next: () => ({ step: 'unknown', name: 5, head: Word, reason: 7, length: 9 })" },
    ],
    ["does not say why bytes are encrypted", { conversation: "next: () => ({ step: 'encrypted' })" }],
    ["has an invalid cipher", { members: "open: (handle) => { handle.decrypt('c2s', {}); return conversation }" }],
    ["measures NaN bytes", { declared: MEASURE("Number.NaN") }],
    ["measures a negative length", { declared: MEASURE("-1e9") }],
    ["measures more than is left", { declared: MEASURE("1e9") }],
    ["measures half a byte", { declared: MEASURE("0.5") }],
    ["measures a text", { declared: MEASURE("'5'") }],
    ["measures infinity", { declared: MEASURE("Infinity") }],
    ["measures nothing", { declared: MEASURE("0") }],
    ["throws while it measures", { declared: MEASURE("boom()") }],
    ["throws while it reads", { declared: READ("boom()") }],
    ["reads nothing", { declared: READ("undefined") }],
    ["reads what cannot be shown", { declared: READ("({ toString: boom })") }],
    ["reads what a terminal obeys", { declared: READ(EVIL) }],
    ["derives what cannot be shown", { declared: DERIVED("() => { const loop = {}; loop.loop = loop; return loop }") }],
    ["derives a bigint", { declared: DERIVED("() => 5n") }],
    ["derives what a terminal obeys", { declared: DERIVED(`() => ({ [${EVIL}]: ${EVIL}, ["__proto__"]: 5 })`) }],
    ["derives a function", { declared: DERIVED("() => boom") }],
    ["throws while it derives", { declared: DERIVED("boom") }],
    ["throws in a label", { declared: 'Word = struct("Word", { text: text(4) }, { label: boom, shownAs: boom })' }],
    [
      "has a label that is not text",
      { declared: 'Word = struct("Word", { text: text(4) }, { label: () => 5, shownAs: () => 5 })' },
    ],
    ["throws in a fact", { declared: 'Word = struct("Word", { text: text(4) }, { fact: boom })' }],
    [
      "states a fact that is not text",
      { declared: 'Word = struct("Word", { it: group({ text: text(4) }, { fact: () => 5 }) })' },
    ],
    [
      "states no fact",
      { declared: 'Word = struct("Word", { it: group({ text: text(4) }, { fact: () => undefined }) })' },
    ],
    [
      "states a fact that a terminal obeys",
      { declared: `Word = struct("Word", { it: group({ text: text(4) }, { fact: () => ${EVIL} }) })` },
    ],
    [
      "throws in a fact inside",
      { declared: 'Word = struct("Word", { it: group({ text: text(4) }, { fact: boom }) })' },
    ],
    ["throws when it looks for a problem", { declared: PROBLEM("boom()") }],
    ["finds a problem that is not text", { declared: PROBLEM("5") }],
    ["finds a problem that a terminal obeys", { declared: PROBLEM(EVIL) }],
    [
      "describes a number with text that a terminal obeys",
      {
        declared: `Word = struct("Word", { a: packed(u8, () => ${EVIL}).inSummary(), b: remarked(u8, () => ${EVIL}) })`,
      },
    ],
    ["throws when it describes a number", { declared: 'Word = struct("Word", { a: packed(u8, boom).inSummary() })' }],
    [
      "describes a number with nothing",
      { declared: 'Word = struct("Word", { a: packed(u8, () => undefined).inSummary() })' },
    ],
    [
      "documents with what a terminal obeys",
      {
        declared: `Word = struct("Word", { a: enumeration(u8, { [${EVIL}]: 80 }).doc(${EVIL}).inSummary() }, { doc: ${EVIL} })`,
      },
    ],
    ["opens a promise", { members: "open: async () => conversation" }],
    ["recognises with a promise", { members: 'recognise: async () => "yes"' }],
    ["opens what throws", { members: "open: () => new Proxy({}, { get: boom })" }],
    ["has settings that fail late", { members: "settingsFor: async () => boom()" }],
    ["gives a line of a key log that fails late", { conversation: "keyLogLine: async () => boom()" }],
    ["throws in its settings", { members: "settingsFor: boom" }],
    ["throws in its other forms", { members: "otherForms: boom" }],
    ["has invalid other forms", { members: "otherForms: () => [5]" }],
    ["has other forms that are not a list", { members: "otherForms: () => 5" }],
    ["reads keys into nothing", { members: "readKeys: () => undefined" }],
    ["reads definitions into nothing", { members: "readDefinitions: () => undefined" }],
  ])("that %s", async (_what, parts: { declared?: string; conversation?: string; members?: string }) => {
    const module = dissector(parts);
    const problems: string[] = [];
    // Declarations are printed, and values decoded, without any conversation.
    const isConcerned = Object.keys(parts).some((part) => part !== "conversation");
    const declared = parts.declared === undefined ? DECLARED : [ALL_DECLARED, ...DECLARED];
    for (const args of isConcerned ? [...READING, ...declared] : READING) {
      try {
        await attempt(args, module);
      } catch (error) {
        problems.push(`${args.filter((a) => a !== CAPTURE).join(" ")}: ${String(error).slice(0, 300)}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

it.each([
  ["reads the state with a promise", "stateReader: async () => boom()"],
  ["reads the state of a message with a promise", "stateReader: () => async () => boom()"],
  ["throws when it begins to read the state", "stateReader: boom"],
  ["throws when it writes a text", 'textForms: [{ name: "x", encode: boom }]'],
  ["writes a text as a number", 'textForms: [{ name: "x", encode: () => 42 }]'],
  ["writes a text with a promise", 'textForms: [{ name: "x", encode: async () => boom() }]'],
])("a loaded dissector that %s is contained", async (_what, members) => {
  const module = dissector({ members });
  const commands = members.startsWith("state")
    ? [["chat", CAPTURE]]
    : [
        ["find", CAPTURE, "hello"],
        [CAPTURE, "-Y", 'frame contains "hello"'],
      ];
  for (const args of commands) expect((await attempt(args, module)).code).toBe(70);
});

it("a dissector that documents with what a terminal obeys has a safe place in the schema of all values", async () => {
  const declared = `Word = struct("Word", { a: enumeration(u8, { [${EVIL}]: 80 }).doc(${EVIL}) }, { doc: ${EVIL} });`;
  const { code, stdout } = await attempt(["schema", "--of", "value"], dissector({ declared }));
  expect(code).toBe(0);
  expect(stdout).toContain("Word");
});

it("a dissector that fails in the middle of a file leaves nothing of it", async () => {
  const declared = `Word = struct("Word", { a: packed(u8, (value) => (value === 255 ? boom() : "x".repeat(100))) });`;
  const output = join(folder, "words.txt");
  const lines = [...Array.from({ length: 2000 }, () => "01\n"), "ff\n"];
  const args = ["decode", "Word", "--dissector", dissector({ declared }), "-o", output];
  const before = readdirSync(folder);
  const { code, stderr } = await run(args, {}, Readable.from(lines));
  expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringContaining('the dissector "evil" failed') });
  expect(readdirSync(folder)).toEqual(before);
});
