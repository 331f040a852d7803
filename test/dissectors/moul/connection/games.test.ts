import { expect, it } from "vitest";
import { moul } from "../../../../dissectors/moul/index.js";
import { parseDecodeAs } from "../../../../src/session/decode-as.js";
import { Talks } from "../../../support/talk.js";
import { gameMsgHex, wire } from "../messages/decoding.js";

function message(messageId: number, game: number, body: string): Uint8Array {
  return wire(gameMsgHex(messageId, game, body));
}

it("messages of a game are read according to the kind that the server named", () => {
  const marker = "392c0b00 1903 e14b b06c 7a105b160fcf";
  const run = new Talks([moul], [parseDecodeAs("tcp.port==5000,moul.game", [moul])]);
  const capture = message(12, 7, "05000000");
  const said = [
    ["c", capture],
    ["s", message(0, 0, `00000000 86000000 ${marker} 07000000`)],
    ["c", capture],
    ["s", message(17, 7, "05000000 01")],
  ] as const;
  const messages = run.tcp(["192.0.2.2", 5000], said, { handshake: false }).end();
  expect(messages.map(({ status }) => status)).toEqual(["unknown", "ok", "ok", "ok"]);
  expect(messages[2]?.toJSON()).toMatchObject({ fields: { buffer: { receivingGameId: 7, body: { markerId: 5 } } } });
  expect(messages[3]?.toJSON()).toMatchObject({ fields: { buffer: { body: { markerId: 5, team: 1 } } } });
});

it("a message of a game is shown by name once the kind is known: many have only their number", () => {
  const varSync = "9b2e5c47 45a2 0641 a047 9b25d41ff333";
  const run = new Talks([moul], [parseDecodeAs("tcp.port==5000,moul.game", [moul])]);
  const allSent = message(6, 7, "");
  const said = [
    ["s", allSent],
    ["s", message(0, 0, `00000000 86000000 ${varSync} 07000000`)],
    ["s", allSent],
    ["c", message(0, 7, "")],
  ] as const;
  const messages = run.tcp(["192.0.2.2", 5000], said, { handshake: false }).end();
  const told = messages.map((message) => message.toJSON());
  expect(told).toMatchObject([
    { summary: "messageId=6, receivingGameId=7" },
    { summary: "Srv2Cli_GameMgr_GameInstance: messageId=0, receivingGameId=0" },
    { summary: "Srv2Cli_VarSync_AllVarsSent: messageId=6, receivingGameId=7 (VarSync)" },
    { summary: "Cli2Srv_Game_LeaveGame: messageId=0, receivingGameId=7 (VarSync)" },
  ]);
  expect(told[0]).not.toHaveProperty("fields.buffer.messageName");
  expect(told[2]).toHaveProperty("fields.buffer.messageName", "Srv2Cli_VarSync_AllVarsSent");
  expect(told[3]).toHaveProperty("fields.buffer.messageName", "Cli2Srv_Game_LeaveGame");
});
