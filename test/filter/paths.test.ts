import { describe, expect, it } from "vitest";
import { sdlBlob } from "../../dissectors/moul/sdl/sdlBlob.js";
import { compileFilter, parsePath, resolvePath, Vocabulary } from "../../src/filter/index.js";
import { dissectors } from "../../src/index.js";
import { fieldFacts } from "../../src/schema/describe/field-list.js";
import {
  array,
  bits,
  choice,
  derive,
  enumeration,
  Family,
  polymorphic,
  rest,
  struct,
  text,
  u8,
  within,
} from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { blob, given } from "../dissectors/moul/sdl/given.js";
import { errorIn, messageOf, stretch, vocabularyOf } from "./support/messages.js";

/** What names and paths refer to, and what is reported for those that refer to nothing. */

const Place = struct("Place", { x: u8, y: u8, length: u8 });
const family = new Family("Thing", "thingIndex", u8, { nullTag: 0, names: new Map([[7, "Hat"]]) });
const Thing = struct("Thing", { weight: u8 }, { tag: 1 });
const Lamp = derive("Lamp", Thing, { place: Place }, { tag: 2 });
const Box = derive("Box", Thing, { count: u8, things: array(polymorphic(family), "count") }, { tag: 3 });
family.register(Thing, Lamp, Box);
const Delivery = struct("Delivery", { number: u8, thing: polymorphic(family), place: Place });
const vocabulary = vocabularyOf(Delivery);

/** A box (weight 9) with a lamp (5, at 1/2) and a thing (6); delivered to 3/4. */
const delivery = messageOf(Delivery, "63 03 09 02 02 05 01 02 0a 01 06 03 04 0b");

function passes(expression: string, message = delivery, names = vocabulary): boolean {
  return compileFilter(expression, names)(message);
}

describe("a path", () => {
  it.each([
    ["weight == 9", true],
    ["weight == 6", true],
    ["thing.weight == 9", true],
    ["thing.weight == 5", false],
    ["things.weight == 5", true],
    ["things.weight == 9", false],
    ["thing.things.weight == 6", true],
    ["thing.x == 1", true],
    ["thing.place.x == 1", false],
    ["things.place.x == 1", true],
    ["things.x == 1", true],
    ["things.x == 3", false],
    ["place.x == 3", true],
    ["place.x == 1", true],
    ["Delivery.place.x == 3", true],
    ["Delivery.place.x == 1", false],
    ["Delivery.x == 1", true],
    ["Delivery.number == 99", true],
  ])("%s: %s", (expression, expected) => {
    expect(passes(expression)).toBe(expected);
  });

  it("may omit names between a struct and a field, even if values are derived from the fields of the struct", () => {
    const derived = [bits("parity", { field: "number", mask: 1 })];
    const Odd = struct("Odd", { number: u8, place: Place }, { derived });
    const names = vocabularyOf(Odd);
    const message = messageOf(Odd, "63 03 04 0b");
    expect(passes("Odd.x == 3", message, names)).toBe(true);
    expect(passes("Odd.parity == 1", message, names)).toBe(true);
    expect(passes("Odd.parity == 0", message, names)).toBe(false);
  });
});

describe("a class", () => {
  it.each([
    ["Box", true],
    ["Thing", true],
    ["Lamp.weight == 5", true],
    ["Lamp.weight == 9", false],
    ["Thing.weight == 9", true],
    ["Thing.weight == 6", true],
    ["thing.Box", true],
    ["thing.Lamp", true],
    ["things.Box", false],
    ["things.Lamp.place.x == 1", true],
    ["Thing.place.x == 1", true],
    ["Thing.place.x == 3", false],
    ["thing.Box.things.Lamp.x == 1", true],
    ["Box.Lamp.x == 1", true],
    ["class == Lamp", true],
    ["thing.class == Lamp", false],
    ["thing.class == Box", true],
    ["things.class != Box", true],
    ["thing.Box.Thing.x == 1", true],
    ["thing.Box.Thing.x == 3", false],
    ["Box.Thing.weight == 5", true],
    ["Hat", false],
    ["thingIndex == Lamp", true],
    ["thing.thingIndex == 3", true],
    ["thing.thingIndex == 2", false],
    ["things.thingIndex == 2", true],
    ["things.thingIndex == 3", false],
    ["Box.thingIndex == 3", true],
    ["Box.thingIndex == 1", false],
    ["Lamp.thingIndex == 2", true],
    ["Thing.thingIndex == 1", true],
    ["Delivery.thingIndex == 1", true],
    ["Delivery", true],
    ["Delivery.Delivery", true],
    ["Place.x == 1", true],
  ])("%s: %s", (expression, expected) => {
    expect(passes(expression)).toBe(expected);
  });
});

describe("fields of every message", () => {
  const noted = {
    notes: [
      { severity: "warning", path: "a.b", text: "is odd" },
      { severity: "note", path: "", text: "is long" },
    ],
  } as const;

  it.each([
    ["number == 7 and .number == 99", true],
    ["number == 99", false],
    ["Delivery.number == 7", false],
    [".length == 10", true],
    ["length == 14", true],
    [".length == 14", false],
    ["frame == 11 and frame == 12 and frames == 12", true],
    ["frame != 11", false],
    ["frame === 12", false],
    ["frame in {1 .. 11}", true],
    ["stream == 3", true],
    ["transport == tcp", true],
    ["direction == c2s", true],
    ["direction == s2c", false],
    ["direction in {c2s, s2c}", true],
    ["protocol == toy.words", true],
    ['protocol == "toy.words"', true],
    ["protocol != toy.numbers", true],
    ["toy.words", true],
    ["toy", true],
    ["toy.numbers", false],
    ["message == Delivery", true],
    ['message matches "^deli"', true],
    ['message contains "liver"', true],
    ['message[0:3] == "Del"', true],
    ['message == "Anything"', false],
    ["status == ok", true],
    ["status in {malformed, truncated}", false],
    ["time > 2026-11-20T04:55:07.123", true],
    ["time == 2026-11-20T04:55:07.123456789Z", true],
    ["time < 2026-11-20T04:55:07.1234567", false],
    ["time in {2026-11-20 .. 2026-11-21}", true],
    ["time < 2026-11-20T05:00:00+01:00", false],
    ["source == 10.1.2.3", true],
    ["source == 10.1.2.3:50312", true],
    ["source == 50312", true],
    ["source > 50000", true],
    ["source == 10.1.0.0/16", true],
    ["source == 10.2.0.0/16", false],
    ["source != 10.1.2.3", false],
    ["source != 10.1.2.4", true],
    ['source matches "^10[.]1"', true],
    ["destination == 14617", true],
    ["notes", false],
    ["not notes", true],
    ["notes.severity == error", false],
    ["gap or skipped or encrypted", false],
  ])("%s: %s", (expression, expected) => {
    expect(passes(expression)).toBe(expected);
  });

  it("include remarks", () => {
    const message = { ...delivery, ...noted };
    for (const expression of [
      "notes",
      'notes contains "odd"',
      "notes.severity == warning",
      'notes.path == "a.b"',
      'notes.text == "is long"',
      "notes.severity != error",
      'notes[0:2] == "is"',
    ]) {
      expect(passes(expression, message), expression).toBe(true);
    }
    expect(passes("notes.severity != note", message)).toBe(false);
  });

  it("can differ in direction", () => {
    const answer = { ...delivery, direction: "s2c" } as const;
    expect(passes("source == 14617 and destination == 10.1.2.3 and direction == s2c", answer)).toBe(true);
  });
});

describe("a stretch that is not a message", () => {
  it("has a name and no fields", () => {
    const gap = stretch("gap");
    expect(passes("gap", gap)).toBe(true);
    expect(passes("message == gap and status == truncated and length == 5", gap)).toBe(true);
    expect(passes("skipped or x == 1 or x != 1 or Thing", gap)).toBe(false);
    expect(passes("not x", gap)).toBe(true);
  });

  it("may have the name of a message whose end is unknown", () => {
    expect(passes("Delivery", stretch("Delivery"))).toBe(true);
    expect(passes("Lamp", stretch("Delivery"))).toBe(false);
  });
});

describe("a struct whose value is in one of its fields", () => {
  const size = struct("Size", { unit: u8, values: array(u8, rest) }, { valueField: "values" });
  const type = struct("Parcel", { marks: u8, size });
  const parcel = messageOf(type, "03 01 0708");
  const names = vocabularyOf(type);

  it("stands for that field", () => {
    expect(passes("size == 8 and size != 1 and Size < 9 and size.unit == 1", parcel, names)).toBe(true);
    expect(passes("size == 1 or size > 8", parcel, names)).toBe(false);
    expect(passes("size", parcel, names)).toBe(true);
  });

  it("is compared with what that field can be", () => {
    expect(errorIn("size == big", names).reason).toBe("size is a number, which big is not");
    expect(errorIn("Size == big", names).reason).toBe("");
  });

  it("may have one of several forms", () => {
    const value = choice("unit", { 0: u8, 1: text(1) }, within(1, u8));
    const type = struct("Parcel", { size: struct("Size", { unit: u8, value }, { valueField: "value" }) });
    expect(passes("size == a", messageOf(type, "01 61"), vocabularyOf(type))).toBe(true);
    expect(passes("size == 97", messageOf(type, "02 61"), vocabularyOf(type))).toBe(true);
    const numbers = struct("Parcel", { size: struct("Size", { value: within(1, u8) }, { valueField: "value" }) });
    expect(errorIn("size == big", vocabularyOf(numbers)).reason).toBe("size is a number, which big is not");
  });
});

describe("a struct whose value is derived from its fields", () => {
  const bits = (nodes: FieldTree, node: number) => {
    const word = nodes.numberIn(node, "word") ?? 0;
    return [0, 1, 2, 3].filter((bit) => ((word >> bit) & 1) === 1);
  };
  const named = { kFirst: 0, kSecond: 1, kThird: 2 };
  const list = {
    name: "bits",
    doc: "",
    schema: {},
    areBitNumbers: true,
    names: named,
    of: bits,
    meaning: (nodes: FieldTree, node: number) =>
      bits(nodes, node).map((bit) => Object.entries(named).find(([, number]) => number === bit)?.[0] ?? bit),
  };
  const flags = struct("Flags", { word: u8 }, { derived: [list], valueField: "bits" });
  const type = struct("Parcel", { marks: flags, wrapped: within(1, flags) });
  const names = vocabularyOf(type);
  const parcel = messageOf(type, "0a 00");

  it.each(["marks", "marks.bits"])("stands for that value: %s", (path) => {
    const holds = (rest: string) => passes(`${path} ${rest}`, parcel, names);
    expect(holds("== kSecond")).toBe(true);
    expect(holds("== 3")).toBe(true);
    expect(holds("== kFirst")).toBe(false);
    expect(holds("!= kFirst")).toBe(true);
    expect(holds("!= kSecond")).toBe(false);
    expect(holds("in {kFirst, kSecond}")).toBe(true);
    expect(holds("contains kSecond")).toBe(true);
    expect(holds("contains kFirst")).toBe(false);
    expect(holds('matches "cond"')).toBe(true);
    expect(holds("& kSecond")).toBe(true);
    expect(holds("& kFirst")).toBe(false);
    expect(holds('& "kFirst|kSecond"')).toBe(true);
    expect(holds("& 0x8")).toBe(true);
    expect(holds("& 0x5")).toBe(false);
  });

  it("exists without any bit, but then has no value", () => {
    expect(passes("wrapped", parcel, names)).toBe(true);
    expect(passes("wrapped == kFirst or wrapped != kFirst", parcel, names)).toBe(false);
  });

  it.each([
    ["marks == kSecnod", "marks has no value kSecnod; did you mean kSecond?"],
    ["marks & kSecnod", "marks has no value kSecnod; did you mean kSecond?"],
    ["wrapped == kSecnod", "wrapped has no value kSecnod; did you mean kSecond?"],
    ["marks contains 2", "marks is searched for names of flags, which 2 is not; for its bits, write marks & 2"],
    [
      "marks & 3 == 1",
      "marks is a list of bits: what is left of it is not compared; marks & ... is true if one is set",
    ],
  ])("is compared with what that can be: %s", (expression, reason) => {
    expect(errorIn(expression, names).reason).toBe(reason);
  });
});

describe("a name that refers to nothing", () => {
  it.each([
    ["wieght == 1", "there is no field, class or message wieght; did you mean weight?", "wieght"],
    ["Lmap", "there is no field, class or message Lmap; did you mean Lamp?", "Lmap"],
    ["WEIGHT", "there is no field, class or message WEIGHT; did you mean weight?", "WEIGHT"],
    ["qqqqqq", "there is no field, class or message qqqqqq; moul-dissect fields lists them all", "qqqqqq"],
    ["thing.wieght", "there is no field, class or message wieght; did you mean weight?", "wieght"],
    ["statsu == ok", "there is no field, class or message statsu; did you mean status?", "statsu"],
    ["toy.wrods", "there is no field, class or message toy.wrods; did you mean toy.words?", "toy.wrods"],
    ["weight.x", "there is no x in weight", "x"],
    ["Place.weight == 1", "there is no weight in Place", "weight"],
    ["Lamp.Box", "there is no Box in Lamp", "Box"],
    ["place.Lamp", "there is no Lamp in place", "Lamp"],
    [
      "gap.length > 5",
      "gap is not a message, and has only the fields that every message has: for gap.length, write gap and length",
      "gap.length",
    ],
    ["gap.weight > 5", "gap is not a message, and has only the fields that every message has, such as length", "gap"],
    ["not .numbre", "there is no field, class or message numbre; did you mean number?", "numbre"],
    [
      "tcp.port == 14617",
      "tcp.port is a Wireshark field; here, use stream, transport, source and destination: source == 14617",
      "tcp.port",
    ],
    ["frame.number > 5", "frame.number is a Wireshark field; here, use frame, number and time", "frame.number"],
    ["frame.len > 5", "frame.len is a Wireshark field; here, use length, that of the message", "frame.len"],
    ["toy.weight > 5", "toy is a protocol, with which names of fields do not begin: write weight", "toy.weight"],
    [
      "toy.words.answers.milliseconds > 5",
      "toy.words is a protocol, with which names of fields do not begin: write answers.milliseconds",
      "toy.words.answers.milliseconds",
    ],
    ["malformed", "there is no field, class or message malformed; did you mean status == malformed?", "malformed"],
    ["not c2s", "there is no field, class or message c2s; did you mean direction == c2s?", "c2s"],
    ["tcp", "there is no field, class or message tcp; did you mean transport == tcp?", "tcp"],
    ["thing.warning", "there is no field, class or message warning; moul-dissect fields lists them all", "warning"],
  ])("%s", (expression, reason, at) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason, at });
  });
});

describe("the name of an unknown message", () => {
  it("is compared with those of messages", () => {
    const names = new Vocabulary(dissectors);
    for (const name of ["Cli2Auth_53", "Msg_zz"]) {
      const { reason, at } = errorIn(name, names);
      expect({ reason, at }).toEqual({
        reason: `no type of message is called ${name}; for an unknown one of that name, write message == "${name}"`,
        at: name,
      });
    }
    for (const name of ["grsn_53", "M_doorOpen"]) expect(errorIn(name, names).reason).not.toContain("message ==");
    expect(errorIn("plNotifyMsg.Cli2Auth_53", names).reason).not.toContain("message ==");
  });
});

describe("a value that no message has", () => {
  it.each([
    ["direction == up", "direction is never up; it is c2s, s2c or none", "up"],
    ["status == malfromed", "status is never malfromed; did you mean malformed?", "malfromed"],
    ["status in {ok, bad}", "status is never bad; it is ok, malformed, truncated, unknown or encrypted", "bad"],
    ["protocol == toy.word", "protocol is never toy.word; did you mean toy.words?", "toy.word"],
    [
      "message == Cli2Srv_99",
      "no type of message is called Cli2Srv_99; names of unknown messages need quotes",
      "Cli2Srv_99",
    ],
    [
      "message == Delivry",
      "no type of message is called Delivry; did you mean Delivery? Names of unknown messages need quotes",
      "Delivry",
    ],
    ["stream == tcp", "stream is a number, which tcp is not", "tcp"],
    ['stream contains "1"', "stream is a number, which has no parts", '"1"'],
    ["frame & 1", "frame has no bits to test", "1"],
    ["time > 5", "time is compared with a time such as 2026-11-20T04:55:07.5Z", "5"],
    ['time contains "04:55"', "time is compared with a time such as 2026-11-20T04:55:07.5Z", '"04:55"'],
    ["source == localhost", "source is an address, a port, or both with a colon, which localhost is not", "localhost"],
    ['message == "Delivry"', "no type of message is called Delivry; did you mean Delivery?", '"Delivry"'],
    ["message == 5", "no type of message is called 5; names of unknown messages need quotes", "5"],
    ['protocol == "toy.wrods"', "no protocol is called toy.wrods; did you mean toy.words?", '"toy.wrods"'],
    ["protocol == 7", "protocol is never 7; it is toy.words or toy.numbers", "7"],
    ['direction == "up"', "direction is never up; it is c2s, s2c or none", '"up"'],
    ['direction contains "x"', "direction is never anything with x in it; it is c2s, s2c or none", '"x"'],
    ['transport matches "sctp"', "transport is never anything with sctp in it; it is tcp or udp", '"sctp"'],
    ["number == 1.5", "number is a whole number, 0 or more, which 1.5 is not", "1.5"],
    ["stream in {-1}", "stream is a whole number, 0 or more, which -1 is not", "-1"],
    ['source == "gate"', "source is an address, a port, or both with a colon, which gate is not", '"gate"'],
    ["source == 70000", "source is an address, a port, or both with a colon, which 70000 is not", "70000"],
    ["answers.result == 0", "there is no answers.result; did you mean answers.message?", "answers.result"],
    [
      "answers.millisecond > 1",
      "there is no answers.millisecond; did you mean answers.milliseconds?",
      "answers.millisecond",
    ],
    ["conversation", "conversation is only the beginning of conversation.player", "conversation"],
    ["notes.foo", "there is no notes.foo, only notes, notes.path, notes.severity or notes.text", "notes.foo"],
    ["time < 2026-02-30", "time is compared with a time such as 2026-11-20T04:55:07.5Z", "2026-02-30"],
  ])("%s", (expression, reason, at) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason, at });
  });

  it.each([
    ["status == Ok", "status is never Ok; did you mean ok? For the field of that name, write .status", "Ok"],
    [
      "time == Noon",
      "time is compared with a time such as 2026-11-20T04:55:07.5Z; for the field of that name, write .time",
      "Noon",
    ],
    ["status & 1", "status has no bits to test; for the field of that name, write .status", "1"],
    ["time == Nun", "time is compared with a time such as 2026-11-20T04:55:07.5Z", "Nun"],
  ])("gets a hint if a field of the same name has it: %s", (expression, reason, at) => {
    const [state, hour] = [enumeration(u8, { Ok: 0, Cold: 1 }), enumeration(u8, { Noon: 12 })];
    const names = vocabularyOf(struct("Report", { status: state, time: hour }));
    expect(errorIn(expression, names)).toEqual({ reason, at });
  });

  it.each([
    ["timeSent == foo", "timeSent is a number or a time such as 2026-11-20T04:55:07.5Z, which foo is not", "foo"],
    ['timeSent > "now"', "timeSent is a number or a time such as 2026-11-20T04:55:07.5Z, which now is not", '"now"'],
  ])("may be a text that is computed from numbers: %s", (expression, reason, at) => {
    expect(errorIn(expression, new Vocabulary(dissectors))).toEqual({ reason, at });
  });

  it.each(["300.0.0.1", "300.0.0.1:80", "10.0.0.1:65536", "10.0.0.0/33", "fe80::/129", "fe80::12345"])(
    "may be an impossible address: %s",
    (address) => {
      const reason = `source is an address, a port, or both with a colon, which ${address} is not`;
      expect(errorIn(`source in {::/0, 10.0.0.1:65535, ${address}}`, vocabulary)).toEqual({ reason, at: address });
    },
  );

  it.each(["2026-02-30", "2027-02-29", "2026-04-31T10:00", "2026-11-20T24:30", "2026-13-01"])(
    "may be an impossible time: %s",
    (time) => {
      const reason = `there is no such time as ${time}`;
      expect(errorIn(`timeSent > ${time}`, new Vocabulary(dissectors))).toEqual({ reason, at: time });
    },
  );

  it.each([
    ...['message == "Delivery_7"', 'message == "Unheard"', 'message != "Box7"', 'protocol == "toy.srvToLog"'],
    ...[
      'message contains "Delivry"',
      'direction contains "2"',
      'transport matches "^T"',
      "answers.milliseconds == 1.5",
    ],
    ...[
      'source == "[2001:db8::1]:80"',
      "source == 10.0.0.0/8",
      "number < 1.5",
      'notes == "odd"',
      "conversation.player == 5",
    ],
  ])("is not one that some message might have: %s", (expression) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason: "", at: "" });
  });

  it("is not a text in which an address might be searched for", () => {
    for (const text of ['< "128."', '>= "[2001"', 'contains "300."', "== 10.0.0.1", "== ::ffff:10.0.0.1", "== 80"]) {
      expect(errorIn(`source ${text}`, vocabulary)).toEqual({ reason: "", at: "" });
    }
  });

  it("is not a leap day, or the end of a day", () => {
    for (const time of ["2028-02-29", "2000-02-29T23:59:59.9-12:00", "2026-12-31T24:00"]) {
      expect(errorIn(`time > ${time} and timeSent > ${time}`, new Vocabulary(dissectors))).toEqual({
        reason: "",
        at: "",
      });
    }
  });
});

describe("a path into an SDL record", () => {
  const names = new Vocabulary(dissectors);
  const settings = given("STATEDESC Door { VERSION 1 VAR BYTE doorOpen[1] VAR BYTE lightOn[1] }");
  const bytes = Buffer.from(blob("Door", 1, "0000 06", "02 00 00 01 00 00 00 00")).toString("hex");
  const message = messageOf(sdlBlob, bytes, {}, { settings });

  it("may name variables", () => {
    expect(message.status).toBe("ok");
    expect(passes("record.doorOpen", message, names)).toBe(true);
    expect(passes("record.doorOpen.values == 1", message, names)).toBe(true);
    expect(passes("record.doorOpen.values == 0", message, names)).toBe(false);
    expect(passes("record.lightOn.values == 0", message, names)).toBe(true);
    expect(passes("record.doorOpen == 1", message, names)).toBe(true);
    expect(passes("record.doorOpen != 1", message, names)).toBe(false);
    expect(passes("record.lightOn < 1", message, names)).toBe(true);
    expect(passes("record.simpleVariables.lightOn.values != 1", message, names)).toBe(true);
    expect(passes("record.windowOpen", message, names)).toBe(false);
    expect(passes("record.name == doorOpen and plStateDataRecord", message, names)).toBe(
      passes("record.name == doorOpen", message, names) && passes("record.plStateDataRecord", message, names),
    );
  });

  it("need not list its names", () => {
    expect(errorIn("record.anything.at.all == 1", names).reason).toBe("");
    expect(errorIn("doorOpen == 1", names).reason).toMatch(
      /; one that a capture or a definition file names is written named\.doorOpen or record\.doorOpen$/,
    );
    expect(errorIn("recrod.doorOpen", names).reason).toMatch(
      /^there is no field, class or message recrod; did you mean record/,
    );
  });
});

describe("the list of fields", () => {
  it("contains only usable paths", () => {
    const names = new Vocabulary(dissectors);
    const paths = dissectors
      .flatMap(({ types }) => [...types.values()])
      .flatMap(({ descriptor }) =>
        descriptor.struct === undefined ? [] : [...fieldFacts(descriptor.struct)].map(({ path }) => path),
      );
    expect(paths.length).toBeGreaterThan(1000);
    for (const path of new Set(paths)) expect(() => resolvePath(parsePath(path), names, path), path).not.toThrow();
  });
});

describe("text", () => {
  it("is compared in every language", () => {
    const Word = struct("Word", { text: text(13) });
    const message = messageOf(Word, Buffer.from("Шора 📖").toString("hex"));
    expect(passes('text == "Шора 📖"', message, vocabularyOf(Word))).toBe(true);
    expect(passes('text matches "^ШОРА .$"', message, vocabularyOf(Word))).toBe(true);
  });
});
