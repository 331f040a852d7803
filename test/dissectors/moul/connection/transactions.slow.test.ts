import { describe, expect, it } from "vitest";
import { StrayReplies } from "../../../../dissectors/moul/connection/context/stray-replies.js";
import {
  Auth2Cli_FileDownloadChunk,
  Cli2Auth_FileDownloadChunkAck,
  Cli2Auth_FileDownloadRequest,
} from "../../../../dissectors/moul/messages/auth/files.js";
import { Auth2Cli_PingReply, Cli2Auth_PingRequest } from "../../../../dissectors/moul/messages/auth/global.js";
import {
  Auth2Cli_VaultAddNodeReply,
  Auth2Cli_VaultSaveNodeReply,
  Cli2Auth_VaultFetchNodeRefs,
  Cli2Auth_VaultNodeAdd,
  Cli2Auth_VaultNodeFetch,
} from "../../../../dissectors/moul/messages/auth/vault.js";
import {
  Cli2File_FileDownloadChunkAck,
  Cli2File_FileDownloadRequest,
  File2Cli_FileDownloadReply,
} from "../../../../dissectors/moul/messages/file/download.js";
import { Cli2File_PingRequest, File2Cli_PingReply } from "../../../../dissectors/moul/messages/file/global.js";
import { Cli2Game_GameMgrMsg, Game2Cli_GameMgrMsg } from "../../../../dissectors/moul/messages/game/gameMgrMsg.js";
import { summaryText } from "../../../../src/output/text/summary-text.js";
import { dissectPackets } from "../../../support/dissecting.js";
import { MoulTalk, packetsOf } from "../../../support/moul-session.js";
import type { Said } from "../../../support/streams.js";
import { authSession, fileSession, gameSession, labelAt, NO_UUID, says } from "./sessions.js";

const fetch = (transactionId: number): Said => says(Cli2Auth_VaultNodeFetch, { transactionId, nodeId: 7 });
const added = (transactionId: number): Said => says(Auth2Cli_VaultAddNodeReply, { transactionId, result: 0 });
const ping = (type: typeof Cli2Auth_PingRequest, pingTime: number, transactionId: number): Said =>
  says(type, { pingTime, transactionId, payloadByteCount: 0, payload: new Uint8Array(0) });

// Messages are numbered from the connect packet on, so the first one after the set-up is #4; they are one second apart.
describe("a reply", () => {
  it("refers to the request with its transaction number, and says how long it took", () => {
    const messages = authSession([fetch(41), fetch(42), added(41), added(42)]);
    expect(messages.map(({ number }) => number)).toEqual([4, 5, 6, 7]);
    expect(labelAt(messages[2], "transactionId")).toBe("answers #4 Cli2Auth_VaultNodeFetch after 2000.000 ms");
    expect(labelAt(messages[3], "transactionId")).toBe("answers #5 Cli2Auth_VaultNodeFetch after 2000.000 ms");
  });

  it("shows that briefly in its summary, and not in its fields", () => {
    const [request, reply] = authSession([fetch(41), added(41)]);
    expect(request && summaryText(request)).toBe("nodeId=7");
    expect(reply && summaryText(reply)).toBe("result=kNetSuccess (#4, 1000 ms)");
    expect(reply?.toJSON()).toMatchObject({ fields: { messageType: 33, transactionId: 41, result: "kNetSuccess" } });
    expect(reply?.toTree()).toMatchObject({
      tree: [{}, { value: 41, label: expect.stringMatching(/^answers #4 /) }, {}],
    });
  });

  it("refers to the same request as all other replies to it", () => {
    const messages = authSession([fetch(1), added(1), fetch(2), added(1)]);
    expect(labelAt(messages[1], "transactionId")).toBe("answers #4 Cli2Auth_VaultNodeFetch after 1000.000 ms");
    expect(labelAt(messages[3], "transactionId")).toBe("answers #4 Cli2Auth_VaultNodeFetch after 3000.000 ms");
  });

  it("refers to the latest request if numbers are reused", () => {
    const add = { transactionId: 1, parentNodeId: 1, childNodeId: 2, ownerNodeId: 0 };
    const messages = authSession([fetch(1), says(Cli2Auth_VaultNodeAdd, add), added(1)]);
    expect(labelAt(messages[2], "transactionId")).toBe("answers #5 Cli2Auth_VaultNodeAdd after 1000.000 ms");
  });

  it("refers to nothing if its request was not seen", () => {
    const [reply, request] = authSession([added(1), fetch(1)]);
    expect(labelAt(reply, "transactionId")).toBeUndefined();
    expect(labelAt(request, "transactionId")).toBeUndefined();
    expect(reply && summaryText(reply)).toBe("result=kNetSuccess");
  });

  it("answers its request, although the capture has that after the first part of the reply", () => {
    const chunk = { transactionId: 9, result: 0, totalFileSize: 2, chunkData: Buffer.of(1) };
    const talk = new MoulTalk("auth").opens().says("Cli2Auth_FileDownloadRequest", { transactionId: 9, filePath: "a" });
    talk.says("Auth2Cli_FileDownloadChunk", { ...chunk, chunkOffset: 0 });
    talk.says("Cli2Auth_FileDownloadChunkAck", { transactionId: 9 });
    talk.says("Auth2Cli_FileDownloadChunk", { ...chunk, chunkOffset: 1 });
    const inTime = packetsOf(talk, { noFin: true });
    const packets = [...inTime.slice(0, -4), ...inTime.slice(-4, -2).reverse(), ...inTime.slice(-2)];
    const seconds = packets.map((packet) => inTime.indexOf(packet));
    const { messages: all } = dissectPackets(packets, { keys: { "keys.log": talk.keyLog.rc4 }, seconds });
    const messages = all.slice(3);
    expect(messages.map(({ name, nodes }) => [name, nodes?.context?.asks, nodes?.context?.answers])).toEqual([
      ["Cli2Auth_FileDownloadRequest", true, undefined],
      ["Auth2Cli_FileDownloadChunk", undefined, expect.objectContaining({ isFirst: true, number: 4 })],
      ["Cli2Auth_FileDownloadChunkAck", undefined, undefined],
      ["Auth2Cli_FileDownloadChunk", undefined, expect.objectContaining({ isFirst: false })],
    ]);
  });

  it("is forgotten with the oldest of very many requests", () => {
    const many = Array.from({ length: 32_768 }, (_, index) =>
      says(Cli2Auth_VaultFetchNodeRefs, { transactionId: index + 2, nodeId: 1 }),
    );
    const saved = (transactionId: number) => says(Auth2Cli_VaultSaveNodeReply, { transactionId, result: 0 });
    const messages = authSession([fetch(1), ...many, saved(1), saved(2)]);
    const [first, second] = messages.slice(-2);
    expect(labelAt(first, "transactionId")).toBeUndefined();
    expect(labelAt(second, "transactionId")).toBe("answers #5 Cli2Auth_VaultFetchNodeRefs after 32769000.000 ms");
    // It will never be known whether it was answered.
    const forgotten = messages.flatMap(({ nodes }) => nodes?.context?.forgets ?? []);
    expect(forgotten).toEqual([{ name: "Cli2Auth_VaultNodeFetch", number: 4 }]);
    const answered = authSession([fetch(1), saved(1), ...many, fetch(50_000)]);
    expect(answered.flatMap(({ nodes }) => nodes?.context?.forgets ?? [])).toEqual([
      { name: "Cli2Auth_VaultFetchNodeRefs", number: 6 },
    ]);
  });
});

describe("the replies of a connection that were seen before their requests", () => {
  const reply = (number: number) => ({ name: "Auth2Cli_PingReply", number, seconds: 0, nanoseconds: 0 });

  it("are the latest 16", () => {
    const strays = new StrayReplies();
    for (let key = 0; key < 40; key++) strays.add(key, reply(key));
    // One that comes again is no longer the oldest.
    strays.add(24, reply(40));
    strays.add(41, reply(41));
    expect(strays.take(24)?.number).toBe(40);
    const known = Array.from({ length: 42 }, (_, key) => key).filter((key) => strays.take(key) !== undefined);
    expect(known).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 41]);
    expect(strays.take(41)).toBeUndefined();
  });
});

describe("a receipt", () => {
  it("refers to the part that has arrived, and requests nothing itself", () => {
    const chunk = (chunkOffset: number) => ({ transactionId: 9, result: 0, totalFileSize: 2, chunkOffset });
    const messages = authSession([
      says(Cli2Auth_FileDownloadRequest, { transactionId: 9, filePath: "a" }),
      says(Auth2Cli_FileDownloadChunk, { ...chunk(0), chunkData: Buffer.of(1) }),
      says(Cli2Auth_FileDownloadChunkAck, { transactionId: 9 }),
      says(Auth2Cli_FileDownloadChunk, { ...chunk(1), chunkData: Buffer.of(2) }),
      says(Cli2Auth_FileDownloadChunkAck, { transactionId: 9 }),
    ]);
    expect(messages.map((message) => labelAt(message, "transactionId"))).toEqual([
      undefined,
      "answers #4 Cli2Auth_FileDownloadRequest after 1000.000 ms",
      "acknowledges #5 Auth2Cli_FileDownloadChunk after 1000.000 ms",
      "answers #4 Cli2Auth_FileDownloadRequest after 3000.000 ms",
      "acknowledges #7 Auth2Cli_FileDownloadChunk after 1000.000 ms",
    ]);
  });

  it("refers to the oldest of several parts in transit, to the file server as well", () => {
    const reply = { transactionId: 3, result: 0, readerId: 4, totalFileSize: 3, fileData: Buffer.of(1) };
    const receipt = says(Cli2File_FileDownloadChunkAck, { transactionId: 3, readerId: 4 });
    const part = says(File2Cli_FileDownloadReply, reply);
    const messages = fileSession([
      says(Cli2File_FileDownloadRequest, { transactionId: 3, fileName: "a", buildId: 0 }),
      ...[part, part, receipt, part, receipt, receipt, receipt],
    ]);
    const labels = messages.map((message) => labelAt(message, "transactionId")?.split(" after")[0]);
    const answers = "answers #2 Cli2File_FileDownloadRequest";
    expect(labels).toEqual([
      undefined,
      answers,
      answers,
      "acknowledges #3 File2Cli_FileDownloadReply",
      answers,
      "acknowledges #4 File2Cli_FileDownloadReply",
      "acknowledges #6 File2Cli_FileDownloadReply",
      undefined,
    ]);
  });

  it("refers to nothing if another one may have been lost", () => {
    const reply = { transactionId: 3, result: 0, readerId: 4, totalFileSize: 3, fileData: Buffer.of(1) };
    const receipt = says(Cli2File_FileDownloadChunkAck, { transactionId: 3, readerId: 4 });
    const part = says(File2Cli_FileDownloadReply, reply);
    const request = says(Cli2File_FileDownloadRequest, { transactionId: 3, fileName: "a", buildId: 0 });
    const messages = fileSession([request, part, part, { ...receipt, isLost: true }, receipt]);
    expect(messages.map(({ name }) => name).slice(-2)).toEqual(["gap", "Cli2File_FileDownloadChunkAck"]);
    expect(labelAt(messages.at(-1), "transactionId")).toBeUndefined();
  });
});

describe("a ping", () => {
  it("returns with its time and transaction number", () => {
    const messages = authSession([
      ping(Cli2Auth_PingRequest, 100, 0),
      ping(Cli2Auth_PingRequest, 200, 0),
      ping(Auth2Cli_PingReply, 100, 0),
      ping(Auth2Cli_PingReply, 200, 0),
      ping(Auth2Cli_PingReply, 200, 1),
    ]);
    expect(messages.map((message) => labelAt(message, "pingTime"))).toEqual([
      undefined,
      undefined,
      "answers #4 Cli2Auth_PingRequest after 2000.000 ms",
      "answers #5 Cli2Auth_PingRequest after 2000.000 ms",
      undefined,
    ]);
  });

  it("is not confused with transactions of the same number", () => {
    const messages = authSession([
      fetch(1),
      ping(Cli2Auth_PingRequest, 1, 1),
      added(1),
      ping(Auth2Cli_PingReply, 1, 1),
    ]);
    expect(labelAt(messages[2], "transactionId")).toMatch(/^answers #4 /);
    expect(labelAt(messages[3], "pingTime")).toMatch(/^answers #5 /);
  });

  it("is identified only by its time on some servers", () => {
    const [, reply] = fileSession([
      says(Cli2File_PingRequest, { pingTime: 5 }),
      says(File2Cli_PingReply, { pingTime: 5 }),
    ]);
    expect(labelAt(reply, "pingTime")).toBe("answers #2 Cli2File_PingRequest after 1000.000 ms");
  });
});

describe("the game manager", () => {
  const join = { newGameId: 5, createOptions: 0 };
  const request = (transactionId: number) => ({
    messageId: 1,
    transactionId,
    receivingGameId: 0,
    messageByteCount: 24,
    body: join,
  });
  const instance = { result: 0, ownerId: 1, gameTypeId: NO_UUID, newGameId: 5 };
  const reply = (transactionId: number) => ({
    messageId: 0,
    transactionId,
    receivingGameId: 0,
    messageByteCount: 44,
    body: instance,
  });

  it("replies with the transaction number in its own header", () => {
    const messages = gameSession([
      says(Cli2Game_GameMgrMsg, { buffer: request(8) }),
      says(Game2Cli_GameMgrMsg, { buffer: reply(8) }),
    ]);
    expect(labelAt(messages[1], "buffer.transactionId")).toBe("answers #4 Cli2Game_GameMgrMsg after 1000.000 ms");
  });

  it("replies to nothing if that number is 0", () => {
    const messages = gameSession([
      says(Cli2Game_GameMgrMsg, { buffer: request(0) }),
      says(Game2Cli_GameMgrMsg, { buffer: reply(0) }),
    ]);
    expect(labelAt(messages[1], "buffer.transactionId")).toBeUndefined();
  });
});
