import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { deflate } from "pako";
import { describe, expect, it } from "vitest";
import { ClientHello, ServerFarewell } from "../../dissectors/bzflag/modern/hello.js";
import { SafeString } from "../../dissectors/moul/common/values/SafeString.js";
import { moul } from "../../dissectors/moul/index.js";
import { DataType, proVariableEventData } from "../../dissectors/moul/proEventData/proVariableEventData.js";
import { sdlBlob } from "../../dissectors/moul/sdl/sdlBlob.js";
import { encode } from "../../src/schema/encode/encode.js";
import {
  array,
  bool,
  bytes as bytesOf,
  choice,
  coded,
  Family,
  flag,
  group,
  i8,
  polymorphic,
  rest,
  struct,
  type Type,
  text,
  tuple,
  u8,
  within,
} from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import type { OwnKind } from "../../src/schema/language/sensitive.js";
import * as big from "../../src/schema/words/big-endian.js";
import * as little from "../../src/schema/words/little-endian.js";
import { u32 } from "../../src/schema/words/little-endian.js";
import { gatherSecrets, scrubMessage } from "../../src/scrub/scrub-message.js";
import { Secrets } from "../../src/scrub/secrets.js";
import { UnwritableError } from "../../src/scrub/written-leaf.js";
import { wire } from "../dissectors/moul/messages/decoding.js";
import { given } from "../dissectors/moul/sdl/given.js";
import { pascalText, varint } from "../schema/support/codecs.js";
import { decodeWhole } from "../support/check.js";
import { MoulTalk, type ServerName } from "../support/moul-session.js";
import { vectorsIn } from "../support/vectors.js";

/** A kind of private numbers, as a protocol may have one of its own. */
const persons: OwnKind = { name: "person", doc: "numbers of people", isPersonsNumber: true };

interface Scrubbing {
  readonly kept?: readonly string[];
  /** Names of players from other messages. */
  readonly known?: readonly string[];
  /** The settings for types that depend on them. */
  readonly settings?: unknown;
}

/** A message without its secrets, decoded again. */
function scrubbed(
  type: Type<unknown>,
  bytes: Uint8Array,
  { kept = [], known = [], settings }: Scrubbing = {},
): FieldTree {
  const secrets = new Secrets(Buffer.from("a salt for tests"));
  for (const name of known) secrets.gatherText("player-name", name);
  const nodes = decodeWhole(type, bytes, settings);
  gatherSecrets(nodes, new Set(kept), secrets);
  return decodeWhole(type, scrubMessage(nodes, new Set(kept), secrets).bytes, settings);
}

function message(
  server: ServerName,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  options?: Scrubbing,
): FieldTree {
  const type = moul.types.get(name);
  if (type === undefined) throw new Error(`there is no ${name}`);
  return scrubbed(type, new MoulTalk(server).message(name, fields), options);
}

function valueAt(nodes: FieldTree, path: string): unknown {
  for (let node = 0; node < nodes.count; node++) if (nodes.path(node) === path) return nodes.value(node);
  return undefined;
}

function paths(nodes: FieldTree): string[] {
  return Array.from({ length: nodes.count }, (_, node) => nodes.path(node));
}

describe("a message without its secrets", () => {
  const login = {
    transactionId: 1,
    clientChallenge: 0x12345678,
    accountName: "alice@example.com",
    challengeHash: Buffer.from("000102030405060708090a0b0c0d0e0f10111213", "hex"),
    authToken: "",
    operatingSystem: "win",
  };

  it("has others in their place, and is otherwise unchanged", () => {
    const nodes = message("auth", "Cli2Auth_AcctLoginRequest", login);
    expect(nodes.outcome).toBe("ok");
    expect(valueAt(nodes, "transactionId")).toBe(1);
    expect(valueAt(nodes, "accountName")).toMatch(/^Account-\w{8}\.$/);
    expect(valueAt(nodes, "clientChallenge")).not.toBe(0x12345678);
    expect(valueAt(nodes, "challengeHash")).not.toEqual(login.challengeHash);
    expect(valueAt(nodes, "authToken")).toBe("");
  });

  it("has the same in place of the same bytes, something else in place of others, and keeps zeros", () => {
    const type = struct("Hashes", { hashes: array(bytesOf(8).sensitive("password"), 4) });
    const [one, other, zeros] = [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1], new Array(8).fill(0)];
    const bytes = Buffer.from(scrubbed(type, Uint8Array.of(...one, ...other, ...one, ...zeros)).bytes(0));
    const hashes = [0, 8, 16, 24].map((at) => bytes.toString("hex", at, at + 8));
    expect(hashes[2]).toBe(hashes[0]);
    expect(hashes[3]).toBe("0".repeat(16));
    expect(new Set(hashes).size).toBe(3);
  });

  it("has others in classes whose tag is of variable length", () => {
    const family = new Family("properties", "id", varint);
    family.register(struct("User", { name: pascalText.sensitive("player-name"), kind: u8 }, { tag: 300 }));
    const type = struct("S", { properties: array(polymorphic(family), rest) });
    const nodes = scrubbed(type, wire("ac02 05 416c696365 07 ac02 03 426f62 09"));
    expect(nodes.outcome).toBe("ok");
    expect([0, 1].map((at) => valueAt(nodes, `properties[${at}].id`))).toEqual([300, 300]);
    expect([0, 1].map((at) => valueAt(nodes, `properties[${at}].kind`))).toEqual([7, 9]);
    expect(valueAt(nodes, "properties[0].name")).not.toBe("Alice");
    expect(valueAt(nodes, "properties[1].name")).not.toBe("Bob");
  });

  it("cannot be written if the others would break the format", () => {
    const same = coded<string>("same", {
      measure: (_, start, limit) => (start + 4 > limit ? -4 : 4),
      read: (bytes, start, end) => Buffer.from(bytes.subarray(start, end)).toString("latin1"),
      problem: (bytes, start, end) =>
        bytes.subarray(start, end).some((byte) => byte !== 0x41) ? "is not all A" : undefined,
      write: (value) => Buffer.from(value, "latin1"),
    });
    const type = struct("S", { name: same.sensitive("player-name") });
    expect(() => scrubbed(type, Buffer.from("AAAA"))).toThrow(UnwritableError);
  });

  it("has others in place of all elements of a tuple", () => {
    const type = struct("Ticket", { number: u32, parts: tuple([u32, bytesOf(4)]).sensitive("token") });
    const before = Uint8Array.of(7, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    const nodes = scrubbed(type, before);
    expect(valueAt(nodes, "number")).toBe(7);
    expect(valueAt(nodes, "parts[0]")).not.toBe(0x04030201);
    expect(valueAt(nodes, "parts[1]")).not.toEqual(before.subarray(8));
  });

  it.each(
    [
      ...[u8, i8, little.u16, little.i16, little.u32, little.i32, little.u64, little.i64, little.f32, little.f64],
      ...[big.u16, big.i16, big.u32, big.i32, big.u64, big.i64, big.f32, big.f64],
    ].map((type) => [type.descriptor.kind, type] as const),
  )("has a number in place of any %s that identifies somebody", (_, type) => {
    const { width } = type.descriptor;
    const marked = struct("Somebody", { number: type.sensitive(persons) });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: width, maxLength: width }), (before) => {
        const nodes = scrubbed(marked, before);
        expect(nodes.outcome).toBe("ok");
        expect(nodes.endOf(0)).toBe(width);
      }),
    );
    const before = Uint8Array.from({ length: width }, (_, index) => 0x31 + index);
    expect(scrubbed(marked, before).bytes(0)).not.toEqual(before);
  });

  it("is left out if nothing can be written in place of a secret", () => {
    const digit = coded<number>("digit", {
      measure: () => 1,
      read: (bytes, start) => (bytes[start] ?? 0) - 0x30,
      write: (value) => Uint8Array.of(0x30 + value),
    });
    const type = struct("Secret", { digit: digit.sensitive("token") });
    expect(() => scrubbed(type, Buffer.from("7"))).toThrow(UnwritableError);
  });

  it("keeps what is true or false: no other value would be right", () => {
    const type = struct("Answer", { yes: bool.sensitive("chat") });
    expect([...scrubbed(type, Uint8Array.of(1)).bytes(0)]).toEqual([1]);
  });

  it("is left out if not even an empty text can be written", () => {
    const known = coded<string>("known", {
      measure: () => 1,
      read: () => "Alice",
      write: () => {
        throw new RangeError("nobody knows that");
      },
    });
    const type = struct("Known", { who: known.sensitive("player-name") });
    expect(() => scrubbed(type, Uint8Array.of(1))).toThrow(UnwritableError);
  });

  it("has an empty text where nothing else can be written", () => {
    const known = coded<string>("known", {
      measure: () => 1,
      read: (bytes, start) => (bytes[start] === 0 ? "" : "Alice"),
      write: (value) => {
        if (value !== "") throw new RangeError("nobody knows that");
        return Uint8Array.of(0);
      },
    });
    const nodes = scrubbed(struct("Known", { who: known.sensitive("player-name") }), Uint8Array.of(1));
    expect([...nodes.bytes(0)]).toEqual([0]);
  });

  it("is left out if it would be longer than its length field can say", () => {
    const type = struct("Long", {
      length: u8,
      body: within("length", group({ size: u8, server: text("size").sensitive("ip-address"), more: text(rest) })),
    });
    expect(() => scrubbed(type, Buffer.from(`\xff\x071.2.3.4${"x".repeat(247)}`, "latin1"))).toThrow(UnwritableError);
  });

  it("has the replaced number of a person in texts, too", () => {
    const type = struct("Said", { who: u32.sensitive(persons), said: text(rest) });
    const nodes = scrubbed(type, Buffer.from("\x8c\x27\0\0I am 10124.", "latin1"));
    expect(valueAt(nodes, "who")).not.toBe(10124);
    expect(valueAt(nodes, "said")).toBe(`I am ${valueAt(nodes, "who")}.`);
  });

  it("replaces addresses and names side by side in lines of HTTP", () => {
    const type = struct("Head", { lines: text(rest).sensitiveHttp("machine") });
    const nodes = scrubbed(type, Buffer.from("Host: 198.51.100.7:80\r\nCookie: Alice of D'ni\r\n"));
    expect(valueAt(nodes, "lines")).toMatch(/^Host: 192\.0\.2\.1:80\r\nCookie: Machine-\w{5}\r\n$/);
  });

  it.each<[string, Type<unknown, boolean>]>([
    ["an array", array(text(13), rest)],
    ["an array in an array", array(array(text(13), 2), 1)],
    ["a region", within("n", text(rest))],
    ["a tuple", tuple([text(13), text(13)])],
    ["a choice", choice("n", { 26: text(26) })],
    ["another choice", choice("n", { 1: u8 }, text(26))],
  ])("replaces only the values of headers of HTTP in %s", (_, lines) => {
    const type = struct("Head", { n: u8, lines: lines.sensitiveHttp("machine") });
    const nodes = scrubbed(type, Buffer.from("\x1aTE: bookwor\r\nAge: 567890\r\n"));
    expect(Buffer.from(nodes.bytes(0)).toString("latin1", 1)).toMatch(/^TE: (?!bookwor).{7}\r\nAge: 567890\r\n$/);
  });

  it("keeps what it is asked to keep, but no other secrets", () => {
    const kept = message("auth", "Cli2Auth_AcctLoginRequest", login, { kept: ["account-name", "machine"] });
    expect(valueAt(kept, "accountName")).toBe("alice@example.com");
    expect(valueAt(kept, "operatingSystem")).toBe("win");
    const found = message("auth", "Cli2Auth_AcctLoginRequest", login, { kept: ["account-name"], known: ["Alice"] });
    expect(valueAt(found, "accountName")).toMatch(/^\w{5}@example\.com$/);
    expect(valueAt(found, "accountName")).not.toBe("alice@example.com");
  });

  it("has an address of another length in texts, and corrected lengths around it", () => {
    const name = "GateKeeper2Cli_AuthSrvIpAddressReply";
    const nodes = message("gatekeeper", name, { transactionId: 1, authServerAddress: "123.123.123.123" });
    expect(nodes.outcome).toBe("ok");
    expect(valueAt(nodes, "authServerAddress")).toBe("192.0.2.1");
  });

  it("keeps the encoding and the form of texts", () => {
    const type = struct("Names", {
      length: u8,
      plain: text("length").sensitive("player-name"),
      safe: SafeString.sensitive("player-name"),
    });
    const nodes = scrubbed(type, Buffer.from("\x03Zo\xeb\x05\0\xab\xcdAlice", "latin1"));
    const after = Buffer.from(nodes.bytes(0)).toString("latin1");
    expect(after).toMatch(/^.[a-z\d]{2}[\xe0-\xef].{2}\xab\xcd[a-z\d]{5}$/s);
  });

  it("has corrected lengths even if they count other units than bytes", () => {
    const address = group({ length: u8, text: text("length").sensitive("ip-address") });
    const type = struct("Server", { pairs: u8, address: within({ field: "pairs", times: 2 }, address), port: u8 });
    const nodes = scrubbed(type, Buffer.from("\x04\x071.2.3.4P"));
    expect(Buffer.from(nodes.bytes(0)).toString()).toBe("\x05\x09192.0.2.1P");
  });

  it("has corrected lengths that are some bits of a number, whose other bits stay", () => {
    const address = text({ field: "head", mask: 0x0f }).sensitive("ip-address");
    const type = struct("Server", { head: u8, text: address, port: u8 });
    const nodes = scrubbed(type, Buffer.from("\x571.2.3.4P"));
    expect(Buffer.from(nodes.bytes(0)).toString()).toBe("\x59192.0.2.1P");
    const narrow = text({ field: "head", mask: 0x07 }).sensitive("ip-address");
    const full = struct("Server", { head: u8, text: narrow, port: u8 });
    expect(() => scrubbed(full, Buffer.from("\x571.2.3.4P"))).toThrow(UnwritableError);
  });

  it("has only an empty key exchange", () => {
    const type = moul.types.get("Cli2Srv_Connect") ?? fail();
    const nodes = scrubbed(type, Buffer.concat([Buffer.from([0, 66]), Buffer.alloc(64, 7)]));
    expect([...nodes.bytes(0)]).toEqual([0, 2]);
  });

  it("has nothing after the end of texts in fields of fixed width", () => {
    const type = moul.types.get("Cli2File_ManifestRequest") ?? fail();
    const bytes = Buffer.alloc(4 + 4 + 4 + 520 + 4, 0x41);
    bytes.writeUInt32LE(bytes.length, 0);
    bytes.writeUInt32LE(20, 4);
    bytes.write("External\0", 12, "utf16le");
    const nodes = scrubbed(type, bytes);
    expect(valueAt(nodes, "group")).toBe("External");
    expect(Buffer.from(nodes.bytes(0)).subarray(12 + 18, 12 + 520)).toEqual(Buffer.alloc(520 - 18));
  });

  it.each([0, 3])("has nothing after the end of private texts of %i characters", (length) => {
    const bytes = Buffer.from("bob@example.org");
    bytes[length] = 0;
    const nodes = scrubbed(struct("S", { email: text(bytes.length).sensitive("email") }), bytes);
    expect(String(valueAt(nodes, "email"))).toHaveLength(length);
    expect(Buffer.from(nodes.bytes(0)).subarray(length)).toEqual(Buffer.alloc(bytes.length - length));
  });

  it("has others in place of texts that look like a path, a folder or a header", () => {
    const texts = ["/Tm90aGluZw==", "C:\\Users\\Alice", "KeyError: 'Alice'"];
    const lengths = { first: u8, second: u8, third: u8 };
    const type = struct("S", {
      ...lengths,
      token: text("first").sensitive("token"),
      file: text("second").sensitive("machine"),
      error: text("third").sensitive("machine"),
    });
    const bytes = Buffer.concat([
      Uint8Array.from(texts, ({ length }) => length),
      ...texts.map((one) => Buffer.from(one)),
    ]);
    const nodes = scrubbed(type, bytes);
    for (const [index, name] of ["token", "file", "error"].entries()) {
      expect(valueAt(nodes, name)).not.toContain(texts[index]?.slice(-5));
    }
  });

  describe("with well-known names", () => {
    const named = (file: string, instance: string, player: string, other: string) => {
      const names = [file, instance, player, other].map((name) => Buffer.from(name));
      return Buffer.concat(names.flatMap((name) => [Uint8Array.of(name.length), name]));
    };
    const type = struct("Named", {
      fileNameLength: u8,
      fileName: text("fileNameLength").public(),
      instanceNameLength: u8,
      instanceName: text("instanceNameLength").sensitive({ name: "place", doc: "places", mayBePublic: true }),
      playerNameLength: u8,
      playerName: text("playerNameLength").sensitive("player-name"),
      otherLength: u8,
      other: text("otherLength"),
    });

    it("keeps them, even for instances of ages, but not for players", () => {
      const nodes = scrubbed(type, named("Garden", "GARDEN", "Garden", "xGarden"));
      expect(valueAt(nodes, "fileName")).toBe("Garden");
      expect(valueAt(nodes, "instanceName")).toBe("GARDEN");
      expect(valueAt(nodes, "playerName")).not.toMatch(/garden/i);
      expect(valueAt(nodes, "other")).toBe("xGarden");
    });

    it("keeps them if they contain a name that is not well known", () => {
      const nodes = scrubbed(type, named("GardenGate", "Gard", "Gate", "Gard, Gate"));
      expect(valueAt(nodes, "fileName")).toBe("GardenGate");
      expect(valueAt(nodes, "instanceName")).not.toBe("Gard");
      expect(valueAt(nodes, "other")).not.toMatch(/Gard|Gate/);
    });

    it.each([
      [ClientHello, "BZFLAG\r\n\r\n"],
      [ServerFarewell, "BZFS0221\r\n\r\n"],
    ])("keeps the greetings of servers and clients", (type, greeting) => {
      const nodes = scrubbed(type, Buffer.from(greeting), { known: ["BZFlag", "bzfs", "\r\n\r\n"] });
      expect(Buffer.from(nodes.bytes(0)).toString()).toBe(greeting);
    });

    it("keeps nothing if such a field turns out to be something else", () => {
      const type = struct("S", { kind: u8, file: choice("kind", { 1: text(rest) }).public() });
      const nodes = scrubbed(type, Buffer.from("\x02Alice"));
      expect(Buffer.from(nodes.bytes(0)).toString()).toBe(`\x02${"\0".repeat(5)}`);
    });

    it("does not trust an invalid message", () => {
      const secrets = new Secrets(Buffer.from("a salt for tests"));
      secrets.gatherText("player-name", "Alice");
      const type = struct("S", { file: text(5).public(), more: u32 });
      for (const bytes of ["Alice", "Alice\0\0\0\0\0"]) {
        const nodes = decodeWhole(type, Buffer.from(bytes));
        expect(nodes.outcome).toBe("malformed");
        gatherSecrets(nodes, new Set(), secrets);
      }
      const said = decodeWhole(struct("T", { said: text(5) }), Buffer.from("Alice"));
      for (const nodes of [said, decodeWhole(type, Buffer.from("Alice"))]) {
        expect(Buffer.from(scrubMessage(nodes, new Set(), secrets).bytes).toString()).not.toContain("Alice");
      }
    });

    it("has nothing after them in fields of fixed width", () => {
      const nodes = scrubbed(struct("S", { file: text(14).public() }), Buffer.from("city\0 of Alice"));
      expect(Buffer.from(nodes.bytes(0)).toString()).toBe("city".padEnd(14, "\0"));
    });
  });

  it("is recompressed if it was compressed, with corrected lengths", () => {
    const { type, bytes } = compressedChat("Alice of D'ni", "Is Alice of D'ni here?");
    const before = decodeWhole(type, bytes);
    expect(valueAt(before, "buffer.stream.data.senderName")).toBe("Alice of D'ni");
    const after = scrubbed(type, bytes, { kept: ["chat"] });
    expect(after.notes).toEqual([]);
    expect(paths(after)).toEqual(paths(before));
    const name = String(valueAt(after, "buffer.stream.data.senderName"));
    expect(name).toMatch(/^Player-\w{6}$/);
    expect(valueAt(after, "buffer.stream.data.messageText")).toBe(`Is ${name} here?`);
    expect(valueAt(after, "bufferLength")).toBe(after.bytes(0).length - 10);
  });

  it("is recompressed at every depth, or left out if that would change an inflated length", () => {
    const compression = { when: flag("size", 0xffff), literal: 0, inflatedLength: "inflated" };
    const packed = (content: Type<unknown>) =>
      group({ inflated: u8, size: u8, data: within("size", content, compression) });
    const pack = (content: Uint8Array) => {
      const data = deflate(content);
      return Buffer.concat([Uint8Array.of(content.length, data.length), data]);
    };
    const type = struct("Item", {
      outer: packed(packed(group({ name: text(13).sensitive("player-name") }))),
      last: u8,
    });
    const item = (name: string) => Buffer.concat([pack(pack(Buffer.from(name))), Uint8Array.of(9)]);
    const after = scrubbed(type, item("Alice of D'ni"));
    expect(after.notes).toEqual([]);
    expect(valueAt(after, "outer.data.data.name")).toMatch(/^Player-/);
    expect(valueAt(after, "last")).toBe(9);
    // This name can be compressed, its replacement cannot.
    expect(valueAt(decodeWhole(type, item("a".repeat(13))), "outer.data.data.name")).toBe("a".repeat(13));
    expect(() => scrubbed(type, item("a".repeat(13)))).toThrow(UnwritableError);
  });

  it("stays compressed as it was if it reveals nothing", () => {
    const compression = { when: flag("packed", 0xffff), literal: 0, inflatedLength: "inflated" };
    const note = within("packed", group({ words: text(rest) }), compression);
    const packed = deflate(Buffer.from("A".repeat(40)), { level: 0 });
    const bytes = Buffer.concat([Uint8Array.of(40, packed.length), packed]);
    const after = scrubbed(struct("Item", { inflated: u8, packed: u8, note }), bytes, { known: ["Alice of D'ni"] });
    expect(Buffer.from(after.bytes(0))).toEqual(bytes);
  });

  it("has nothing after the end of compressed data, or in place of broken data", () => {
    const compression = { when: flag("packed", 0xffff), literal: 0, inflatedLength: "inflated" };
    const content = group({ words: text(rest) });
    const type = struct("Item", { inflated: u8, packed: u8, note: within("packed", content, compression) });
    const whole = deflate(Buffer.from("A".repeat(40)));
    const broken = deflate(Buffer.from("Alice of D'ni was here"), { level: 0 }).subarray(0, -4);
    for (const packed of [
      Buffer.concat([whole, Buffer.from("Alice")]),
      Buffer.concat([broken, Buffer.from("Alice")]),
    ]) {
      const after = scrubbed(type, Buffer.concat([Uint8Array.of(40, packed.length), packed]), {
        known: ["Alice of D'ni"],
      });
      expect(Buffer.from(after.bytes(0)).includes("Alice")).toBe(false);
      expect(valueAt(after, "packed")).toBe(after.endOf(0) - 2);
    }
  });

  it("has corrected lengths even if those are variable-length numbers, unless their own length would change", () => {
    const note = struct("Note", { who: text(8).sensitive("player-name"), words: text(rest) });
    const compression = { when: flag("inflated", 0xffff), literal: 0, inflatedLength: "inflated" };
    const type = struct("Item", { inflated: little.u16, packed: varint, note: within("packed", note, compression) });
    const packed = deflate(Buffer.from("A".repeat(40)));
    const after = scrubbed(type, Buffer.concat([Uint8Array.of(40, 0, packed.length), packed]));
    expect(after.outcome).toBe("ok");
    expect(valueAt(after, "packed")).toBe(after.endOf(0) - 3);
    expect(valueAt(after, "packed")).not.toBe(packed.length);
    const stored = deflate(Buffer.from("A".repeat(200)), { level: 0 });
    const long = Buffer.concat([Uint8Array.of(200, 0, (stored.length % 128) + 128, stored.length >> 7), stored]);
    expect(() => scrubbed(type, long)).toThrow(UnwritableError);
  });

  it("keeps counts of elements whose length changes", () => {
    const note = struct("Note", { who: text(8).sensitive("player-name"), words: text(rest) });
    const compression = { when: flag("packed", 0xffff), literal: 0, inflatedLength: "inflated" };
    const item = struct("Item", {
      inflated: little.u16,
      packed: little.u16,
      note: within("packed", note, compression),
    });
    const items = group({ count: u8, all: array(item, "count") });
    const type = struct("Items", { byteCount: u8, items: within("byteCount", items) });
    const packed = deflate(Buffer.from("A".repeat(40)));
    const one = Buffer.concat([Uint8Array.of(40, 0, packed.length, 0), packed]);
    const after = scrubbed(type, Buffer.concat([Uint8Array.of(1 + 2 * one.length, 2), one, one]));
    expect(after.outcome).toBe("ok");
    expect(valueAt(after, "items.count")).toBe(2);
    expect(valueAt(after, "byteCount")).toBe(after.endOf(0) - 1);
    expect(after.endOf(0)).not.toBe(2 + 2 * one.length);
  });

  it("has corrected lengths even if a choice says whether something is compressed", () => {
    const note = group({ who: text(8).sensitive("player-name"), words: text(rest) });
    const compression = { when: flag("flags", 1), literal: 2, inflatedLength: "inflated" };
    const type = struct("Note", {
      head: group({ flags: u8 }),
      flags: u8,
      inflated: u8,
      packed: u8,
      note: choice(
        { field: "head.flags", mask: 1 },
        { 1: within("packed", note, compression) },
        within("inflated", note),
      ),
    });
    const packed = Buffer.concat([Buffer.from("AA"), deflate(Buffer.from("A".repeat(38)))]);
    const after = scrubbed(type, Buffer.concat([Uint8Array.of(3, 3, 40, packed.length), packed]));
    expect(after.notes).toEqual([]);
    expect(valueAt(after, "packed")).toBe(after.endOf(0) - 4);
    expect(valueAt(after, "packed")).not.toBe(packed.length);
  });
});

/** A chat message in a stream that is compressed after its first two bytes. */
function compressedChat(senderName: string, messageText: string): { type: Type<unknown>; bytes: Uint8Array } {
  const type = moul.types.get("Cli2Game_PropagateBuffer") ?? fail();
  const sender = Buffer.from(senderName).map((byte) => ~byte & 0xff);
  const text = Buffer.from(messageText, "utf16le").map((byte) => ~byte & 0xff);
  const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);
  const u32 = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24]);
  const content = Buffer.concat([
    Buffer.from("6403 00 00000000 0000000000000000 48020000 00".replaceAll(" ", ""), "hex"),
    u16(0xf000 | sender.length),
    sender,
    u32(10124),
    u16(0xf000 | (text.length / 2)),
    text,
    Buffer.alloc(2 + 1 + 1 + 2 + 4 + 4),
  ]);
  const packed = Buffer.concat([content.subarray(0, 2), deflate(content.subarray(2))]);
  const stream = Buffer.concat([u32(content.length), Buffer.from([2]), u32(packed.length), packed]);
  const buffer = Buffer.concat([u16(0x026b), u32(0), stream, Buffer.from([0])]);
  return { type, bytes: Buffer.concat([u16(2), u32(0x026b), u32(buffer.length), buffer]) };
}

describe("every class with an example in the vectors", () => {
  const folder = new URL("../vectors/", import.meta.url);
  const examples = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trim().split("\n"))
    .flatMap((line) => exampleOf(JSON.parse(line)));

  it("has the same fields without its secrets", () => {
    expect(examples.length).toBeGreaterThan(100);
    for (const { id, type, bytes } of examples) {
      const before = decodeWhole(type, bytes);
      const after = scrubbed(type, bytes);
      expect({ id, outcome: after.outcome, paths: paths(after) }).toEqual({
        id,
        outcome: before.outcome,
        paths: paths(before),
      });
    }
  });
});

describe("events with variables", () => {
  it.each([
    ["kFloat", DataType.kFloat],
    ["kInt", DataType.kInt],
  ])("have other numbers (%s) in place of those that identify somebody elsewhere, and only there", (_, dataType) => {
    const secrets = new Secrets(Buffer.from("a salt for tests"));
    secrets.gatherNumber(1234567);
    const after = [1234567, 1234568].map((numberValue) => {
      const event = { type: 3, variableName: "AvatarIn", dataType, numberValue, keyValue: { nonNull: false } };
      const nodes = decodeWhole(proVariableEventData, encode<unknown>(proVariableEventData, event));
      const { bytes } = scrubMessage(nodes, new Set(), secrets);
      return valueAt(decodeWhole(proVariableEventData, bytes), "numberValue");
    });
    expect(after).toEqual([secrets.number(1234567), 1234568]);
  });
});

describe("numbers that may identify somebody", () => {
  const message = "00 00000000 0000000000000000 00000000";
  const list = `4b03 ${message} 01000000 03000000 01 00 0b000000 0100 0000 8c03`;
  const argument = "arguments.data.items[0].item.value.data";

  it.each([
    ["plLoadCloneMsg", "userData", `5302 ${message} 00 00 00000000`, "01 01 0080"],
    ["plLinkingMgrMsg", argument, `${list} 00`, ""],
    ["plLinkingMgrMsg", argument, `${list} 06`, ""],
  ])("have others in their place if they do: in a %s, %s", (_, path, before, end) => {
    const type = moul.types.get("plCreatable") ?? u8;
    const secrets = new Secrets(Buffer.from("a salt for tests"));
    secrets.gatherNumber(0x12345678);
    const after = ["78563412", "79563412"].map((number) => {
      const { bytes } = scrubMessage(decodeWhole(type, wire(before, number, end)), new Set(), secrets);
      return valueAt(decodeWhole(type, bytes), path);
    });
    expect(after).toEqual([secrets.number(0x12345678), 0x12345679]);
  });
});

describe("SDL records", () => {
  const settings = given(readFileSync(new URL("../vectors/descriptors.sdl", import.meta.url), "utf8"));
  const examples = vectorsIn("sdl-blobs").map(({ id, hex }) => ({ id, bytes: Buffer.from(hex, "hex") }));

  it("keep their variables, with other texts", () => {
    const texts: Record<"before" | "after", unknown[]> = { before: [], after: [] };
    for (const { id, bytes } of examples) {
      const before = decodeWhole(sdlBlob, bytes, settings);
      const after = scrubbed(sdlBlob, bytes, { settings });
      expect({ id, outcome: after.outcome, paths: paths(after) }).toEqual({
        id,
        outcome: before.outcome,
        paths: paths(before),
      });
      texts.before.push(...fixedTexts(before));
      texts.after.push(...fixedTexts(after));
    }
    expect(texts.before.length).toBeGreaterThan(4);
    expect(texts.after.filter((text) => texts.before.includes(text))).toEqual([]);
  });

  it("have other numbers in place of those that identify somebody elsewhere, and only there", () => {
    const own = given("STATEDESC Shelf { VERSION 1 VAR INT owner[1] VAR INT books[2] VAR BYTE small[1] }");
    const name = Buffer.from("Shelf").map((byte) => ~byte & 0xff);
    const numbers = [1234567, 1234568, 7].flatMap((number) => [0, 0, ...Buffer.from(Int32Array.of(number).buffer)]);
    expect(numbers.length).toBe(18);
    const header = Buffer.concat([Uint8Array.of(0, 0x80, 5, 0xf0), name, Uint8Array.of(1, 0)]);
    const record = Uint8Array.of(0, 0, 6, 3, ...numbers.slice(0, 12), ...numbers.slice(14), 0, 0, 7, 0);
    const secrets = new Secrets(Buffer.from("a salt for tests"));
    for (const number of [1234567, 7]) secrets.gatherNumber(number);
    const nodes = decodeWhole(sdlBlob, Buffer.concat([header, record]), own);
    expect(nodes.notes).toEqual([]);
    const after = decodeWhole(sdlBlob, scrubMessage(nodes, new Set(), secrets).bytes, own);
    const values = (tree: FieldTree) =>
      paths(tree).flatMap((path, node) => (/values\[\d\]$/.test(path) ? [tree.value(node)] : []));
    expect(values(nodes)).toEqual([1234567, 1234568, 7, 7]);
    expect(values(after)).toEqual([secrets.number(1234567), 1234568, 7, 7]);
  });

  it("can be read if a player or an age instance has the name of their descriptor, or of a part of it", () => {
    for (const { id, bytes } of examples) {
      const before = decodeWhole(sdlBlob, bytes, settings);
      const name = String(valueAt(before, "descriptorName"));
      const after = scrubbed(sdlBlob, bytes, { settings, known: [name, name.slice(0, 4)] });
      expect({ id, name: valueAt(after, "descriptorName"), paths: paths(after) }).toEqual({
        id,
        name,
        paths: paths(before),
      });
    }
  });

  it("are zeros if their variables are unknown", () => {
    for (const { bytes } of examples.slice(2, 5)) {
      const after = scrubbed(sdlBlob, bytes);
      const record = paths(after).indexOf("record");
      expect(Buffer.from(after.bytes(record)).every((byte) => byte === 0)).toBe(true);
    }
  });
});

/** Values of non-empty texts in fields of fixed width. */
function fixedTexts(nodes: FieldTree): unknown[] {
  return paths(nodes).flatMap((_, node) => {
    const isText = nodes.field(node).kind === "text" && !nodes.hasChildren(node);
    const value = isText ? nodes.value(node) : "";
    return value === "" ? [] : [value];
  });
}

function exampleOf(line: unknown): { id: string; type: Type<unknown>; bytes: Uint8Array }[] {
  if (typeof line !== "object" || line === null || !("id" in line) || !("hex" in line) || !("class" in line)) return [];
  const type = moul.types.get(String(line.class));
  return type === undefined ? [] : [{ id: String(line.id), type, bytes: Buffer.from(String(line.hex), "hex") }];
}

function fail(): never {
  throw new Error("there is no such type");
}
