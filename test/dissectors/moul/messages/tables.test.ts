import { describe, expect, it } from "vitest";
import { Cli2Auth_AcctLoginRequest } from "../../../../dissectors/moul/messages/auth/account.js";
import { auth, csr, file, game, gatekeeper } from "../../../../dissectors/moul/messages/index.js";
import { message } from "../../../../dissectors/moul/messages/message.js";
import { MessageTable, messageTables } from "../../../../dissectors/moul/messages/messageTable.js";
import { struct } from "../../../../src/schema/index.js";

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);

/** All types in the table, declared or not. */
function typesOf(table: MessageTable): number[] {
  return range(0, 0xffff).filter((type) => table.nameOf(type) !== undefined);
}

/** The numbers that the client's source assigns to messages. */
const numbered = [
  { server: gatekeeper, protocol: "moul.gatekeeper", c2s: range(0, 2), s2c: range(0, 2) },
  {
    server: auth,
    protocol: "moul.auth",
    c2s: [...range(0, 53), ...range(0x1000, 0x1001)],
    s2c: [...range(0, 48), ...range(0x1000, 0x1002)],
  },
  { server: file, protocol: "moul.file", c2s: [0, 10, 20, 21, 22, 23, 30], s2c: [0, 10, 11, 20, 21, 30] },
  { server: game, protocol: "moul.game", c2s: range(0, 3), s2c: range(0, 3) },
  { server: csr, protocol: "moul.csr", c2s: range(0, 3), s2c: range(0, 3) },
];

describe("the message tables", () => {
  it.each(numbered)("know every message of $protocol", ({ server, protocol, c2s, s2c }) => {
    expect(server.protocol).toBe(protocol);
    const where = "the types in `numbered` of this test are those of the client's source";
    expect(typesOf(server.c2s), where).toEqual(c2s);
    expect(typesOf(server.s2c), where).toEqual(s2c);
  });

  it.each(numbered)("name the messages of $protocol after their direction", ({ server }) => {
    for (const { struct } of server.c2s.messages())
      expect(struct.name).toMatch(/^Cli2(Auth|File|Game|GateKeeper|Csr)_/);
    for (const { struct } of server.s2c.messages())
      expect(struct.name).toMatch(/^(Auth|File|Game|GateKeeper|Csr)2Cli_/);
  });

  it("find messages by type", () => {
    expect(auth.c2s.get(3)).toBe(Cli2Auth_AcctLoginRequest);
    expect(auth.c2s.nameOf(3)).toBe("Cli2Auth_AcctLoginRequest");
    expect(auth.c2s.get(999)).toBeUndefined();
    expect(auth.c2s.nameOf(999)).toBeUndefined();
  });

  it("name messages about which nothing else is known", () => {
    expect(auth.c2s.nameOf(4)).toBe("Cli2Auth_AcctSetEulaVersion");
    expect(auth.c2s.get(4)).toBeUndefined();
    expect(auth.c2s.undeclared(4)?.reason).toMatch(/\.$/);
    expect(auth.c2s.undeclared(3)).toBeUndefined();
  });

  it("are made of what modules export, by name and in the order of the types", () => {
    const sent = ["Cli2Auth_Two", "Cli2Auth_One"].map((name, index) => message(name, 2 - index, {}));
    const reply = message("Auth2Cli_One", 1, {});
    const unknown = { type: 3, name: "Auth2Cli_Three", reason: "Nobody sends it." };
    const other = { text: "text", number: 1, part: struct("Part", {}) };
    const { c2s, s2c } = messageTables("Auth", { ...sent, reply, ...other }, [unknown]);
    expect([...c2s.messages()].map(({ struct }) => struct.name)).toEqual(["Cli2Auth_One", "Cli2Auth_Two"]);
    expect([...s2c.messages()].map(({ struct }) => struct.name)).toEqual(["Auth2Cli_One"]);
    expect([c2s.nameOf(3), s2c.nameOf(3)]).toEqual([undefined, "Auth2Cli_Three"]);
  });

  it("refuse a message that is named after another server, or after none", () => {
    const text = "is a message of the server Auth, so it must be Cli2Auth_... or Auth2Cli_...";
    expect(() => messageTables("Auth", { one: message("Cli2Game_One", 1, {}) })).toThrow(`Cli2Game_One ${text}`);
    const unknown = { type: 3, name: "Three", reason: "Nobody sends it." };
    expect(() => messageTables("Auth", {}, [unknown])).toThrow(`Three ${text}`);
  });

  it("refuse two messages of one type or one name, and a message without a type", () => {
    const one = message("One", 1, {});
    expect(() => new MessageTable([one, message("Other", 1, {})])).toThrow(
      "Other and One have the same message type 1",
    );
    expect(() => new MessageTable([one, message("One", 2, {})])).toThrow("two messages are named One");
    expect(() => new MessageTable([one], [{ type: 1, name: "Other", reason: "" }])).toThrow("same message type");
    expect(() => new MessageTable([struct("None", {})])).toThrow("None has no message type");
  });
});
