import { describe, expect, it } from "vitest";
import {
  compareRecordings,
  LineError,
  type NodeLine,
  NodeRecording,
  NormalForms,
  parseNode,
  Recording,
  without,
} from "../../src/check/index.js";
import { compareNodes } from "../../src/check/nodes/compare-nodes.js";
import { parseExpected } from "../../src/check/nodes/node-line.js";
import { MESSAGES } from "./support.js";

const usual = new NormalForms(MESSAGES);

/** A node; what a test does not specify has its usual value. */
function node(id: string, more: Partial<NodeLine> = {}): NodeLine {
  return {
    ...{ id, idKind: "vaultNode", type: "TextNote", title: `TextNote ${id}`, seen: true, deleted: false },
    ...{ stale: false, asked: false, fields: {}, refersTo: {}, children: [] },
    ...more,
  };
}

const folder = (id: string, title: string, children: readonly string[] = []) =>
  node(id, { type: "Folder", title, children });
const player = (id: string, title: string, children: readonly string[] = []) =>
  node(id, { type: "VNodeMgrPlayer", title, children });

function recorded(lines: readonly NodeLine[], forms = usual): NodeRecording {
  const recording = new NodeRecording(forms);
  lines.forEach((line, index) => {
    recording.add(line, index + 1);
  });
  return recording;
}

/** How two vaults differ, where no message tells which nodes correspond. */
function differencesOf(expected: readonly NodeLine[], found: readonly NodeLine[], forms = usual) {
  const { mapping } = compareRecordings(new Recording(forms), new Recording(forms));
  return compareNodes(recorded(expected, forms), recorded(found, forms), mapping).differences;
}

describe("the vaults of two recordings", () => {
  it("are the same if only ids and times differ, whatever the order", () => {
    const vault = (alice: number, bob: number, owner: string) => {
      const info = (id: number, of: number) =>
        node(`${id}`, {
          ...{ type: "PlayerInfo", title: "PlayerInfo" },
          fields: { playerId: of, creatorAcct: `${owner}-${of}`, createTime: `2026-11-20T04:55:0${of % 10}Z` },
          refersTo: { playerId: ["player"], creatorAcct: ["account", "age"] },
        });
      return [
        player(`${alice}`, "Alice", [`${alice + 1}`, `${alice + 2}`]),
        info(alice + 1, alice),
        folder(`${alice + 2}`, "Folder inbox"),
        player(`${bob}`, "Bob", [`${bob + 1}`, `${bob + 2}`]),
        info(bob + 1, bob),
        folder(`${bob + 2}`, "Folder inbox", ["7777"]),
        node("7777", { type: "", title: "", seen: false }),
      ];
    };
    // The ids of the one are those of the other in the other recording.
    const [one, other] = [vault(100, 200, "a"), vault(200, 100, "b")];
    expect(differencesOf(one, other)).toEqual([]);
    expect(differencesOf(one, other.toReversed())).toEqual([]);
  });

  it("differ in a field, by node and name", () => {
    const [expected, found] = ["yes", "no"].map((value) => [
      folder("1", "Folder", ["2"]),
      node("2", { type: "Chronicle", title: "Chronicle door", fields: { entryValue: value } }),
    ]);
    expect(differencesOf(expected ?? [], found ?? [])).toMatchObject([
      {
        kind: "changed node",
        expected: { id: "2", line: 2 },
        found: { id: "2", title: "Chronicle door" },
        fields: [{ path: "entryValue", expected: "yes", found: "no" }],
      },
    ]);
  });

  it("differ in what a node refers to if others say that it refers to something else", () => {
    const vault = (owners: readonly number[]) => [
      player("1", "Alice"),
      player("2", "Bob"),
      ...owners.map((owner, index) =>
        node(`1${index}`, { fields: { creatorId: owner }, refersTo: { creatorId: ["vaultNode", "player"] } }),
      ),
    ];
    expect(differencesOf(vault([1, 1, 2]), vault([1, 2, 2]))).toMatchObject([
      { kind: "changed node", fields: [{ path: "creatorId", expected: 1, found: 2 }] },
    ]);
  });

  it("differ in what belongs to what, and a node that comes or goes is one difference", () => {
    const vault = (first: readonly string[], second: readonly string[], others: readonly NodeLine[] = []) => [
      folder("1", "Folder first", first),
      folder("2", "Folder second", second),
      node("3"),
      ...others,
    ];
    expect(differencesOf(vault(["3"], []), vault([], ["3"]))).toMatchObject([
      { found: { id: "1" }, fields: [{ path: "children", expected: "3 TextNote 3", found: undefined }] },
      { found: { id: "2" }, fields: [{ path: "children", expected: undefined, found: "3 TextNote 3" }] },
    ]);
    const more = vault(["3", "4"], [], [node("4")]);
    const [added, ...rest] = differencesOf(vault(["3"], []), more);
    expect(added).toMatchObject({ kind: "added node", found: { id: "4" }, parents: [{ id: "1" }] });
    expect(rest).toEqual([]);
    expect(differencesOf(more, vault(["3"], []))).toMatchObject([{ kind: "missing node", expected: { line: 4 } }]);
  });

  it("differ in being deleted, unconfirmed, changed since, or never shown", () => {
    const odd = node("1", { seen: false, deleted: true, stale: true, asked: true });
    const [difference] = differencesOf([node("1")], [odd]);
    expect(Object(difference).fields).toEqual(
      ["asked", "deleted", "seen", "stale"].map((path) => ({
        path,
        expected: path === "seen",
        found: path !== "seen",
      })),
    );
  });

  it("may have circles, names of what every object has, and each belong to all others", () => {
    const hostile = [
      folder("1", "__proto__", ["2", "1"]),
      folder("2", "constructor", ["1"]),
      node("3", { type: "toString", fields: { __proto__: 1, constructor: "x", title: "own" } }),
    ];
    expect(differencesOf(hostile, hostile)).toEqual([]);
    const renamed = hostile.map((line) => ({ ...line, title: `${line.title}!` }));
    expect(differencesOf(hostile, renamed)).toHaveLength(3);
    const children = Array.from({ length: 300 }, (_, index) => `${index + 10}`);
    const dense = children.map((id) => folder(id, "same", children));
    expect(differencesOf(dense, dense)).toEqual([]);
  });

  it("leave out fields, fields of a type, and types", () => {
    const leavingOut = (...ofNodes: readonly string[]) =>
      new NormalForms(MESSAGES, {
        place: without([]),
        facts: new Set(),
        ofNodes: new Set(ofNodes),
        foundOfNodes: new Set<string>(),
      });
    const expected = [folder("1", "Folder", ["2"]), node("2", { fields: { noteText: "a" } }), node("3")];
    const found = [folder("1", "Folder"), node("2", { fields: { noteText: "b" } }), node("3", { asked: true })];
    const kinds = (...ofNodes: readonly string[]) =>
      differencesOf(expected, found, leavingOut(...ofNodes)).map((difference) => Object(difference).fields[0].path);
    expect(kinds()).toEqual(["children", "noteText", "asked"]);
    expect(kinds("children", "TextNote.noteText")).toEqual(["asked"]);
    expect(kinds("Folder.noteText", "Folder.asked")).toEqual(["children", "noteText", "asked"]);
    expect(kinds("TextNote")).toEqual([]);
  });
});

describe("the line of a node", () => {
  const line = JSON.stringify({ schema: "moul-dissect.expected-node/1", ...node("1") });

  it("is that of an expectation or that of vault --json", () => {
    expect(parseExpected(line)).toEqual(node("1"));
    const since = { number: 1, time: "x", stream: 0 };
    const printed = { schema: "moul-dissect.vault-node/1", nodeId: 1, type: null, fields: {}, seen: [12, 40] };
    const known = { ...printed, created: 12, changed: [40], deleted: null, children: [2, "x"], parents: [] };
    const rest = { complete: false, title: null, idKind: null, stale: since, asked: null, refersTo: {} };
    expect(parseNode(JSON.stringify({ ...known, ...rest }))).toEqual(
      node("1", { type: "", title: "", idKind: "", stale: true, children: ["2", "x"] }),
    );
    expect(parseNode(JSON.stringify({ ...known, ...rest, seen: [], deleted: 50 }))).toMatchObject({
      seen: false,
      deleted: true,
    });
  });

  it.each([
    ["id", 1, '"id" must be a string'],
    ["seen", null, '"seen" must be true or false'],
    ["stale", 1, '"stale" must be true or false'],
    ["fields", [], '"fields" must be an object'],
    ["children", {}, '"children" must be an array'],
    ["children", [1], '"children" must be a string'],
    ["refersTo", { a: 1 }, '"refersTo.a" must be an array'],
  ])("has %s as it has to be", (name, value, problem) => {
    const wrong = JSON.stringify({ ...JSON.parse(line), [name]: value });
    expect(() => parseExpected(wrong)).toThrow(new LineError(problem));
  });

  it("is the only one of its node", () => {
    expect(() => recorded([node("1"), node("1")])).toThrow(new LineError("there is another line of node 1"));
  });
});
