import { describe, expect, it } from "vitest";
import { Cli2Game_GameMgrMsg, Game2Cli_GameMgrMsg } from "../../../../dissectors/moul/messages/game/gameMgrMsg.js";
import { types } from "../../../../dissectors/moul/types.js";
import { decode, decodeValue, gameMsgHex, wire } from "./decoding.js";

/** UUID of the marker game, in wire order. */
const MARKER = "392c0b00 1903 e14b b06c 7a105b160fcf";

describe("GameMgrMsg to the server", () => {
  it("CreateGame", () => {
    expect(decodeValue(Cli2Game_GameMgrMsg, gameMsgHex(0, 0, `${MARKER} 01000000 02000000 abcd`))).toEqual({
      messageType: 3,
      bufferLength: 42,
      buffer: {
        messageId: 0,
        transactionId: 9,
        receivingGameId: 0,
        messageByteCount: 42,
        body: {
          gameTypeId: "000b2c39-0319-4be1-b06c-7a105b160fcf",
          createOptions: 1,
          createDataByteCount: 2,
          createData: "abcd",
          gameType: "Marker",
        },
        messageName: "Cli2Srv_GameMgr_CreateGame",
      },
    });
  });

  it("JoinGame by number contains only the number", () => {
    expect(decodeValue(Cli2Game_GameMgrMsg, gameMsgHex(1, 0, "07000000 00000000"))).toMatchObject({
      buffer: { body: { newGameId: 7, createOptions: 0 } },
    });
  });

  it("JoinGame of a common game names its kind", () => {
    expect(decodeValue(Cli2Game_GameMgrMsg, gameMsgHex(1, 0, `07000000 04000000 ${MARKER} 01000000 00`))).toMatchObject(
      {
        buffer: {
          body: { newGameId: 7, createOptions: 4, gameType: "Marker", createDataByteCount: 1, createData: "00" },
        },
      },
    );
  });

  it("messages to all games", () => {
    expect(decodeValue(Cli2Game_GameMgrMsg, gameMsgHex(0, 5, ""))).toMatchObject({ buffer: { body: {} } });
    expect(decodeValue(Cli2Game_GameMgrMsg, gameMsgHex(1, 5, "86000000"))).toMatchObject({
      buffer: { body: { playerId: 134 } },
    });
  });

  it("takes sixteen arbitrary bytes for a header", () => {
    const { nodes, value } = decode(Cli2Game_GameMgrMsg, wire("0300 10000000 00000000 01000000 04000000 deadbeef"));
    expect(nodes.outcome).toBe("ok");
    expect(value).toMatchObject({
      buffer: { messageId: 0, transactionId: 1, receivingGameId: 4, messageByteCount: 0xefbeadde },
    });
  });

  it("keeps fewer bytes than a header within their length", () => {
    const { nodes, consumed, value } = decode(Cli2Game_GameMgrMsg, wire("0300 06000000 00000000 0102"));
    expect(nodes.outcome).toBe("malformed");
    expect(consumed).toBe(12);
    expect(value).toMatchObject({ buffer: { messageId: 0, undissected: "0102" } });
  });
});

describe("GameMgrMsg to the client", () => {
  it("GameInstance", () => {
    expect(decodeValue(Game2Cli_GameMgrMsg, gameMsgHex(0, 0, `ffffffff 86000000 ${MARKER} 07000000`))).toMatchObject({
      buffer: { body: { result: -1, ownerId: 134, newGameId: 7, gameType: "Marker" } },
    });
  });

  it("invitations", () => {
    for (const messageId of [1, 2]) {
      expect(decodeValue(Game2Cli_GameMgrMsg, gameMsgHex(messageId, 0, `86000000 ${MARKER} 07000000`))).toMatchObject({
        buffer: { body: { inviterId: 134, newGameId: 7, gameType: "Marker" } },
      });
    }
  });

  it("messages from all games", () => {
    expect(decodeValue(Game2Cli_GameMgrMsg, gameMsgHex(1, 5, "86000000"))).toMatchObject({
      buffer: { body: { playerId: 134 } },
    });
    expect(decodeValue(Game2Cli_GameMgrMsg, gameMsgHex(2, 5, "86000000 00000000 06000000"))).toMatchObject({
      buffer: { body: { inviteeId: 134, operationId: 0, error: 6 } },
    });
    expect(decodeValue(Game2Cli_GameMgrMsg, gameMsgHex(3, 5, "86000000"))).toMatchObject({
      buffer: { body: { ownerId: 134 } },
    });
  });
});

it("what messageName names can be dissected on its own", () => {
  for (const [name, hex, value] of [
    ["Cli2Srv_GameMgr_JoinGame", "07000000 00000000", { newGameId: 7, createOptions: 0 }],
    ["Srv2Cli_GameMgr_InviteRevoked", `86000000 ${MARKER} 07000000`, { inviterId: 134, gameType: "Marker" }],
    ["Cli2Srv_Game_Invite", "86000000", { playerId: 134 }],
    ["Srv2Cli_Game_OwnerChange", "86000000", { ownerId: 134 }],
  ] as const) {
    const type = types.get(name);
    expect(type && decodeValue(type, hex)).toMatchObject(value);
  }
});
