import { expect, it } from "vitest";
import { dissectPackets } from "../../../support/dissecting.js";
import { keyFiles, MoulTalk, packetsOf } from "../../../support/moul-session.js";

/** Which messages report an error, and which one: `stats` counts them. */

const opened = () => new MoulTalk("auth").opens();
const reply = (result: number) => opened().says("Auth2Cli_AcctSetPlayerReply", { transactionId: 1, result });

it.each([
  ["success", reply(0), undefined],
  ["a result to come", reply(0xffffffff), undefined],
  ["an error", reply(13), "kNetErrAccountNotFound"],
  ["an error without a name", reply(4711), "error 4711"],
  ["being thrown out", opened().says("Auth2Cli_KickedOff", { reason: 26 }), "kNetErrKeyNotFound"],
  ["a refused key exchange", new MoulTalk("auth").connect().sendsY().refuses(26), "kNetErrKeyNotFound"],
])("%s", (_, talk, error) => {
  const { messages } = dissectPackets(packetsOf(talk), { keys: { "dirtsand.ini": keyFiles.dirtsand() } });
  expect(messages.at(-1)?.nodes?.context?.error).toBe(error);
});
