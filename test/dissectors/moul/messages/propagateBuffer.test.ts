import { describe, expect, it } from "vitest";
import { Auth2Cli_PropagateBuffer } from "../../../../dissectors/moul/messages/auth/game.js";
import { Cli2Game_PropagateBuffer } from "../../../../dissectors/moul/messages/game/game.js";
import { decode, wire } from "./decoding.js";

/** A class index that no class has. */
const UNKNOWN = "ff7f";

describe("PropagateBuffer", () => {
  it.each([
    ["of the game server", Cli2Game_PropagateBuffer, "0200"],
    ["of the auth server", Auth2Cli_PropagateBuffer, "2600"],
  ])("%s keeps an undeclared class within its length", (_, type, tag) => {
    const { nodes, consumed, value } = decode(type, wire(tag, "ff7f0000 06000000", UNKNOWN, "01020304"));
    expect(nodes.outcome).toBe("unknown");
    expect(consumed).toBe(16);
    expect(value).toMatchObject({
      classIndex: 0x7fff,
      bufferLength: 6,
      buffer: { classIndex: 0x7fff, undissected: "01020304" },
    });
  });

  it("consists only of its header without a buffer", () => {
    const { nodes, value } = decode(Cli2Game_PropagateBuffer, wire("0200 6b020000 00000000"));
    expect(nodes.outcome).toBe("ok");
    expect(value).toEqual({ messageType: 2, classIndex: 0x026b, bufferLength: 0 });
  });
});
