import { describe, expect, it } from "vitest";
import { moul } from "../../../../dissectors/moul/index.js";
import { parseDecodeAs } from "../../../../src/session/decode-as.js";
import { linesOf, type Said, Talks } from "../../../support/talk.js";

const SERVER = ["192.0.2.2", 5000] as const;

/** PingRequest of the game server: type 0, a time. */
const ping = Uint8Array.of(0, 0, 1, 2, 3, 4);
/** JoinAgeReply: type 1, transaction 7, success. */
const joined = Uint8Array.of(1, 0, 7, 0, 0, 0, 0, 0, 0, 0);
/** The connect packet of a game client, in which only the connection type is wrong for other servers. */
const connect = Uint8Array.from([
  11,
  31,
  0,
  ...[1, 0, 0, 0],
  ...[50, 0, 0, 0],
  ...[1, 0, 0, 0],
  ...new Array<number>(16).fill(7),
  ...[36, 0, 0, 0],
  ...new Array<number>(32).fill(9),
]);

function declared(protocol: string, said: readonly Said[]) {
  const run = new Talks([moul], [parseDecodeAs(`tcp.port==5000,${protocol}`, [moul])]);
  const messages = run.tcp(SERVER, said, { handshake: false }).end();
  expect(run.errors).toEqual([]);
  return messages;
}

describe("a MOUL connection declared by the user", () => {
  it("has messages from the first byte on, in both directions", () => {
    const said: Said[] = [
      ["s", joined],
      ["c", ping],
      ["s", ping],
      ["c", ping],
    ];
    expect(linesOf(declared("moul.game", said))).toEqual([
      "moul.game s2c Game2Cli_JoinAgeReply ok",
      "moul.game c2s Cli2Game_PingRequest ok",
      "moul.game s2c Game2Cli_PingReply ok",
      "moul.game c2s Cli2Game_PingRequest ok",
    ]);
  });

  it("is not recognised otherwise", () => {
    expect(new Talks([moul]).tcp(SERVER, [["c", ping]], { handshake: false }).end()).toEqual([]);
  });

  it("is read as usual if it begins with a connect packet", () => {
    const said: Said[] = [
      ["c", connect],
      ["c", Uint8Array.of(0, 2)],
      ["s", Uint8Array.of(1, 2)],
      ["c", ping],
    ];
    const lines = linesOf(declared("moul.auth", said));
    expect(lines[0]).toBe("moul.game c2s Cli2Game_Connect ok");
    expect(lines.at(-1)).toContain("Cli2Game_PingRequest");
  });

  it("is not judged before its first message is complete", () => {
    const pieces = [Uint8Array.of(1, 0, 0xf0), Uint8Array.of(13, 0), Uint8Array.of(0)];
    const said = pieces.map((bytes): Said => ["c", bytes]);
    expect(linesOf(declared("moul.auth", said))).toEqual(["moul.auth c2s Cli2Auth_ClientRegisterRequest ok"]);
  });

  it("is not taken for plaintext if that makes no sense", () => {
    const noise = Uint8Array.from({ length: 64 }, (_, index) => (index * 37 + 201) & 0xff);
    const [message] = declared("moul.game", [["c", noise]]);
    expect(message).toMatchObject({ name: "encrypted", status: "encrypted" });
    expect(message?.notes[0]?.text).toContain("cannot be decrypted without the beginning of the connection");
  });

  it("of a file server has framed messages", () => {
    const fileping = Uint8Array.of(12, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4);
    expect(linesOf(declared("moul.file", [["c", fileping]]))).toEqual(["moul.file c2s Cli2File_PingRequest ok"]);
  });

  it("of a status server is HTTP", () => {
    const request = new TextEncoder().encode("GET /anything HTTP/1.1\r\n\r\n");
    expect(linesOf(declared("moul.status", [["c", request]]))).toEqual(["moul.status c2s StatusRequest ok"]);
  });
});
