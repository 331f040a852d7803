import { describe, expect, it } from "vitest";
import { Auth2Cli_VaultNodeFetched } from "../../../../dissectors/moul/messages/auth/vault.js";
import { NetVaultNode } from "../../../../dissectors/moul/messages/vault/NetVaultNode.js";
import { nodeKinds } from "../../../../dissectors/moul/messages/vault/nodeKinds.js";
import { fieldJson } from "../../../../src/output/json/field-json.js";
import { plainValue } from "../../../../src/schema/encode/value.js";
import { checkClass } from "../../../support/check.js";
import { textTree, treeJson } from "../../../support/shown.js";
import { recordsOf } from "../../../support/truth.js";
import { authSession, says } from "../connection/sessions.js";
import { decode, u32Hex, wire } from "./decoding.js";
import { type VaultFields, vaultNodeHex } from "./vaultWire.js";

const ALICE = "84bbb3f8-4b42-4109-98f2-4c0ad26b598e";
const RELTO = "7f99d26b-ba50-4251-83bd-ab5328c51a2e";
const CITY = "7e0facea-dae1-4aec-a4ca-e76c05fdcfcf";

function json(fields: VaultFields): Record<string, unknown> {
  return JSON.parse(fieldJson(decode(NetVaultNode, wire(vaultNodeHex(fields))).nodes, 0, 1));
}

/**
 * Fields whose meaning depends on the type of the node, under the names used by the client that took part in the
 * sessions.
 */
const GENERIC = /^(int32|uint32|uuid|i?string64|text|blob)_/;

type Truth = Readonly<Record<string, number | string>>;

function truthOf(session: string): Truth[] {
  return recordsOf<{ vault?: Truth }>(session).flatMap(({ vault }) => (vault === undefined ? [] : [vault]));
}

function fieldsOf(truth: Truth): VaultFields {
  const fields = Object.entries(truth).map(([name, value]): [string, number | string | Uint8Array] => {
    if (name.endsWith("_hex")) return [name.slice(0, -4), wire(String(value))];
    if (name === "node_type") return ["nodeType", value];
    return [name.replace("istring64", "iString64"), value];
  });
  return Object.fromEntries(fields);
}

/** The lines of a node's tree without the column of byte ranges, from the node's own fields on. */
function treeLines(fields: VaultFields): string[] {
  const nodeData = plainValue(checkClass(NetVaultNode, wire(vaultNodeHex(fields))), 0);
  const [message] = authSession([says(Auth2Cli_VaultNodeFetched, { transactionId: 1, result: 0, nodeData })]);
  if (message === undefined) throw new Error("there is no message");
  const lines = textTree(message).trimEnd().split("\n");
  return lines.map((line) => line.slice(19));
}

function named(fields: VaultFields): unknown {
  return json(fields)["named"];
}

/** A SafeString as the client writes it: count with its high bits set, text inverted. */
function safeStringHex(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  const count = Buffer.alloc(2);
  count.writeUInt16LE(0xf000 | bytes.length);
  return count.toString("hex") + Buffer.from(bytes.map((byte) => ~byte)).toString("hex");
}

function f32Hex(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes.toString("hex");
}

/** Examples from the documentation of each type of node ("vault", "Node types"). */
const EXAMPLES: readonly (readonly [string, VaultFields, unknown])[] = [
  [
    "a player",
    {
      nodeType: 2,
      int32_1: 0,
      int32_2: 1,
      uint32_1: 3600,
      uuid_1: ALICE,
      uuid_2: CITY,
      string64_1: "female",
      iString64_1: "Alice of D'ni",
    },
    {
      disabled: 0,
      explorer: 1,
      onlineTime: 3600,
      accountUuid: ALICE,
      inviteUuid: CITY,
      avatarShapeName: "female",
      playerName: "Alice of D'ni",
    },
  ],
  [
    "an age",
    { nodeType: 3, uuid_1: RELTO, uuid_2: CITY, string64_1: "Personal" },
    { ageInstanceGuid: RELTO, parentAgeInstanceGuid: CITY, ageName: "Personal" },
  ],
  [
    "a folder",
    { nodeType: 22, int32_1: 8, string64_1: "Ahnonay" },
    { folderType: "kAgeTypeJournalFolder", folderName: "Ahnonay" },
  ],
  [
    "an imager's inbox",
    { nodeType: 22, int32_1: 10, string64_1: "DevInbox" },
    {
      folderType: "kDeviceInboxFolder",
      folderName: "DevInbox",
    },
  ],
  ["a folder of an unknown type", { nodeType: 22, int32_1: 33 }, { folderType: 33 }],
  [
    "a player's info",
    {
      nodeType: 23,
      int32_1: 1,
      int32_2: 2,
      uint32_1: 10124,
      uuid_1: CITY,
      string64_1: "Ae'gura",
      iString64_1: "Alice of D'ni",
    },
    {
      online: 1,
      ccrLevel: 2,
      playerId: 10124,
      ageInstUuid: CITY,
      ageInstName: "Ae'gura",
      playerName: "Alice of D'ni",
    },
  ],
  ["the system node", { nodeType: 24, int32_1: 1 }, { ccrStatus: 1 }],
  [
    "an image",
    { nodeType: 25, int32_1: 2, string64_1: "KIImage", blob_1: wire("89504e47") },
    { imageType: "kPNG", imageTitle: "KIImage", imageData: "89504e47" },
  ],
  [
    "a text note",
    { nodeType: 26, int32_1: 0, int32_2: 0, string64_1: "Sharper", text_1: "I am | not | an | invitation" },
    {
      noteType: "kNoteType_Generic",
      noteSubType: "kNoteSubType_Generic",
      noteTitle: "Sharper",
      noteText: "I am | not | an | invitation",
    },
  ],
  [
    "an invitation",
    { nodeType: 26, int32_1: 4, text_1: `Personal|Relto|Alice's|Alice's Relto|${RELTO}|-1|0` },
    {
      noteType: "kNoteType_Visit",
      noteText: `Personal|Relto|Alice's|Alice's Relto|${RELTO}|-1|0`,
      visit: {
        ageFilename: "Personal",
        ageInstanceName: "Relto",
        ageUserDefinedName: "Alice's",
        ageDescription: "Alice's Relto",
        ageInstanceGuid: RELTO,
        ageLanguage: -1,
        ageSequenceNumber: 0,
      },
    },
  ],
  [
    "an invitation with words in place of numbers",
    { nodeType: 26, int32_1: 4, text_1: `Personal|Relto|||${RELTO}|en|7.5` },
    {
      noteType: "kNoteType_Visit",
      noteText: `Personal|Relto|||${RELTO}|en|7.5`,
      visit: {
        ageFilename: "Personal",
        ageInstanceName: "Relto",
        ageUserDefinedName: "",
        ageDescription: "",
        ageInstanceGuid: RELTO,
        ageLanguage: "en",
        ageSequenceNumber: "7.5",
      },
    },
  ],
  [
    "an invitation that is none",
    { nodeType: 26, int32_1: 5, text_1: "a|b" },
    { noteType: "kNoteType_UnVisit", noteText: "a|b" },
  ],
  ["an SDL node without data", { nodeType: 27, int32_1: 0, string64_1: "city" }, { sdlIdent: 0, sdlName: "city" }],
  [
    "a link to an age",
    {
      nodeType: 28,
      int32_1: 1,
      int32_2: 0,
      blob_1: Buffer.from("Default:LinkInPointDefault:;JCSavePoint:LinkInPoint5:cam1~cam2;"),
    },
    {
      unlocked: 1,
      volatile: 0,
      spawnPoints: [
        { title: "Default", name: "LinkInPointDefault", cameraStack: "" },
        { title: "JCSavePoint", name: "LinkInPoint5", cameraStack: "cam1~cam2" },
      ],
    },
  ],
  ["a link without spawn points", { nodeType: 28, blob_1: Buffer.alloc(0) }, { spawnPoints: [] }],
  [
    "a link with half a spawn point",
    { nodeType: 28, blob_1: Buffer.from(";Default") },
    { spawnPoints: [{ title: "Default" }] },
  ],
  [
    "a chronicle entry",
    { nodeType: 29, int32_1: 2, string64_1: "CleftSolved", text_1: "yes" },
    { entryType: 2, entryName: "CleftSolved", entryValue: "yes" },
  ],
  ["a list of players", { nodeType: 30, int32_1: 19 }, { folderType: "kAgeOwnersFolder" }],
  [
    "an age's info",
    {
      nodeType: 33,
      int32_1: 3,
      int32_2: 1,
      int32_3: 2,
      uint32_1: 10140,
      uint32_2: 0,
      uint32_3: 0,
      uuid_1: RELTO,
      uuid_2: CITY,
      string64_2: "Garden",
      string64_3: "Eder Kemo",
      string64_4: "Joe's",
      text_1: "Joe's Eder Kemo",
    },
    {
      ageSequenceNumber: 3,
      isPublic: 1,
      ageLanguage: "kGerman",
      ageId: 10140,
      ageCzarId: 0,
      ageInfoFlags: 0,
      ageInstanceGuid: RELTO,
      parentAgeInstanceGuid: CITY,
      ageFilename: "Garden",
      ageInstanceName: "Eder Kemo",
      ageUserDefinedName: "Joe's",
      ageDescription: "Joe's Eder Kemo",
    },
  ],
  ["a list of ages", { nodeType: 34, int32_1: 23 }, { folderType: "kAgesIOwnFolder" }],
  [
    "a marker game of the game manager",
    { nodeType: 35, uuid_1: CITY, text_1: "Hide and seek" },
    { gameGuid: CITY, gameName: "Hide and seek" },
  ],
];

describe("a vault node's named fields", () => {
  it.each(EXAMPLES)("%s", (_, fields, expected) => {
    expect(named(fields)).toEqual(expected);
  });

  it("exist for every type of node", () => {
    const types = new Set(EXAMPLES.map(([, fields]) => fields["nodeType"]));
    expect(nodeKinds.map(({ type }) => type).filter((type) => !types.has(type))).toEqual([]);
    expect(nodeKinds).toHaveLength(14);
  });

  it("contain each generic field once", () => {
    for (const { name, fields } of nodeKinds) {
      const generic = Object.values(fields).map((field) => field.in);
      expect([name, ...new Set(generic)]).toEqual([name, ...generic]);
    }
  });

  it("are those of a template, however few", () => {
    expect(named({ nodeType: 23, uint32_1: 10124 })).toEqual({ playerId: 10124 });
    expect(named({ nodeType: 24 })).toBeUndefined();
  });

  it("are unknown without a type, or for a type that does not exist", () => {
    expect(named({ int32_1: 3, text_1: "no" })).toBeUndefined();
    expect(named({ nodeType: 31, int32_1: 3 })).toBeUndefined();
  });

  it("do not change the generic ones", () => {
    expect(json({ nodeType: 22, int32_1: 1, string64_1: "x" })).toEqual({
      fieldFlags: ["kNodeType", "kInt32_1", "kString64_1"],
      nodeType: "kNodeType_Folder",
      int32_1: 1,
      string64_1: "x",
      named: { folderType: "kInboxFolder", folderName: "x" },
    });
  });

  it("are numbers in the tree, with their meanings beside them", () => {
    const nodes = checkClass(NetVaultNode, wire(vaultNodeHex({ nodeType: 22, int32_1: 1, string64_1: "x" })));
    const { tree }: { tree: { name: string; value: unknown; label?: string }[] } = JSON.parse(`{${treeJson(nodes)}}`);
    expect(tree.slice(-3)).toMatchObject([
      { name: "int32_1", kind: "i32le", value: 1, label: "kInboxFolder" },
      { name: "string64_1", value: "x" },
      { name: "named", value: { folderType: 1, folderName: "x" }, label: "folderType: kInboxFolder" },
    ]);
  });
});

describe("a vault node in the text tree", () => {
  it("has a line for each of its named fields, and for their components", () => {
    const fields = { nodeType: 28, int32_1: 1, blob_1: Buffer.from("Default:LinkInPointDefault:;") };
    expect(treeLines(fields).slice(-7)).toEqual([
      "[named]",
      "  [unlocked: 1]",
      "  [spawnPoints]",
      "    [0]",
      "      [title: Default]",
      "      [name: LinkInPointDefault]",
      "      [cameraStack: ]",
    ]);
    expect(treeLines({ nodeType: 22, int32_1: 1 }).slice(-2)).toEqual(["[named]", "  [folderType: kInboxFolder]"]);
  });

  it("does not repeat a long text in full, and shows no control characters", () => {
    const text = `\u001b${"x".repeat(150)}`;
    expect(treeLines({ nodeType: 29, string64_1: "Name", text_1: text }).at(-1)).toBe(
      `  [entryValue: \\u001b${"x".repeat(99)}… (151 characters)]`,
    );
  });
});

describe.each(["nagus-plain", "nagus-session", "dirtsand-plain", "dirtsand-session"])("the nodes of %s", (session) => {
  it("have a name for each field filled by a real server", () => {
    const nodes = truthOf(session).filter((truth) => truth["node_type"] !== undefined);
    expect(nodes.length).toBeGreaterThan(60);
    for (const truth of nodes) {
      const fields = Object.keys(truth).filter((name) => GENERIC.test(name));
      const dissected = fields.filter((name) => truth["node_type"] === 27 && name === "blob_1_hex");
      const own = Object.keys(Object(named(fieldsOf(truth))));
      expect([truth, own.length]).toEqual([truth, fields.length - dissected.length]);
    }
  });
});

describe("a marker game's markers", () => {
  const marker = `07000000 ${safeStringHex("Garden")} ${[1.5, -2, 0].map(f32Hex).join("")} ${safeStringHex("by the tree")}`;
  const node = (blob: string) => ({ nodeType: 35, text_1: "Hunt", text_2: "chron:Hunter", blob_1: wire(blob) });

  it("are dissected in place", () => {
    expect(json(node(`01000000 ${marker}`))).toMatchObject({
      blob_1: {
        markerData: {
          markerCount: 1,
          markers: [{ id: 7, age: "Garden", position: { x: 1.5, y: -2, z: 0 }, description: "by the tree" }],
        },
      },
      named: { gameName: "Hunt", reward: "chron:Hunter" },
    });
  });

  it("remain bytes if they are something else", () => {
    const { nodes } = decode(NetVaultNode, wire(vaultNodeHex(node(`${u32Hex(1000)}aabb`))));
    expect(nodes.outcome).toBe("ok");
    expect(JSON.parse(fieldJson(nodes, 0, 1))).toMatchObject({
      blob_1: { byteCount: 6, markerData: `${u32Hex(1000)}aabb` },
    });
  });
});
