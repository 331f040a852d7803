import { describe, expect, it } from "vitest";
import {
  Auth2Cli_AcctLoginReply,
  Auth2Cli_AcctPlayerInfo,
  Cli2Auth_AcctLoginRequest,
  Cli2Auth_AcctSetPlayerRequest,
} from "../../../../dissectors/moul/messages/auth/account.js";
import { Auth2Cli_AgeReply, Cli2Auth_AgeRequest } from "../../../../dissectors/moul/messages/auth/ages.js";
import { Auth2Cli_PlayerCreateReply } from "../../../../dissectors/moul/messages/auth/player.js";
import { Auth2Cli_PublicAgeList } from "../../../../dissectors/moul/messages/auth/publicAges.js";
import {
  Auth2Cli_VaultNodeAdded,
  Auth2Cli_VaultNodeCreated,
  Auth2Cli_VaultNodeFetched,
  Cli2Auth_VaultInitAgeRequest,
  Cli2Auth_VaultNodeCreate,
  Cli2Auth_VaultNodeFetch,
  Cli2Auth_VaultNodeSave,
} from "../../../../dissectors/moul/messages/auth/vault.js";
import { NetVaultNode } from "../../../../dissectors/moul/messages/vault/NetVaultNode.js";
import { DissectedMessage, dissectCaptures, type Message } from "../../../../src/index.js";
import { fieldJson } from "../../../../src/output/json/field-json.js";
import { jsonLine } from "../../../../src/output/json/json.js";
import { summaryText } from "../../../../src/output/text/summary-text.js";
import { plainValue } from "../../../../src/schema/encode/value.js";
import { labelOf } from "../../../../src/schema/tree/label.js";
import { Nodes } from "../../../../src/schema/tree/nodes.js";
import { decodeWhole } from "../../../support/check.js";
import { sample } from "../../../support/samples.js";
import { textTree } from "../../../support/shown.js";
import type { Said } from "../../../support/streams.js";
import { wire } from "../messages/decoding.js";
import { type VaultFields, vaultNodeHex } from "../messages/vaultWire.js";
import { authSession, labelAt, NO_UUID, says } from "./sessions.js";

const ACCOUNT = "84bbb3f8-4b42-4109-98f2-4c0ad26b598e";
const RELTO = "7f99d26b-ba50-4251-83bd-ab5328c51a2e";

/** A Cli2Auth_PropagateBuffer with a plNetMsgGameMessage with a pfKIMsg in which KI number 134 uses the name Bob. */
const BOB_SAYS_HI =
  "2800 6b020000 41000000 6b02 00000000 00000000 00 31000000" +
  "6403 00 00000000 0000000000000000 48420000 00 03f0bd909d 86000000 02f0b7ff96ff0000 00000000 00000000 00000000 00";

function nodeData(fields: VaultFields): unknown {
  return plainValue(decodeWhole(NetVaultNode, wire(vaultNodeHex(fields))), 0);
}

const fetched = (fields: VaultFields): Said =>
  says(Auth2Cli_VaultNodeFetched, { transactionId: 0, result: 0, nodeData: nodeData(fields) });
const added = (parentNodeId: number, childNodeId: number, ownerNodeId: number): Said =>
  says(Auth2Cli_VaultNodeAdded, { parentNodeId, childNodeId, ownerNodeId });
const setPlayer = (playerVaultNodeId: number): Said =>
  says(Cli2Auth_AcctSetPlayerRequest, { transactionId: 1, playerVaultNodeId });
const playerInfo = (playerVaultNodeId: number, playerName: string): Said =>
  says(Auth2Cli_AcctPlayerInfo, {
    transactionId: 1,
    playerVaultNodeId,
    playerName,
    avatarShape: "male",
    explorer: true,
  });
const ageRequest = (instanceUuid: string, fileName: string): Said =>
  says(Cli2Auth_AgeRequest, { transactionId: 1, fileName, instanceUuid });

describe("a player's name", () => {
  it("is shown beside the KI number from the message that gives it", () => {
    const messages = authSession([setPlayer(134), playerInfo(134, "Alice"), setPlayer(134), setPlayer(135)]);
    expect(messages.map((message) => labelAt(message, "playerVaultNodeId"))).toEqual([
      undefined,
      "Alice",
      "Alice",
      undefined,
    ]);
  });

  it("changes with the message that changes it", () => {
    const messages = authSession([playerInfo(134, "Alice"), setPlayer(134), playerInfo(134, "Bob"), setPlayer(134)]);
    expect(messages.map((message) => labelAt(message, "playerVaultNodeId"))).toEqual(["Alice", "Alice", "Bob", "Bob"]);
  });

  it("is given by nodes of the vault, and is shown beside their numbers, too", () => {
    const [, , first, second] = authSession([
      fetched({ nodeId: 134, nodeType: 2, iString64_1: "Alice" }),
      fetched({ nodeId: 201, nodeType: 23, uint32_1: 200, iString64_1: "Bob" }),
      added(134, 201, 200),
      added(200, 134, 0),
    ]);
    expect(labelAt(first, "parentNodeId")).toBe("Alice");
    expect(labelAt(first, "childNodeId")).toBe("PlayerInfo Bob");
    expect(labelAt(first, "ownerNodeId")).toBe("Bob");
    expect(labelAt(second, "parentNodeId")).toBe("Bob");
    expect(labelAt(second, "ownerNodeId")).toBeUndefined();
  });

  it("is not taken from chat, unless no other source gives it", () => {
    const chat = { direction: "c2s", bytes: wire(BOB_SAYS_HI) } as const;
    const messages = authSession([chat, setPlayer(134), playerInfo(134, "Alice"), chat, setPlayer(134)]);
    expect(labelAt(messages[1], "playerVaultNodeId")).toBe("Bob");
    expect(labelAt(messages[3], "buffer.stream.data.senderKiNumber")).toBe("Alice");
    expect(labelAt(messages[4], "playerVaultNodeId")).toBe("Alice");
  });

  it("is not assigned to nobody", () => {
    const failed = { transactionId: 1, result: 14, explorer: false, avatarShape: "" };
    const messages = authSession([
      says(Auth2Cli_PlayerCreateReply, { ...failed, playerVaultNodeId: 0, playerName: "Nobody" }),
      setPlayer(0),
    ]);
    expect(labelAt(messages[0], "playerVaultNodeId")).toBeUndefined();
    expect(labelAt(messages[1], "playerVaultNodeId")).toBeUndefined();
  });

  it("is text from the wire: no terminal sees its control characters, and JSON stays JSON", () => {
    const evil = 'A\u001b[2J\n"\u202e';
    const [message] = authSession([playerInfo(134, evil)]);
    if (message === undefined) throw new Error("there is no message");
    expect(textTree(message)).toContain('playerVaultNodeId: 134 (A\\u001b[2J\\n"\\u202e)');
    expect([...textTree(message)]).not.toContain("\u001b");
    expect([...textTree(message)]).not.toContain("\u202e");
    expect(summaryText(message)).toContain('playerVaultNodeId=134 (A\\u001b[2J\\n"\\u202e)');
    expect(JSON.parse(jsonLine(message)).summary).toContain(`playerVaultNodeId=134 (${evil})`);
    expect(message.toTree()).toMatchObject({ tree: [{}, {}, { value: 134, label: evil }, {}, {}, {}] });
  });
});

describe("an instance's name", () => {
  const publicAge = {
    instanceUuid: RELTO,
    fileName: "Personal",
    instanceName: "Relto",
    userDefinedName: "Alice's",
    description: "",
    sequenceNumber: 0,
    language: -1,
    ownerCount: 1,
    currentPopulation: 0,
  };
  const list = says(Auth2Cli_PublicAgeList, { transactionId: 1, result: 0, ageInstances: [publicAge] });

  it("is the most specific one given, in whatever order", () => {
    const messages = authSession([ageRequest(RELTO, "Personal"), list, ageRequest(RELTO, "Personal")]);
    expect(labelAt(messages[0], "instanceUuid")).toBe("Personal");
    expect(labelAt(messages[1], "ageInstances.0.instanceUuid")).toBe("Alice's Relto");
    expect(labelAt(messages[2], "instanceUuid")).toBe("Alice's Relto");
  });

  it("is not taken from a request without an instance", () => {
    const init = { transactionId: 1, parentInstanceId: NO_UUID, fileName: "city", instanceName: "Ae'gura" };
    const others = { userDefinedName: "", description: "", sequenceNumber: 0, language: -1 };
    const messages = authSession([
      says(Cli2Auth_VaultInitAgeRequest, { ...init, ...others, instanceId: NO_UUID }),
      says(Cli2Auth_VaultInitAgeRequest, { ...init, ...others, instanceId: RELTO, parentInstanceId: RELTO }),
    ]);
    expect(labelAt(messages[0], "instanceId")).toBeUndefined();
    expect(labelAt(messages[0], "parentInstanceId")).toBeUndefined();
    expect(labelAt(messages[1], "instanceId")).toBe("Ae'gura");
    expect(labelAt(messages[1], "parentInstanceId")).toBe("Ae'gura");
  });

  it("also labels its number at the game server and its node in the vault", () => {
    const reply = { transactionId: 1, result: 0, mcpId: 18, instanceUuid: RELTO, ageVaultNodeId: 300 };
    const messages = authSession([
      ageRequest(RELTO, "Personal"),
      says(Auth2Cli_AgeReply, { ...reply, serverIpAddress: 0x7f000001 }),
      says(Cli2Auth_VaultNodeFetch, { transactionId: 2, nodeId: 300 }),
    ]);
    expect(labelAt(messages[1], "mcpId")).toBe("Personal");
    expect(labelAt(messages[2], "nodeId")).toBe("Age Personal");
  });

  it("is given by nodes of the vault", () => {
    const messages = authSession([
      fetched({ nodeId: 5, nodeType: 33, uuid_1: RELTO, uint32_1: 4, string64_2: "Garden", string64_3: "Eder Kemo" }),
      fetched({ nodeId: 4, nodeType: 3, uuid_1: RELTO, string64_1: "Garden" }),
      fetched({
        nodeId: 6,
        createAgeName: "city",
        createAgeUuid: ACCOUNT,
        creatorAcct: ACCOUNT,
        nodeType: 22,
        int32_1: 1,
      }),
    ]);
    expect(labelAt(messages[0], "nodeData.nodeId")).toBe("AgeInfo Eder Kemo");
    expect(labelAt(messages[0], "nodeData.uuid_1")).toBe("Eder Kemo");
    expect(labelAt(messages[0], "nodeData.uint32_1")).toBe("Age Eder Kemo");
    expect(labelAt(messages[1], "nodeData.nodeId")).toBe("Age Eder Kemo");
    expect(labelAt(messages[2], "nodeData.createAgeUuid")).toBe("city");
    expect(labelAt(messages[2], "nodeData.creatorAcct")).toBe("city");
  });
});

describe("the name of a node of the vault", () => {
  const saved = (fields: VaultFields): Said =>
    says(Cli2Auth_VaultNodeSave, { transactionId: 1, nodeId: 99, revisionId: NO_UUID, nodeData: nodeData(fields) });

  it("stays when a change says nothing about it", () => {
    const [, save, later] = authSession([
      fetched({ nodeId: 99, nodeType: 29, string64_1: "CleftSolved", text_1: "no" }),
      saved({ nodeId: 99, nodeType: 29, text_1: "yes" }),
      added(1, 99, 0),
    ]);
    expect(labelAt(save, "nodeId")).toBe("Chronicle CleftSolved");
    expect(labelAt(later, "childNodeId")).toBe("Chronicle CleftSolved");
  });

  it("changes with it, and is that of its type until more is known", () => {
    const [, bare, , , renamed] = authSession([
      saved({ nodeId: 99, nodeType: 29, text_1: "yes" }),
      added(1, 99, 0),
      fetched({ nodeId: 99, nodeType: 29, string64_1: "CleftSolved" }),
      saved({ nodeId: 99, nodeType: 29, string64_1: "" }),
      added(1, 99, 0),
    ]);
    expect(labelAt(bare, "childNodeId")).toBe("Chronicle");
    expect(labelAt(renamed, "childNodeId")).toBe("Chronicle");
  });
});

describe("what only a request and its reply show together", () => {
  it("includes an account's name", () => {
    const request = { transactionId: 1, clientChallenge: 0, challengeHash: new Uint8Array(20), authToken: "" };
    const reply = { transactionId: 1, accountFlags: 0, billingType: 0, notthedroidsEncryptionKey: [0, 0, 0, 0] };
    const messages = authSession([
      says(Cli2Auth_AcctLoginRequest, { ...request, accountName: "alice@example.com", operatingSystem: "win" }),
      says(Auth2Cli_AcctLoginReply, { ...reply, result: 20, accountId: NO_UUID }),
      says(Auth2Cli_AcctLoginReply, { ...reply, result: 0, accountId: ACCOUNT }),
    ]);
    expect(labelAt(messages[1], "accountId")).toBeUndefined();
    expect(labelAt(messages[2], "accountId")).toBe("alice@example.com");
  });

  it("includes the content of a new node of the vault", () => {
    const [, reply, later] = authSession([
      says(Cli2Auth_VaultNodeCreate, {
        transactionId: 7,
        nodeData: nodeData({ nodeType: 29, string64_1: "CleftSolved" }),
      }),
      says(Auth2Cli_VaultNodeCreated, { transactionId: 7, result: 0, nodeId: 99 }),
      added(1, 99, 0),
    ]);
    expect(labelAt(reply, "nodeId")).toBe("Chronicle CleftSolved");
    expect(labelAt(later, "childNodeId")).toBe("Chronicle CleftSolved");
  });
});

const SAMPLES = [
  ["dirtsand-session.pcap", "dirtsand/dirtsand.ini"],
  ["dirtsand-plain.pcap", undefined],
  ["nagus-session.pcap", "nagus/nagus_config.ini"],
  ["nagus-plain.pcap", undefined],
] as const;

async function read(capture: string, keys: string | undefined, listener: (message: Message) => void): Promise<void> {
  await dissectCaptures([sample(capture)], { keys: keys === undefined ? [] : [sample(`keys/${keys}`)] }, listener);
}

describe.each(SAMPLES)("%s", (capture, keys) => {
  it("has the same fields in JSON whatever is known about names and transactions", async () => {
    let labelled = 0;
    await read(capture, keys, ({ nodes }) => {
      if (!(nodes instanceof Nodes)) return;
      const fields = fieldJson(nodes, 0);
      labelled += nodes.annotations.size;
      nodes.names = undefined;
      nodes.annotations.clear();
      expect(fieldJson(nodes, 0)).toBe(fields);
    });
    expect(labelled).toBeGreaterThan(100);
  });

  it("knows who is who", async () => {
    const messages: DissectedMessage[] = [];
    await read(capture, keys, (message) => void messages.push(new DissectedMessage(message)));
    const created = messages.find(({ name }) => name === "Auth2Cli_PlayerCreateReply");
    const alice = capture.startsWith("dirtsand") ? 10124 : 134;
    expect(labelAt(created, "playerVaultNodeId")).toBe("Alice of D'ni");
    const selves = messages.flatMap((message) => named("playerVaultNodeId", message));
    expect(new Set(selves.filter(({ value }) => value === alice).map(({ label }) => label))).toEqual(
      new Set(["Alice of D'ni"]),
    );
    const speakers = messages.flatMap((message) => named("senderKiNumber", message).map(({ label }) => label));
    const told = messages.flatMap((message) => named("senderName", message).map(({ value }) => value));
    expect(speakers).toEqual(told);
    expect(speakers.length).toBeGreaterThan(3);
  });
});

/** All fields of a message with this name: their values, and the labels shown beside them. */
function named(name: string, { nodes }: DissectedMessage): { value: unknown; label: string | undefined }[] {
  if (nodes === undefined) return [];
  const found = Array.from({ length: nodes.count }, (_, node) => node).filter(
    (node) => nodes.field(node).name === name,
  );
  return found.map((node) => ({ value: nodes.value(node), label: labelOf(nodes, node) }));
}
