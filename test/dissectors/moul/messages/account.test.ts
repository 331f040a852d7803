import { describe, expect, it } from "vitest";
import {
  Auth2Cli_AccountExistsReply,
  Auth2Cli_AcctCreateFromKeyReply,
  Auth2Cli_AcctLoginReply,
  Auth2Cli_AcctPlayerInfo,
  Cli2Auth_AcctActivateRequest,
  Cli2Auth_AcctChangePasswordRequest,
  Cli2Auth_AcctCreateFromKeyRequest,
  Cli2Auth_AcctCreateRequest,
  Cli2Auth_AcctSetBillingTypeRequest,
  Cli2Auth_AcctSetRolesRequest,
} from "../../../../dissectors/moul/messages/auth/account.js";
import { Cli2Auth_SendFriendInviteRequest } from "../../../../dissectors/moul/messages/auth/friends.js";
import { Auth2Cli_NotifyNewBuild, Auth2Cli_ServerAddr } from "../../../../dissectors/moul/messages/auth/global.js";
import {
  Auth2Cli_KickedOff,
  Cli2Auth_ChangePlayerNameRequest,
  Cli2Auth_KickPlayer,
  Cli2Auth_SetPlayerBanStatusRequest,
} from "../../../../dissectors/moul/messages/auth/player.js";
import { decodeValue, netStringHex } from "./decoding.js";

const HASH = "000102030405060708090a0b0c0d0e0f10111213";
const UUID_WIRE = "78563412 3412 7856 1234 567812345678";
const UUID = "12345678-1234-5678-1234-567812345678";

describe("account messages", () => {
  it("AcctLoginReply has four words of key", () => {
    const key = ["01000000", "02000000", "03000000", "ffffffff"];
    expect(
      decodeValue(Auth2Cli_AcctLoginReply, "0400 05000000 00000000", UUID_WIRE, "09000100 03000000", ...key),
    ).toEqual({
      messageType: 4,
      transactionId: 5,
      result: 0,
      accountId: UUID,
      accountFlags: 0x00010009,
      billingType: 3,
      notthedroidsEncryptionKey: [1, 2, 3, 0xffffffff],
    });
  });

  it("AcctPlayerInfo distinguishes explorers from visitors", () => {
    const names = [netStringHex("Zandi"), netStringHex("male")];
    expect(decodeValue(Auth2Cli_AcctPlayerInfo, "0600 05000000 40420f00", ...names, "00000000")).toEqual({
      messageType: 6,
      transactionId: 5,
      playerVaultNodeId: 1_000_000,
      playerName: "Zandi",
      avatarShape: "male",
      explorer: false,
    });
  });

  it("AcctCreateRequest", () => {
    expect(
      decodeValue(Cli2Auth_AcctCreateRequest, "0700 07000000", netStringHex("a@b.c"), HASH, "08000000 01000000"),
    ).toEqual({
      messageType: 7,
      transactionId: 7,
      accountName: "a@b.c",
      passwordHash: HASH,
      accountFlags: 8,
      billingType: 1,
    });
  });

  it("AcctCreateFromKeyRequest and its reply", () => {
    const name = netStringHex("n");
    expect(decodeValue(Cli2Auth_AcctCreateFromKeyRequest, "0c00 07000000", name, HASH, UUID_WIRE, "02000000")).toEqual({
      messageType: 12,
      transactionId: 7,
      accountName: "n",
      passwordHash: HASH,
      key: UUID,
      billingType: 2,
    });
    const zero = "00000000000000000000000000000000";
    expect(decodeValue(Auth2Cli_AcctCreateFromKeyReply, "0d00 07000000 19000000", zero, UUID_WIRE)).toEqual({
      messageType: 13,
      transactionId: 7,
      result: 25,
      accountId: "00000000-0000-0000-0000-000000000000",
      activationKey: UUID,
    });
  });

  it("AcctChangePasswordRequest", () => {
    expect(decodeValue(Cli2Auth_AcctChangePasswordRequest, "0800 01000000", netStringHex("n"), HASH)).toEqual({
      messageType: 8,
      transactionId: 1,
      accountName: "n",
      passwordHash: HASH,
    });
  });

  it("AcctSetRolesRequest, AcctSetBillingTypeRequest, AcctActivateRequest", () => {
    const account = { transactionId: 1, accountName: "n" };
    expect(decodeValue(Cli2Auth_AcctSetRolesRequest, "0900 01000000", netStringHex("n"), "04000000")).toEqual({
      messageType: 9,
      ...account,
      accountFlags: 4,
    });
    expect(decodeValue(Cli2Auth_AcctSetBillingTypeRequest, "0a00 01000000", netStringHex("n"), "01000000")).toEqual({
      messageType: 10,
      ...account,
      billingType: 1,
    });
    expect(decodeValue(Cli2Auth_AcctActivateRequest, "0b00 01000000", UUID_WIRE)).toEqual({
      messageType: 11,
      transactionId: 1,
      activationKey: UUID,
    });
  });

  it("AccountExistsReply ends in one byte", () => {
    expect(decodeValue(Auth2Cli_AccountExistsReply, "3000 01000000 00000000 01")).toEqual({
      messageType: 48,
      transactionId: 1,
      result: 0,
      accountExists: true,
    });
  });
});

describe("player and friend messages", () => {
  it("messages without a transaction", () => {
    expect(decodeValue(Cli2Auth_KickPlayer, "1600 86000000")).toEqual({ messageType: 22, playerVaultNodeId: 134 });
    expect(decodeValue(Auth2Cli_KickedOff, "2700 27000000")).toEqual({ messageType: 39, reason: 39 });
  });

  it("SetPlayerBanStatusRequest and ChangePlayerNameRequest", () => {
    expect(decodeValue(Cli2Auth_SetPlayerBanStatusRequest, "1500 01000000 86000000 01000000")).toEqual({
      messageType: 21,
      transactionId: 1,
      playerVaultNodeId: 134,
      banned: true,
    });
    expect(decodeValue(Cli2Auth_ChangePlayerNameRequest, "1700 01000000 86000000", netStringHex("Yeesha"))).toEqual({
      messageType: 23,
      transactionId: 1,
      playerVaultNodeId: 134,
      playerName: "Yeesha",
    });
  });

  it("SendFriendInviteRequest", () => {
    const friend = [netStringHex("a@b.c"), netStringHex("Friend")];
    expect(decodeValue(Cli2Auth_SendFriendInviteRequest, "1800 01000000", UUID_WIRE, ...friend)).toEqual({
      messageType: 24,
      transactionId: 1,
      inviteUuid: UUID,
      receiverEmailAddress: "a@b.c",
      receiverName: "Friend",
    });
  });
});

describe("global messages", () => {
  it("ServerAddr has the address with its least significant byte first", () => {
    expect(decodeValue(Auth2Cli_ServerAddr, "0100 16c649b8", UUID_WIRE)).toEqual({
      messageType: 1,
      serverIpAddress: 0xb849c616,
      token: UUID,
    });
  });

  it("NotifyNewBuild", () => {
    expect(decodeValue(Auth2Cli_NotifyNewBuild, "0200 96030000")).toEqual({ messageType: 2, foo: 918 });
  });
});
