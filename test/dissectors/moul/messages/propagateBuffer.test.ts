import { describe, expect, it } from "vitest";
// All classes that a buffer may have.
import "../../../../dissectors/moul/index.js";
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

  describe("with a plClientGuid", () => {
    const uoid = "01 060002ff 0400 0100 0c000000 04f0b29e939a 03000000 92100000";
    const member = (reserved: string) => `00000000 0202 01000000 ${reserved} ${uoid}`;
    const head = (index: string) => `${index} 01000600 00f15365 40e20100`;
    const sent = (index: string, content: string) => {
      const buffer = wire(head(index), content);
      const length = Buffer.from(Uint32Array.of(buffer.length).buffer).toString("hex");
      return decode(Cli2Game_PropagateBuffer, wire("0200", `${index}0000`, length, head(index), content));
    };
    const note = "reserved is read as 2 bytes, as DIRTSAND and libHSPlasma have it: only so does the length fit";

    it("has reserved in one byte, as the engine has it", () => {
      const { nodes, value } = sent("b102", `${member("01")} 01`);
      expect([nodes.outcome, nodes.notes]).toEqual(["ok", []]);
      expect(value).toMatchObject({ buffer: { member: { clientInfo: { reserved: true } }, wasAdded: true } });
    });

    it("has reserved in two bytes where only that fits", () => {
      const update = sent("b102", `${member("0100")} 01`);
      expect([update.nodes.outcome, update.nodes.notes.map(({ text }) => text)]).toEqual(["ok", [note]]);
      expect(update.value).toMatchObject({ buffer: { member: { clientInfo: { reserved: 1 } }, wasAdded: true } });
      const list = sent("ae02", `0200 ${member("0100")} ${member("0000")}`);
      expect([list.nodes.outcome, list.nodes.notes.map(({ text }) => text)]).toEqual(["ok", [note]]);
      expect(list.value).toMatchObject({
        buffer: { members: [{ clientInfo: { reserved: 1 } }, { clientInfo: { reserved: 0 } }] },
      });
    });

    it("stays as the engine has it if neither fits", () => {
      const { nodes, value } = sent("b102", `${member("010000")} 01`);
      expect(nodes.outcome).toBe("malformed");
      expect(nodes.notes.map(({ text }) => text)).not.toContain(note);
      expect(value).toMatchObject({ buffer: { member: { clientInfo: { reserved: true } } } });
    });
  });
});
