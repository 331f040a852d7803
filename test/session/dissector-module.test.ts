import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { problemOf } from "../../src/dissector/dissector-check.js";
import { DissectorModuleError, dissectorsWith, loadDissector } from "../../src/index.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { group, type StructType, struct, u8 } from "../../src/schema/index.js";
import { readDefinitionFiles } from "../../src/session/files/definition-files.js";
import { readKeyFiles } from "../../src/session/files/key-files.js";
import { toyDissector, Word } from "../support/toy.js";

const GOOD = `{ name: "good", protocols: ["good"], types: new Map(), recognise: () => "no", open: () => ({}) }`;
const TAKEN = new Set(["moul", "bzflag"]);

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** The result of loading a module: the dissector's name, or the reason why there is none. */
async function load(module: string): Promise<string> {
  try {
    return (await loadDissector(module, TAKEN, folder)).name;
  } catch (error) {
    if (error instanceof DissectorModuleError) return error.message;
    throw error;
  }
}

let count = 0;

/** Loads a module with this source text. */
async function loadText(text: string, extension = "mjs"): Promise<string> {
  const name = `./module${count++}.${extension}`;
  await write(name, text);
  return (await load(name)).replace(`the dissector ${name} cannot be used: `, "");
}

describe("a dissector is found", () => {
  it("as default export, and as export of its name", async () => {
    expect(await loadText(`export default ${GOOD}`)).toBe("good");
    expect(await loadText(`export const dissector = ${GOOD}`)).toBe("good");
    expect(await loadText(`export const dissector = ${GOOD}; export default "something else"`)).toBe("good");
  });

  it("in a CommonJS module", async () => {
    expect(await loadText(`module.exports = ${GOOD}`, "cjs")).toBe("good");
    expect(await loadText(`exports.dissector = ${GOOD}`, "cjs")).toBe("good");
    expect(await loadText(`exports.__esModule = true; exports.default = ${GOOD}`, "cjs")).toBe("good");
  });

  it("by relative and absolute paths, and by a file name alone", async () => {
    const path = await write("sub/own.mjs", `export default ${GOOD}`);
    expect(await load("./sub/own.mjs")).toBe("good");
    expect(await load("sub/own.mjs")).toBe("good");
    expect(await load(path)).toBe("good");
  });

  it("as a package, for import and for require", async () => {
    await write("node_modules/esm/package.json", JSON.stringify({ type: "module", exports: { import: "./in.js" } }));
    await write("node_modules/esm/in.js", `export default ${GOOD}`);
    await write("node_modules/@own/both/package.json", JSON.stringify({ main: "main.cjs" }));
    await write("node_modules/@own/both/main.cjs", `module.exports = ${GOOD}`);
    expect(await load("esm")).toBe("good");
    expect(await load("@own/both")).toBe("good");
  });
});

describe("a module is rejected, with its name and the reason,", () => {
  it("if there is none", async () => {
    const why = "there is no such file, and no package of this name is installed";
    expect(await load("./missing.js")).toBe(`the dissector ./missing.js cannot be used: ${why}`);
    expect(await load("no-such-package")).toBe(`the dissector no-such-package cannot be used: ${why}`);
  });

  it("if it is a folder", async () => {
    await write("folder/index.js", `export default ${GOOD}`);
    expect(await load("./folder")).toBe("the dissector ./folder cannot be used: it is a folder; give the module in it");
  });

  it("if loading it fails", async () => {
    expect(await loadText('throw new Error("at load")')).toContain("loading it fails with Error: at load");
    expect(await loadText('throw Object.assign(new Error("odd"), { stack: 5 })')).toBe(
      "loading it fails with Error: odd",
    );
    expect(await loadText("export default {")).toMatch(/^loading it fails with \w*Error: /);
    expect(await loadText('import "./nothing.js"; export default {}')).toMatch(/^loading it fails with Error: /);
    await write("node_modules/incomplete/package.json", JSON.stringify({ main: "missing.js" }));
    expect(await load("incomplete")).toMatch(/^the dissector incomplete cannot be used: .*missing\.js/s);
    await write("node_modules/empty/package.json", JSON.stringify({ exports: { browser: "./in.js" } }));
    expect(await load("empty")).toMatch(/^the dissector empty cannot be used: .*index\.js/s);
    await write("node_modules/broken/package.json", "{");
    expect(await load("broken")).toMatch(/^the dissector broken cannot be used: /);
  });

  it.each([
    ["export const other = 1", 'it has neither a default export nor one named "dissector"'],
    ["export default 5", "it is a number, not an object"],
    ["export default null", "it is null, not an object"],
    ["export default {}", "its name is missing, not a string"],
    [`export default { ...${GOOD}, name: "Not Good" }`, 'its name "Not Good" is not made of lower-case letters'],
    [`export default { ...${GOOD}, name: "moul" }`, 'there is already a dissector named "moul"'],
    [`export default { ...${GOOD}, protocols: undefined }`, "its protocols are missing, not an array of names"],
    [`export default { ...${GOOD}, protocols: ['a"b'] }`, "is not a name for a protocol"],
    [
      `export default { ...${GOOD}, protocols: ["goody"] }`,
      'its protocol "goody" is not named after it: it has to be "good"',
    ],
    [`export default { ...${GOOD}, types: {} }`, "its types are an object, not a Map of types by name"],
    [`export default { ...${GOOD}, types: new Map([["x", {}]]) }`, 'its type "x" is not made with the schema language'],
    [`export default { ...${GOOD}, types: new Map([["\\x1b[2J", {}]]) }`, '"\\u001b[2J" is not a name for a type'],
    [`export default { ...${GOOD}, otherReadings: {} }`, "its otherReadings are an object, not a Map of forms by type"],
    [
      `export default { ...${GOOD}, otherReadings: new Map([["Word", {}]]) }`,
      'its other reading of "Word" is not { type, note }',
    ],
    [`export default { ...${GOOD}, messages: [] }`, "its messages are an array, not a Map"],
    [`export default { ...${GOOD}, messages: new Map([["\\x9b", {}]]) }`, "is not a name for a protocol"],
    [
      `export default { ...${GOOD}, messages: new Map([["goods", { c2s: [], s2c: [] }]]) }`,
      'its messages are of "goods", which is not among its protocols',
    ],
    [`export default { ...${GOOD}, messages: new Map([["good", 5]]) }`, "the messages of good have no array c2s"],
    [`export default { ...${GOOD}, messages: new Map([["good", { c2s: [], s2c: {} }]]) }`, "have no array s2c"],
    [
      `export default { ...${GOOD}, messages: new Map([["good", { c2s: [5], s2c: [] }]]) }`,
      "message 0 of good, c2s, is not made",
    ],
    [`export default { ...${GOOD}, ports: 5 }`, "its ports are a number, not an array"],
    [`export default { ...${GOOD}, definitionEnding: "" }`, "its definitionEnding is empty: every file would have it"],
    [`export default { ...${GOOD}, sensitiveKinds: {} }`, "its sensitiveKinds are an object, not an array"],
    [
      `export default { ...${GOOD}, sensitiveKinds: [{ name: "seat" }] }`,
      "its kind of private values 0 cannot be used: its doc does not say what it is",
    ],
    [`export default { ...${GOOD}, definitionEnding: 5 }`, "its definitionEnding is a number, not a string"],
    [`export default { ...${GOOD}, stateReader: [] }`, "its stateReader is an array, not a function"],
    [`export default { ...${GOOD}, textForms: 42 }`, "its textForms are a number, not an array"],
    [
      `export default { ...${GOOD}, textForms: [null] }`,
      "its form of text 0 is not { name: string, encode: function }",
    ],
    [`export default { ...${GOOD}, announces: "ports" }`, "its announces is a string, not a boolean"],
    [`export default { ...${GOOD}, isStateless: 1 }`, "its isStateless is a number, not a boolean"],
    [`export default { ...${GOOD}, ports: [null] }`, 'its port 0 is not { transport: "tcp" | "udp", port: number }'],
    [
      `export default { ...${GOOD}, ports: [{ transport: "tcp", port: 1 }, { transport: "udp", port: 2 }, { transport: "sctp", port: 3 }] }`,
      "its port 2 is not {",
    ],
    [`export default { ...${GOOD}, ports: [{ transport: "tcp", port: "7275" }] }`, "its port 0 is not {"],
    [`export default { ...${GOOD}, wireshark: 5 }`, "its wireshark is not an object"],
    [`export default { ...${GOOD}, wireshark: { session: 5 } }`, "its wireshark is not { session: string"],
    [`export default { ...${GOOD}, wireshark: {} }`, "the length of its wireshark is not { at: number"],
    [
      `export default { ...${GOOD}, wireshark: { length: { at: 0, kind: "u8", plus: 0.5 }, type: { at: 1, kind: "u8" } } }`,
      "the plus of the length of its wireshark is not a whole number",
    ],
    [
      `export default { ...${GOOD}, wireshark: { length: { at: 0, kind: "u8" }, type: { at: 1, kind: "u8" }, messages: { c2s: { 1: 5 } } } }`,
      "the messages.c2s of its wireshark are not structs by number",
    ],
    [
      `export default { ...${GOOD}, wireshark: { length: { at: 0, kind: "u8" }, type: { at: 1, kind: "u8" }, messages: { c2s: {}, s2c: {} }, greeting: 1 } }`,
      "the greeting of its wireshark is not a struct",
    ],
    [
      `export default { ...${GOOD}, wireshark: { length: { at: 0, kind: "u8" }, type: { at: 1, kind: "u8" }, messages: { c2s: {}, s2c: {} }, magic: "" } }`,
      "the magic of its wireshark is not a text",
    ],
    [`export default { ...${GOOD}, recognise: "yes" }`, "its recognise is a string, not a function"],
    [`export default { ...${GOOD}, open: undefined }`, "its open is missing, not a function"],
    [`export default { ...${GOOD}, readKeys: 1 }`, "its readKeys is a number, not a function"],
  ])("if it is %s", async (text, why) => {
    expect(await loadText(text)).toContain(why);
  });

  it("if it waits for long, even where the process goes on", async () => {
    await write("late.mjs", `await new Promise(() => {});\nexport default ${GOOD}`);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const loading = load("./late.mjs");
      await vi.advanceTimersByTimeAsync(40_000);
      expect(await loading).toBe("the dissector ./late.mjs cannot be used: it is not loaded after 30 seconds");
    } finally {
      vi.useRealTimers();
    }
  });

  it("if one of its messages has no name", () => {
    const messages = new Map([["toy.words", { c2s: [], s2c: [Word, group({ number: u8 })] }]]);
    const candidate = { ...toyDissector(), messages };
    expect(problemOf(candidate, new Set())).toBe("message 1 of toy.words, s2c, is not made by struct() or derive()");
  });

  it("if one of its getters throws", async () => {
    expect(await loadText('export default { get name() { throw new Error("boo") } }')).toContain("boo");
  });
});

describe("a dissector that throws where it must not", () => {
  const thrower = () => {
    throw new RangeError("the secret is 42");
  };
  const broken = { ...toyDissector({ name: "broken" }), readKeys: thrower, readDefinitions: thrower };

  it("has not recognised a key file, and the thrown text does not appear in the remark", async () => {
    const ring = await readKeyFiles([{ name: "a.keys", bytes: new Uint8Array(4) }], [broken]);
    expect(ring).toMatchObject({
      complete: false,
      remarks: ['a.keys: the dissector "broken" failed on this file (RangeError)'],
    });
  });

  it.each([
    ["nothing but a number", 5],
    ["no remarks", { recognised: true }],
    ["remarks that are not texts", { recognised: true, remarks: [5] }],
    ["a promise", Promise.resolve({ recognised: true, remarks: [] })],
  ])("has not recognised a key file of which it says %s", async (_what, said) => {
    const odd = { ...toyDissector({ name: "odd" }), readKeys: () => said as never };
    const ring = await readKeyFiles([{ name: "a.keys", bytes: new Uint8Array(4) }], [odd]);
    expect(ring).toMatchObject({
      complete: false,
      remarks: ['a.keys: the dissector "odd" failed on this file (TypeError)'],
    });
  });

  it("has not recognised a file of definitions", async () => {
    const path = await write("x.sdl", "");
    const shelf = await readDefinitionFiles(givenFiles([path]), [broken], new Map());
    expect(shelf).toMatchObject({
      complete: false,
      remarks: [`${path}: the dissector "broken" failed on this file (RangeError)`],
    });
  });
});

it("two messages with one name are rejected, but not one message that is listed twice, or goes both ways", () => {
  const [one, other] = [struct("Word", { a: u8 }), struct("Word", { b: u8 })];
  const withMessages = (c2s: readonly StructType<unknown>[], s2c: readonly StructType<unknown>[]) =>
    dissectorsWith([{ ...toyDissector(), messages: new Map([["toy.words", { c2s, s2c }]]) }]);
  expect(() => withMessages([one, other], [])).toThrow("two messages of toy.words, c2s, are named Word");
  expect(withMessages([one, one], [other])).toHaveLength(3);
});
