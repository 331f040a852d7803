import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { dissect } from "../../../src/index.js";

it("what a returning client missed arrives in the clear from a NAGUS server, and the rest is decrypted", async () => {
  const capture = fileURLToPath(new URL("../../fixtures/captures/nagus-return.pcap", import.meta.url));
  const found: unknown[] = [];
  for await (const { direction, name, status, notes } of dissect(capture, { keys: [`${capture}.keys`] })) {
    found.push([direction, name, status, notes.map(({ severity }) => severity)]);
  }
  expect(found).toEqual([
    ["c2s", "Cli2Auth_Connect", "ok", []],
    ["s2c", "Auth2Cli_VaultNodeChanged", "ok", ["warning"]],
    ["s2c", "Auth2Cli_VaultNodeChanged", "ok", ["warning"]],
    ["c2s", "Cli2Srv_Connect", "ok", []],
    ["s2c", "Srv2Cli_Encrypt", "ok", []],
    ["c2s", "Cli2Auth_ClientRegisterRequest", "ok", []],
    ["s2c", "Auth2Cli_ServerCaps", "ok", []],
    ["s2c", "Auth2Cli_ClientRegisterReply", "ok", []],
    ["s2c", "Auth2Cli_ServerAddr", "ok", []],
  ]);
});
