import { describe, expect, it } from "vitest";
import { Cli2Game_GameMgrMsg, Game2Cli_GameMgrMsg } from "../../../../dissectors/moul/messages/game/gameMgrMsg.js";
import { childrenOf } from "../../../support/check.js";
import { decode, gameMsgHex, u32Hex, utf16Hex, wire } from "./decoding.js";

/** Game 7 is of the given kind. */
function known(kind: string) {
  return { get: (what: string, id: string) => (what === "game" && id === "7" ? kind : undefined) };
}

function framed(messageId: number, body: string): string {
  return gameMsgHex(messageId, 7, body);
}

/** UTF-16 text in a field of this many units. */
function fixed(text: string, units: number): string {
  return utf16Hex(text).padEnd(units * 4, "0");
}

/** Sizes in bytes of the packed structs of pnGameMgr/pnGm*.h, added up by hand. */
const SIZES: readonly (readonly [kind: string, c2s: readonly number[], s2c: readonly number[]])[] = [
  ["BlueSpiral", [0, 1], [7, 0, 0, 0, 1]],
  ["ClimbingWall", [4, 2, 3, 0, 1, 0, 0], [2, 4, 82, 0, 3, 162]],
  ["Heek", [517, 0, 1, 1], [3, 0, 520, 1, 8, 2, 1, 1, 2, 1, 9]],
  ["Marker", [0, 0, 0, 512, 4, 0, 696, 4, 516, 4], [160, 1, 1, 0, 4, 0, 0, 512, 4, 1, 700, 4, 516, 5]],
  ["TicTacToe", [2], [1, 8, 6]],
  ["VarSync", [516, 12, 0, 1024, 520], [516, 12, 0, 1028, 524]],
];

describe("messages of games", () => {
  it.each(SIZES)("of %s are selected by their numbers, and explain every byte", (name, c2s, s2c) => {
    for (const [type, sizes, first] of [
      [Cli2Game_GameMgrMsg, c2s, 3],
      [Game2Cli_GameMgrMsg, s2c, 4],
    ] as const) {
      for (const [index, size] of sizes.entries()) {
        const { nodes } = decode(type, wire(framed(first + index, "00".repeat(size))), known(name));
        expect(nodes.outcome).toBe("ok");
        const [buffer = 0] = childrenOf(nodes, 0).slice(-1);
        const body = nodes.child(buffer, "body");
        expect(nodes.field(body).struct?.name).toContain(name === "TicTacToe" ? "_TTT_" : `_${name}_`);
      }
    }
  });

  it("of the marker game: a marker that was added", () => {
    const place = "000000000000f03f 0000000000000040 00000000000008c0";
    const body = `${place} 05000000 ${fixed("Shorah", 256)} ${fixed("city", 80)}`;
    expect(decode(Game2Cli_GameMgrMsg, wire(framed(14, body)), known("Marker")).value).toMatchObject({
      buffer: { receivingGameId: 7, body: { x: 1, y: 2, z: -3, markerId: 5, name: "Shorah", age: "city" } },
    });
  });

  it("of Ahyoheek: a choice", () => {
    expect(decode(Cli2Game_GameMgrMsg, wire(framed(5, "02")), known("Heek")).value).toMatchObject({
      buffer: { body: { choice: 2 } },
    });
  });

  it("remain undissected if the kind is unknown, or has no such message", () => {
    for (const names of [undefined, known("VarSync"), known("Chess")]) {
      const { nodes, value } = decode(Cli2Game_GameMgrMsg, wire(framed(12, "0102")), names);
      expect(nodes.outcome).toBe("unknown");
      expect(value).toMatchObject({ buffer: { messageId: 12, body: { data: "0102" } } });
    }
    expect(decode(Cli2Game_GameMgrMsg, wire(framed(3, ""))).nodes.outcome).toBe("ok");
  });

  it("that are too short are malformed", () => {
    expect(decode(Cli2Game_GameMgrMsg, wire(framed(7, "0102")), known("Marker")).nodes.outcome).toBe("malformed");
  });

  it("are created with what their kind needs", () => {
    const marker = "392c0b00 1903 e14b b06c 7a105b160fcf";
    const param = `02${fixed("Hunt", 256)}0a000000${fixed("", 80)}`;
    const create = (data: string) => {
      const content = `${marker}01000000${u32Hex(data.length / 2)}${data}`;
      return decode(Cli2Game_GameMgrMsg, wire(gameMsgHex(0, 0, content)));
    };
    expect(create(param).value).toMatchObject({
      buffer: { body: { createData: { gameType: 2, gameName: "Hunt", timeLimit: 10, templateId: "" } } },
    });
    // Other implementations send whatever they like.
    expect(create("abcd").value).toMatchObject({ buffer: { body: { createData: "abcd" } } });
  });
});
