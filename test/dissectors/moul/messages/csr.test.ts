import { describe, expect, it } from "vitest";
import {
  Cli2Csr_LoginRequest,
  Cli2Csr_PingRequest,
  Cli2Csr_RegisterRequest,
  Csr2Cli_LoginReply,
  Csr2Cli_PingReply,
  Csr2Cli_RegisterReply,
} from "../../../../dissectors/moul/messages/csr/csr.js";
import { Cli2GateKeeper_PingRequest } from "../../../../dissectors/moul/messages/gatekeeper/global.js";
import { decodeValue, netStringHex } from "./decoding.js";

describe("CSR messages", () => {
  it("pings have the transaction before the time, unlike those of the gatekeeper", () => {
    const bytes = "0000 01000000 02000000 03000000 aabbcc";
    const ping = { messageType: 0, transactionId: 1, pingTime: 2, payloadByteCount: 3, payload: "aabbcc" };
    expect(decodeValue(Cli2Csr_PingRequest, bytes)).toEqual(ping);
    expect(decodeValue(Csr2Cli_PingReply, bytes)).toEqual(ping);
    expect(decodeValue(Cli2GateKeeper_PingRequest, bytes)).toEqual({ ...ping, pingTime: 1, transactionId: 2 });
  });

  it("registration", () => {
    expect(decodeValue(Cli2Csr_RegisterRequest, "0100 00000000")).toEqual({ messageType: 1, transactionId: 0 });
    expect(decodeValue(Csr2Cli_RegisterReply, "0100 00000000 efbeadde 96030000")).toEqual({
      messageType: 1,
      transactionId: 0,
      serverChallenge: 0xdeadbeef,
      csrBuildId: 918,
    });
  });

  it("login", () => {
    const hash = "000102030405060708090a0b0c0d0e0f10111213";
    expect(decodeValue(Cli2Csr_LoginRequest, "0200 01000000 02000000", netStringHex("ccr"), hash)).toEqual({
      messageType: 2,
      transactionId: 1,
      clientChallenge: 2,
      csrName: "ccr",
      challengeHash: hash,
    });
    const uuid = "00112233445566778899aabbccddeeff";
    expect(decodeValue(Csr2Cli_LoginReply, "0200 01000000 14000000", uuid, "03000000")).toEqual({
      messageType: 2,
      transactionId: 1,
      result: 20,
      csrId: "33221100-5544-7766-8899-aabbccddeeff",
      csrFlags: 3,
    });
  });
});
