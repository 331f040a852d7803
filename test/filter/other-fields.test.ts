import { describe, expect, it } from "vitest";
import { compileFilter, Vocabulary } from "../../src/filter/index.js";
import { dissectors } from "../../src/index.js";
import { bytes, enumeration, reference, struct, u8 } from "../../src/schema/index.js";
import { u32 } from "../../src/schema/little-endian.js";
import { errorIn, messageOf, vocabularyOf } from "./support/messages.js";

/** Fields are compared with values only: the name of another field in place of a value is a mistake. */

const vocabulary = new Vocabulary(dissectors);

const REFUSED = "is a field, and fields are not compared with each other";

function quoted(name: string): string {
  return `${REFUSED}; a text has quotes: "${name}"`;
}

describe("the name of another field", () => {
  it.each([
    ["playerId == nodeId", "nodeId"],
    ["playerId == playerId", "playerId"],
    ["nodeId == childNodeId", "childNodeId"],
    ["notificationType == playerId", "playerId"],
    ["objectName == classIndex", "classIndex"],
    ["objectName contains senderName", "senderName"],
    ["objectName in {senderName, playerId}", "senderName"],
    ["playerId in {5 .. nodeId}", "nodeId"],
    ["source == destination", "destination"],
    ["objectName == plNotifyMsg.sender.objectName", "plNotifyMsg.sender.objectName"],
    ["objectName == .length", ".length"],
    ["objectName == answers.milliseconds", "answers.milliseconds"],
    ["record.doorOpen == record.lightOn", "record.lightOn"],
    ["record.doorOpen == nodeId", "nodeId"],
    ["fileData[0:2] == buffer", "buffer"],
  ])("%s", (expression, name) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason: `${name} ${quoted(name)}`, at: name });
  });

  it.each([
    ["number == answers", "answers"],
    ["status == direction", "direction"],
    ["direction == time", "time"],
    ["nonNull == flags", "flags"],
  ])("which cannot be meant for a text: %s", (expression, name) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason: `${name} ${REFUSED}`, at: name });
  });

  it.each([
    'objectName == "classIndex"',
    "message == size or class == size",
    "protocol == moul.auth",
    "notes.path == buffer",
    "objectName == Male and playerId == Alice",
    "objectName == Male.record",
    "record.name == doorOpen",
  ])("may be something else: %s", (expression) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason: "", at: "" });
  });

  it("may be that of a value, or hexadecimal digits", () => {
    const names = { red: 1, colour: 2 };
    const type = struct("Whole", { colour: enumeration(u8, names), red: reference(u32, "paint"), face: bytes(2) });
    const message = messageOf(type, "02 05000000 face");
    const passes = (expression: string) => compileFilter(expression, vocabularyOf(type))(message);
    expect(passes("colour == colour and face == face and not colour == red")).toBe(true);
    expect(errorIn("red == colour", vocabularyOf(type)).reason).toBe(`colour ${quoted("colour")}`);
  });
});
