import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, NormalForms } from "../../src/check/index.js";
import { isArray, isObject, type Json } from "../../src/common/json.js";
import { sample } from "../support/samples.js";
import { differencesOf, line, linesIn, MESSAGES } from "./support.js";

const LOGIN = linesIn(readFileSync(sample("regression/login.expected.jsonl"), "utf8"));

const fetches = (...nodes: readonly number[]) =>
  nodes.flatMap((nodeId, index) => [
    line("Cli2Auth_VaultNodeFetch", { messageType: 26, transactionId: index + 1, nodeId }),
    line("Auth2Cli_VaultNodeFetched", {
      messageType: 24,
      transactionId: index + 1,
      result: "kNetSuccess",
      nodeDataLength: 99,
      nodeData: { fieldFlags: ["kNodeId", "kString64_1"], nodeId, string64_1: `node ${nodeId}`, named: { name: "x" } },
    }),
  ]);

/** Writes the members of all objects in a value in another order. */
function sortedBackwards(value: Json): Json {
  if (isArray(value)) return value.map(sortedBackwards);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [name, sortedBackwards(member)]);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? 1 : -1)));
}

/** A message of a game to a client. */
const gameMsg = (messageId: number, body: Json): Line =>
  line("Game2Cli_GameMgrMsg", { buffer: { messageId, receivingGameId: 118, body } }, { protocol: "moul.game" });

const uuid = (digit: number): string => [8, 4, 4, 4, 12].map((length) => String(digit).repeat(length)).join("-");

const kinds = (differences: readonly { readonly kind: string }[]) => differences.map(({ kind }) => kind);

describe("what is not compared", () => {
  it("includes times, challenges, keys, and what follows from other fields", () => {
    const reply = { messageType: 3, serverChallenge: 17 };
    expect(
      differencesOf(
        [line("Auth2Cli_ClientRegisterReply", reply)],
        [line("Auth2Cli_ClientRegisterReply", { ...reply, serverChallenge: 18 })],
      ),
    ).toEqual([]);
    const node = { fieldFlags: ["kCreateTime"], createTime: "2026-11-20T04:55:28Z", named: { folderType: "a" } };
    const fetched = { messageType: 24, transactionId: 1, result: "kNetSuccess", nodeDataLength: 12, nodeData: node };
    const later = { ...node, createTime: "2026-11-21T00:00:00Z", named: { folderType: "b" } };
    expect(
      differencesOf(
        [line("Auth2Cli_VaultNodeFetched", fetched)],
        [line("Auth2Cli_VaultNodeFetched", { ...fetched, nodeDataLength: 13, nodeData: later })],
      ),
    ).toEqual([]);
  });

  it("includes what differs each time that a game is played", () => {
    expect(differencesOf([gameMsg(8, { timeLeft: 200 })], [gameMsg(8, { timeLeft: 203 })])).toEqual([]);
    const order = (order: string) => [gameMsg(4, { order })];
    expect(differencesOf(order("00010203040506"), order("06050403020100"))).toEqual([]);
  });

  it("is still compared for being present, and for being zero or empty", () => {
    const setup = (y: string) => [line("Cli2Srv_Connect", { type: "Connect", packetByteCount: 2 + y.length / 2, y })];
    expect(differencesOf(setup("0102"), setup("030405"))).toEqual([]);
    expect(differencesOf(setup("0102"), setup(""))).toMatchObject([
      { kind: "changed", fields: [{ path: "y", expected: "(any value)", found: "(zero or empty)" }] },
    ]);
    const reply = line("Auth2Cli_ClientRegisterReply", { messageType: 3, serverChallenge: 17 });
    expect(differencesOf([reply], [line("Auth2Cli_ClientRegisterReply", { messageType: 3 })])).toMatchObject([
      { kind: "changed", fields: [{ path: "serverChallenge", expected: "(any value)", found: undefined }] },
    ]);
  });

  it("includes lengths of texts, but not numbers of elements", () => {
    const sound = (name: string) => [line("MsgCustomSound", { nameLen: name.length, name })];
    expect(differencesOf(sound("flag"), sound("horn 1"))).toMatchObject([{ fields: [{ path: "name" }] }]);
    // In a message that was cut short, the number is all there is.
    const found = (foundNodeIdCount: number) => [line("Auth2Cli_VaultNodeFindReply", { foundNodeIdCount })];
    expect(differencesOf(found(1), found(2))).toMatchObject([{ fields: [{ path: "foundNodeIdCount" }] }]);
  });

  it("is the text of a note, but a note that only one of them has is shown with it", () => {
    const gap = (path: string, text?: string) =>
      line("gap", { length: 20 }, { notes: [{ severity: "warning", path, ...(text !== undefined && { text }) }] });
    expect(differencesOf([gap("", "this")], [gap("", "that")])).toEqual([]);
    const none = line("gap", { length: 20 });
    expect(differencesOf([none], [gap("", "this")])).toMatchObject([
      { fields: [{ path: "notes[0]", expected: undefined, found: "warning: this" }] },
    ]);
    expect(differencesOf([gap("a.b")], [gap("a.c", "that")])).toMatchObject([
      { fields: [{ path: "notes[0]", expected: "warning a.b", found: "warning a.c: that" }] },
    ]);
  });

  it("includes the texts of notes and the places of gaps, but not that they are there", () => {
    const gap = (offset: number, length: number, path = "") =>
      line("gap", { offset, length }, { status: "truncated", notes: [{ severity: "warning", path }] });
    expect(differencesOf([gap(1, 20)], [gap(7, 20)])).toEqual([]);
    expect(differencesOf([gap(1, 20)], [gap(1, 21)])).toMatchObject([
      { fields: [{ path: "length", expected: 20, found: 21 }] },
    ]);
    expect(differencesOf([gap(1, 20)], [gap(1, 20, "x")])).toMatchObject([{ fields: [{ path: "notes[0]" }] }]);
  });
});

it("tells 0 from -0, as --json does", () => {
  const location = (x: number) => [line("Toy", { position: [x, 0], radius: 0 })];
  expect(differencesOf(location(-0), location(-0))).toEqual([]);
  expect(differencesOf(location(0), location(-0))).toMatchObject([
    { kind: "changed", fields: [{ path: "position[0]", expected: 0, found: -0 }] },
  ]);
});

describe("what is known of every message", () => {
  it("is compared even if a field has the same name", () => {
    const drop = (status: "ok" | "malformed", ofFlag: string) => [line("MsgDropFlag", { status: ofFlag }, { status })];
    expect(differencesOf(drop("malformed", "FlagOnGround"), drop("ok", "FlagOnGround"))).toMatchObject([
      { kind: "changed", fields: [{ path: "status", expected: "malformed", found: "ok" }] },
    ]);
    expect(differencesOf(drop("ok", "FlagOnTank"), drop("ok", "FlagOnGround"))).toMatchObject([
      { kind: "changed", fields: [{ path: ".status", expected: "FlagOnTank", found: "FlagOnGround" }] },
    ]);
  });
});

describe("a message", () => {
  it("is of the same protocol", () => {
    const first = line("Cli2Auth_PingRequest");
    const both = (protocol: string) => [first, line("Cli2Auth_ClientRegisterRequest", {}, { protocol })];
    expect(differencesOf(both("moul.game"), both("moul.auth"))).toMatchObject([
      { kind: "changed", found: 2, fields: [{ path: "protocol", expected: "moul.game", found: "moul.auth" }] },
    ]);
  });

  it("may have members that are named after properties of every object", () => {
    const [strange, plain] = ['{"__proto__":{"a":1}}', "{}"].map((text): Json => JSON.parse(text));
    const of = (fields: Json = {}) => ({ ...line("Cli2Auth_PingRequest"), fields });
    expect(differencesOf([of(strange)], [of(plain)])).toMatchObject([{ fields: [{ path: "__proto__" }] }]);
  });
});

describe("the order of members", () => {
  it("means nothing, even in a recording that differs", () => {
    const members = fetches(10, 11, 12, 13, 14).map((one) => ({ ...one, fields: sortedBackwards(one.fields) }));
    expect(differencesOf(members, fetches(10, 11, 12, 13, 14))).toEqual([]);
    expect(differencesOf(members, fetches(10, 12, 13, 14))).toMatchObject([
      { kind: "missing", expected: 3 },
      { kind: "missing", expected: 4 },
    ]);
  });

  it("means nothing in a label or a state, either", () => {
    const entered = (player: Json) => line("MsgEnter", { player, callsign: "a" }, { protocol: "bzflag.107e" });
    const player = { host: "10.0.0.1", port: 5154, number: 1 };
    expect(
      differencesOf([entered(player), entered(player)], [entered(player), entered(sortedBackwards(player))]),
    ).toEqual([]);
    const state = (record: Json) =>
      line("Game2Cli_PropagateBuffer", { buffer: { class: "plNetMsgSDLState", stream: { data: { record } } } });
    const forms = new NormalForms(MESSAGES);
    const record = { version: 3, simpleVariables: [{ name: "a", values: [1] }] };
    expect(forms.of(state(sortedBackwards(record)))?.form).toBe(forms.of(state(record))?.form);
  });
});

describe("a value that only identifies something", () => {
  it("may be renamed, one for one", () => {
    expect(differencesOf(fetches(10, 11, 12), fetches(30, 29, 12))).toMatchObject(
      // Their names are not labels.
      [0, 1].map((index) => ({ kind: "changed", found: 2 * index + 2, fields: [{ path: "nodeData.string64_1" }] })),
    );
  });

  it("has to be renamed everywhere", () => {
    const found = fetches(10, 11, 12).map((one, index) =>
      index === 3 ? { ...one, fields: { ...Object(one.fields), transactionId: 77 } } : one,
    );
    expect(differencesOf(fetches(10, 11, 12), found)).toMatchObject([
      { kind: "changed", found: 4, fields: [{ path: "transactionId", expected: 2, found: 77 }] },
    ]);
  });

  it("stays distinct if it was distinct", () => {
    const found = fetches(10, 11).map((one) => ({ ...one, fields: { ...Object(one.fields), transactionId: 5 } }));
    const differences = differencesOf(fetches(10, 11), found);
    expect(differences.length).toBe(2);
    for (const difference of differences)
      expect(difference).toMatchObject({ fields: [{ path: "transactionId", found: 5 }] });
  });

  it("is never of another type", () => {
    const ask = (playerVaultNodeId: Json) => [line("Cli2Auth_AcctSetPlayerRequest", { playerVaultNodeId })];
    expect(differencesOf(ask("10"), ask(10))).toMatchObject([
      { fields: [{ path: "playerVaultNodeId", expected: "10", found: 10 }] },
    ]);
    const enter = (player: Json) => [line("MsgEnter", { player }, { protocol: "bzflag.107e" })];
    const [host, port, number] = ["10.0.0.1", 5154, 1];
    expect(differencesOf(enter({ host, port, number }), enter({ host, port, number: 2 }))).toEqual([]);
    expect(differencesOf(enter({ host, port }), enter({ host, port, number }))).toMatchObject([
      { fields: [{ path: "player" }] },
    ]);
  });

  it("is never zero", () => {
    const ask = (playerVaultNodeId: number) => [
      line("Cli2Auth_AcctSetPlayerRequest", { messageType: 6, transactionId: 1, playerVaultNodeId }),
    ];
    expect(differencesOf(ask(10), ask(11))).toEqual([]);
    expect(differencesOf(ask(10), ask(0))).toMatchObject([{ fields: [{ path: "playerVaultNodeId" }] }]);
    const killed = (killer: Json) => [line("MsgKilled", { killer }, { protocol: "bzflag.107e" })];
    const nobody = { host: "0.0.0.0", port: 0, number: 0 };
    const somebody = { host: "10.0.0.1", port: 5154, number: 1 };
    expect(differencesOf(killed(nobody), killed(nobody))).toEqual([]);
    expect(differencesOf(killed(nobody), killed(somebody))).toMatchObject([
      { fields: [{ path: "killer", expected: nobody, found: somebody }] },
    ]);
    expect(differencesOf(killed({ host: "0.0.0.0" }), killed(nobody))).toMatchObject([
      { fields: [{ path: "killer.port" }, { path: "killer.number" }] },
    ]);
  });

  it("identifies a score even where points are transferred", () => {
    const transfer = (scoreId: number, sourceScoreId: number, destinationScoreId: number) => [
      line("Cli2Auth_ScoreDelete", { scoreId }),
      line("Cli2Auth_ScoreTransferPoints", { sourceScoreId, destinationScoreId, pointsToTransfer: 5 }),
    ];
    expect(differencesOf(transfer(10, 10, 11), transfer(31, 31, 30))).toEqual([]);
    expect(differencesOf(transfer(10, 10, 11), transfer(31, 30, 31))).toMatchObject([
      { kind: "changed", fields: [{ path: "sourceScoreId" }, { path: "destinationScoreId" }] },
    ]);
  });

  it("identifies invitations of a player, whose node has it, too", () => {
    const invite = (ofNode: string, ofRequest = ofNode) => [
      line("Auth2Cli_VaultNodeFetched", {
        nodeData: { fieldFlags: ["kNodeType", "kUuid_2"], nodeType: "kNodeType_VNodeMgrPlayer", uuid_2: ofNode },
      }),
      line("Cli2Auth_SendFriendInviteRequest", { transactionId: 1, inviteUuid: ofRequest }),
    ];
    expect(differencesOf(invite(uuid(1)), invite(uuid(2)))).toEqual([]);
    expect(differencesOf(invite(uuid(1)), invite(uuid(2), uuid(3)))).toMatchObject([{ kind: "changed" }]);
  });

  it("identifies a marker game, as text or in a vault node", () => {
    const created = (ofGame: string, ofNode = ofGame) => [
      gameMsg(4, { templateId: ofGame }),
      line("Cli2Auth_VaultNodeSave", {
        nodeData: { fieldFlags: ["kNodeType", "kUuid_1"], nodeType: "kNodeType_MarkerGame", uuid_1: ofNode },
      }),
    ];
    expect(differencesOf(created(uuid(1)), created(uuid(2)))).toEqual([]);
    expect(differencesOf(created(uuid(1)), created(uuid(2), uuid(3)))).toMatchObject([{ kind: "changed" }]);
  });

  it("may be in a variable of a state", () => {
    const state = (clonerKiNumber: number, playerId = clonerKiNumber): Line => {
      const key = { flags: ["kHasCloneIDs"], objectName: "Male", cloneId: 1, clonerKiNumber };
      const record = { simpleVariables: [{ name: "subworld", type: "PLKEY", values: [key] }] };
      const buffer = { class: "plNetMsgSDLStateBCast", playerId, stream: { data: { record } } };
      return line("Game2Cli_PropagateBuffer", { buffer }, { protocol: "moul.game" });
    };
    expect(differencesOf([state(10124)], [state(20248)])).toEqual([]);
    expect(differencesOf([state(10124)], [state(20248, 20249)])).toMatchObject([{ kind: "changed" }]);
  });

  it("belongs to one conversation, or to the whole recording", () => {
    const both = (second: { transactionId: number; playerVaultNodeId: number }) =>
      [{ transactionId: 1, playerVaultNodeId: 10 }, second].map((fields, stream) =>
        line("Cli2Auth_AcctSetPlayerRequest", { messageType: 6, ...fields }, { stream }),
      );
    const expected = both({ transactionId: 1, playerVaultNodeId: 10 });
    expect(differencesOf(expected, both({ transactionId: 2, playerVaultNodeId: 10 }))).toEqual([]);
    expect(differencesOf(expected, both({ transactionId: 1, playerVaultNodeId: 11 }))).toMatchObject([
      { conversation: 2, fields: [{ path: "playerVaultNodeId", expected: 10, found: 11 }] },
    ]);
  });
});

describe("messages", () => {
  const NODES = [10, 11, 12, 13, 14, 15];

  it("that are missing are one difference each, even among messages that differ only in labels", () => {
    for (const gone of NODES.keys()) {
      const found = fetches(...NODES).filter((_, index) => index !== 2 * gone);
      const differences = differencesOf(fetches(...NODES), found);
      expect(differences).toMatchObject([
        { kind: "missing", message: "Cli2Auth_VaultNodeFetch", expected: 2 * gone + 1 },
      ]);
    }
  });

  it("that are new are one difference each, even if they renumber all that follow", () => {
    const found = fetches(10, 11, 99, 12, 13, 14, 15);
    expect(differencesOf(fetches(...NODES), found)).toMatchObject([
      { kind: "added", direction: "c2s", found: 5, before: { at: 3 }, after: { at: 7 } },
      { kind: "added", direction: "s2c", found: 6, before: { at: 4 }, after: { at: 8 } },
    ]);
  });

  it("that are elsewhere have moved", () => {
    const [first, ...others] = LOGIN.filter(({ direction }) => direction === "s2c");
    expect(first).toBeDefined();
    const expected = LOGIN.filter(({ direction }) => direction === "s2c");
    const found = first === undefined ? [] : [...others.slice(0, 3), first, ...others.slice(3)];
    expect(differencesOf(expected, found)).toMatchObject([{ kind: "moved", expected: 1, found: 4 }]);
  });

  it("that swapped places have moved, though each looks like a changed form of the other", () => {
    const kicks = (...reasons: readonly number[]) =>
      reasons.map((reason) => line("Auth2Cli_KickedOff", { messageType: 27, reason }));
    expect(differencesOf(kicks(1, 7, 8, 2), kicks(2, 7, 8, 1))).toMatchObject([
      { kind: "moved", expected: 4, found: 1 },
      { kind: "moved", expected: 1, found: 4 },
    ]);
    expect(differencesOf(kicks(1, 7, 8, 2), kicks(2, 7, 8, 3))).toMatchObject([
      { kind: "missing", expected: 1 },
      { kind: "moved", expected: 4, found: 1 },
      { kind: "added", found: 4 },
    ]);
    expect(differencesOf(kicks(1, 7, 8, 2), kicks(1, 7, 8, 3))).toMatchObject([{ kind: "changed", found: 4 }]);
  });

  it("of the two sides may be interleaved in any order", () => {
    const [ask, answer] = fetches(10);
    expect(
      differencesOf([...fetches(9), ...LOGIN], [...LOGIN.map((one) => ({ ...one })), ...fetches(9)]).length,
    ).toBeGreaterThan(0);
    if (ask === undefined || answer === undefined) throw new Error("no messages");
    expect(differencesOf([ask, answer], [answer, ask])).toEqual([]);
  });

  it("may have one more element in an array, and no other difference", () => {
    const list = (...names: readonly string[]) => [
      line("Auth2Cli_FileListReply", {
        messageType: 36,
        transactionId: 1,
        result: "kNetSuccess",
        fileListElementCount: 9 * names.length,
        fileList: names.map((name) => ({ name, size: { highHalf: 0, lowHalf: 1, terminator: 0, value: 1 } })),
        terminator: 0,
      }),
    ];
    const [difference, ...others] = differencesOf(list("a", "b", "c"), list("a", "x", "b", "c"));
    expect(others).toEqual([]);
    expect(difference).toMatchObject({
      kind: "changed",
      fields: [{ path: "fileList[1]", expected: undefined, found: { name: "x" } }],
    });
  });

  it("may have an element of another class in an array, or one more, but do not carry a message of another class", () => {
    const carried = (name: string, ...classes: readonly string[]) => {
      const data = { class: name, events: classes.map((one) => ({ class: one, eventType: 1 })) };
      const buffer = { class: "plNetMsgGameMessage", stream: { data } };
      return [line("Game2Cli_PropagateBuffer", { buffer }, { protocol: "moul.game" })];
    };
    const [facing, click] = ["proFacingEventData", "proClickDragEventData"];
    const differences = differencesOf(carried("plNotifyMsg", facing), carried("plNotifyMsg", click));
    expect(differences).toMatchObject([{ kind: "changed", fields: [{ path: "buffer.stream.data.events[0].class" }] }]);
    expect(differencesOf(carried("plNotifyMsg", facing), carried("plNotifyMsg", facing, click))).toMatchObject([
      { kind: "changed", fields: [{ path: "buffer.stream.data.events[1]", expected: undefined }] },
    ]);
    expect(kinds(differencesOf(carried("plNotifyMsg"), carried("plEnableMsg")))).toEqual(["missing", "added"]);
  });

  it("may have one element less in an array, found by what the others identify", () => {
    const search = (...foundNodeIds: readonly number[]) => [
      line("Auth2Cli_VaultNodeFindReply", { result: "kNetSuccess", foundNodeIdCount: 0, foundNodeIds }),
    ];
    expect(
      differencesOf([...fetches(10, 11, 12), ...search(10, 11, 12)], [...fetches(30, 31, 32), ...search(30, 32)]),
    ).toMatchObject([
      ...[0, 1, 2].map((index) => ({ fields: [{ path: "nodeData.string64_1", found: `node ${30 + index}` }] })),
      { kind: "changed", found: 7, fields: [{ path: "foundNodeIds[1]", expected: 11, found: undefined }] },
    ]);
  });
});

describe("conversations", () => {
  const said = (stream: number, buildId: number): Line[] => [
    line("Cli2Auth_ClientRegisterRequest", { messageType: 1, buildId }, { stream }),
    line("Cli2Auth_AcctExistsRequest", { messageType: 53, transactionId: 1, accountName: `of ${buildId}` }, { stream }),
  ];

  it("are matched by protocol and order, whatever their numbers", () => {
    expect(differencesOf([...said(0, 1), ...said(1, 2)], [...said(7, 1), ...said(4, 2)])).toEqual([]);
    expect(differencesOf([...said(0, 1), ...said(1, 2)], [...said(0, 2), ...said(1, 1)])).toMatchObject([
      { kind: "missing conversation", conversation: 1 },
      { kind: "added conversation", conversation: 2 },
    ]);
    expect(kinds(differencesOf(said(0, 1), said(0, 2)))).toEqual(["changed", "changed"]);
  });

  it("are the others if one is missing and another one is new", () => {
    // More than are compared each with each.
    for (const count of [3, 150]) {
      const all = Array.from({ length: count + 1 }, (_, index) => said(index, index));
      expect(differencesOf(all.slice(0, -1).flat(), all.slice(1).flat())).toMatchObject([
        { kind: "missing conversation", conversation: 1, messages: 2 },
        { kind: "added conversation", conversation: count, messages: 2 },
      ]);
    }
  });

  it("are those that begin alike if a recording has broken off, though a shorter one has more in common", () => {
    const asked = (stream: number, ...accounts: readonly number[]) =>
      accounts.map((account) =>
        line("Cli2Auth_AcctExistsRequest", { messageType: 53, accountName: `Yeesha ${account}` }, { stream }),
      );
    const long = asked(0, ...Array.from({ length: 60 }, (_, account) => 100 + account));
    const brokenOff = long.slice(0, 14);
    const short = asked(1, 110, 111, 112, 113, 1, 2, 3, 4, 5, 6);
    const differences = differencesOf([...long, ...short], brokenOff);
    expect(differences).toContainEqual(
      expect.objectContaining({ kind: "missing conversation", conversation: 2, messages: short.length }),
    );
    expect(kinds(differences).filter((kind) => kind === "missing")).toHaveLength(long.length - brokenOff.length);
    expect(differencesOf(brokenOff, [...long, ...short])).toContainEqual(
      expect.objectContaining({ kind: "added conversation", conversation: 2 }),
    );
  });

  it("are not those of which one is too short to tell, even if it begins alike", () => {
    const asked = (stream: number, ...accounts: readonly string[]) =>
      accounts.map((account) =>
        line("Cli2Auth_AcctExistsRequest", { messageType: 53, accountName: account }, { stream }),
      );
    const named = (length: number, title: string) => Array.from({ length }, (_, index) => `${title} ${index}`);
    const beginning = named(15, "Yeesha");
    const long = asked(1, ...beginning, ...named(25, "Atrus"));
    const changed = asked(1, ...beginning, ...named(25, "Gehn"));
    const aborted = asked(0, ...beginning.slice(0, 3));
    const differences = differencesOf([...aborted, ...long], changed);
    expect(differences.filter(({ kind }) => kind === "missing conversation")).toMatchObject([{ messages: 3 }]);
    expect(kinds(differences).filter((kind) => kind === "changed")).toHaveLength(25);
  });

  it("are one difference where one is missing or new, whichever it is", () => {
    const all = [said(0, 1), said(1, 2), said(2, 3)];
    for (const gone of all.keys()) {
      const some = all.filter((_, index) => index !== gone).flat();
      expect(differencesOf(all.flat(), some)).toMatchObject([
        { kind: "missing conversation", conversation: gone + 1, messages: 2 },
      ]);
      expect(differencesOf(some, all.flat())).toMatchObject([{ kind: "added conversation", conversation: gone + 1 }]);
    }
  });
});

describe("any recording", () => {
  const messages = fc.array(
    fc.record({
      message: fc.constantFrom("Cli2Auth_VaultNodeFetch", "Cli2Auth_VaultNodeRemove", "Cli2Auth_AcctExistsRequest"),
      transactionId: fc.nat(20),
      nodeId: fc.nat(6),
      accountName: fc.string(),
      stream: fc.nat(2),
    }),
    { maxLength: 30 },
  );
  const lines = messages.map((all) =>
    all.map(({ message, stream, transactionId, nodeId, accountName }) => {
      if (message === "Cli2Auth_VaultNodeFetch") return line(message, { transactionId, nodeId }, { stream });
      if (message === "Cli2Auth_AcctExistsRequest") return line(message, { transactionId, accountName }, { stream });
      return line(message, { transactionId, parentNodeId: nodeId, childNodeId: nodeId + 1 }, { stream });
    }),
  );

  it("equals itself", () => {
    fc.assert(
      fc.property(lines, (all) => {
        expect(differencesOf(all, all)).toEqual([]);
      }),
    );
  });

  it("equals itself with labels renamed one for one", () => {
    fc.assert(
      fc.property(lines, fc.infiniteStream(fc.nat({ max: 1_000_000 })), (all, stream) => {
        const taken = new Map<string, number>();
        const used = new Set<number>([0]);
        const renamed = (space: string, value: unknown) => {
          if (value === 0) return 0;
          const key = `${space} ${value}`;
          let other = taken.get(key);
          while (other === undefined) {
            const next: number = stream.next().value ?? 0;
            if (!used.has(next)) other = next;
          }
          taken.set(key, other);
          used.add(other);
          return other;
        };
        const found = all.map((one) => {
          const fields = Object.entries(Object(one.fields)).map(([name, value]) => {
            if (name === "transactionId") return [name, renamed(`request ${one.stream}`, value)];
            return [name, name === "accountName" ? value : renamed("node", value)];
          });
          return { ...one, fields: Object.fromEntries(fields) };
        });
        expect(differencesOf(all, found)).toEqual([]);
      }),
    );
  });

  it("differs if one value is changed, and that value is reported", () => {
    fc.assert(
      fc.property(lines, fc.nat(), (all, seed) => {
        const asking = all.filter(({ message }) => message === "Cli2Auth_AcctExistsRequest");
        fc.pre(asking.length > 0);
        const victim = asking[seed % asking.length];
        const found = all.map((one) =>
          one === victim ? { ...one, fields: { ...Object(one.fields), accountName: "\u0000 changed" } } : one,
        );
        const differences = differencesOf(all, found);
        expect(differences).toMatchObject([{ kind: "changed", found: all.indexOf(victim ?? line("")) + 1 }]);
        expect(differences[0]).toHaveProperty("fields.0.path", "accountName");
        expect(differences[0]).toHaveProperty("fields.length", 1);
      }),
    );
  });

  it("differs if one message is left out", () => {
    fc.assert(
      fc.property(lines, fc.nat(), (all, seed) => {
        fc.pre(all.length > 0);
        const gone = seed % all.length;
        const differences = differencesOf(
          all,
          all.filter((_, index) => index !== gone),
        );
        expect(differences.length).toBeGreaterThan(0);
      }),
    );
  });
});
