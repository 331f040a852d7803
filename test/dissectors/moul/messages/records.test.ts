import { describe, expect, it } from "vitest";
import {
  Auth2Cli_AgeReplyEx,
  Auth2Cli_ScoreGetHighScoresReply,
  Auth2Cli_ServerCaps,
} from "../../../../dissectors/moul/messages/auth/extensions.js";
import { Auth2Cli_PublicAgeList } from "../../../../dissectors/moul/messages/auth/publicAges.js";
import {
  Auth2Cli_ScoreGetRanksReply,
  Auth2Cli_ScoreGetScoresReply,
  Cli2Auth_ScoreAddPoints,
  Cli2Auth_ScoreGetRanks,
} from "../../../../dissectors/moul/messages/auth/score.js";
import { decode, decodeValue, netStringHex, u32Hex, utf16Hex, wire } from "./decoding.js";

/** Text in a field of fixed width, with other bytes from memory after its zero. */
function fixed(text: string, units: number, behind = "00"): string {
  const used = `${utf16Hex(text)}0000`;
  return used + behind.repeat(2 * units - used.length / 2);
}

describe("PublicAgeList", () => {
  it("has records of 2,464 bytes; what follows a text means nothing", () => {
    const record = [
      "00112233445566778899aabbccddeeff",
      fixed("Neighborhood", 64, "cd"),
      fixed("Bevin", 64),
      fixed("DRC (42)", 64),
      fixed("DRC (42) Bevin", 1024, "cd"),
      u32Hex(42),
      "ffffffff",
      u32Hex(20),
      u32Hex(3),
    ].join("");
    expect(record.length / 2).toBe(2464);
    expect(decodeValue(Auth2Cli_PublicAgeList, "2800 01000000 00000000 02000000", record, record)).toMatchObject({
      ageInstanceCount: 2,
      ageInstances: Array(2).fill({
        instanceUuid: "33221100-5544-7766-8899-aabbccddeeff",
        fileName: "Neighborhood",
        instanceName: "Bevin",
        userDefinedName: "DRC (42)",
        description: "DRC (42) Bevin",
        sequenceNumber: 42,
        language: -1,
        ownerCount: 20,
        currentPopulation: 3,
      }),
    });
  });
});

describe("scores", () => {
  /** As written by NetGameScore::Write: the name last, its zero counted. */
  const score = (id: number, points: string, name: string): string =>
    [u32Hex(id), u32Hex(134), u32Hex(1_600_000_000), u32Hex(2), points, u32Hex(2 * name.length + 2)].join("") +
    `${utf16Hex(name)}0000`;
  const scores = score(1, "f6ffffff", "HeekPoints") + score(2, "64000000", "");
  const decoded = {
    scoreCount: 2,
    scoreDataLength: scores.length / 2,
    scoreData: [
      {
        scoreId: 1,
        ownerId: 134,
        creationTime: 1_600_000_000,
        gameType: 2,
        points: -10,
        gameNameByteCount: 22,
        gameName: "HeekPoints",
      },
      {
        scoreId: 2,
        ownerId: 134,
        creationTime: 1_600_000_000,
        gameType: 2,
        points: 100,
        gameNameByteCount: 2,
        gameName: "",
      },
    ],
  };

  it.each([
    ["ScoreGetScoresReply", Auth2Cli_ScoreGetScoresReply, "2b00"],
    ["ScoreGetHighScoresReply", Auth2Cli_ScoreGetHighScoresReply, "0110"],
  ])("%s dissects its records", (_, type, tag) => {
    const value = decodeValue(type, tag, "01000000 00000000 02000000", u32Hex(scores.length / 2), scores);
    expect(value).toMatchObject(decoded);
  });

  it("keep a record that is longer than its data within the data", () => {
    const cut = score(1, "00000000", "Heek").slice(0, -8);
    const bytes = wire("2b00 01000000 00000000 01000000", u32Hex(cut.length / 2), cut);
    const { nodes, consumed, value } = decode(Auth2Cli_ScoreGetScoresReply, bytes);
    expect(nodes.outcome).toBe("malformed");
    expect(consumed).toBe(bytes.length);
    expect(value).toMatchObject({ scoreData: [{ gameNameByteCount: 10, undissected: utf16Hex("Hee") }] });
  });

  it("can be negative", () => {
    expect(decodeValue(Cli2Auth_ScoreAddPoints, "3100 01000000 02000000 fdffffff")).toMatchObject({
      pointsDifference: -3,
    });
  });

  it("ScoreGetRanks and its reply", () => {
    const tail = "01000000 0a000000 02000000 01000000";
    expect(
      decodeValue(Cli2Auth_ScoreGetRanks, "3400 01000000 86000000 01000000 07000000", netStringHex("Heek"), tail),
    ).toEqual({
      messageType: 52,
      transactionId: 1,
      ownerId: 134,
      scoreGroup: 1,
      parentFolderId: 7,
      gameName: "Heek",
      timePeriod: 1,
      resultCount: 10,
      pageNumber: 2,
      sortOrder: 1,
    });

    const rank = (place: number, points: string, name: string): string =>
      `${u32Hex(place)}${points}${u32Hex(2 * name.length + 2)}${utf16Hex(name)}0000`;
    const ranks = rank(1, "64000000", "Zandi") + rank(2, "ffffffff", "Yeesha");
    expect(
      decodeValue(Auth2Cli_ScoreGetRanksReply, "2f00 01000000 00000000 02000000", u32Hex(ranks.length / 2), ranks),
    ).toMatchObject({
      rankCount: 2,
      rankData: [
        { rank: 1, score: 100, nameByteCount: 12, name: "Zandi" },
        { rank: 2, score: -1, nameByteCount: 14, name: "Yeesha" },
      ],
    });
  });
});

describe("H'uru extensions", () => {
  it("ServerCaps names the capabilities", () => {
    expect(decodeValue(Auth2Cli_ServerCaps, "0210 08000000 01000000 91000000")).toEqual({
      messageType: 0x1002,
      capabilitiesByteCount: 8,
      capabilities: {
        count: 1,
        bitVector: [0x91],
        bits: ["kCapsScoreLeaderBoards", "kCapsGameMgrMarker", 7],
      },
    });
  });

  it("ServerCaps may have half a FileDownloadChunk after the capabilities", () => {
    const chunk = `0000 00000000 13000000 ${Buffer.from("[ServerCaps compat]").toString("hex")}`;
    expect(decodeValue(Auth2Cli_ServerCaps, "0210 25000000 01000000 40000000", chunk)).toMatchObject({
      capabilitiesByteCount: 37,
      capabilities: { count: 1, bits: ["kCapsGameMgrVarSync"], filler: chunk.replace(/ /g, "") },
    });
  });

  it("AgeReplyEx gives a host name", () => {
    const uuid = "00112233445566778899aabbccddeeff";
    const address = netStringHex("game.example.org:14617");
    expect(
      decodeValue(Auth2Cli_AgeReplyEx, "0010 01000000 00000000 12000000", uuid, "f1270000", address),
    ).toMatchObject({ mcpId: 18, ageVaultNodeId: 10225, serverAddress: "game.example.org:14617" });
  });
});
