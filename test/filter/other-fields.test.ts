import { describe, expect, it } from "vitest";
import { compileFilter, Vocabulary } from "../../src/filter/index.js";
import { dissectors } from "../../src/index.js";
import { bytes, enumeration, reference, struct, u8 } from "../../src/schema/index.js";
import { u32 } from "../../src/schema/words/little-endian.js";
import { errorIn, messageOf, vocabularyOf } from "./support/messages.js";

/** Fields are compared with values only: the name of another field in place of a value is a mistake. */

const vocabulary = new Vocabulary(dissectors);

function refusal(name: string): string {
  return `${name} is a field, and fields are not compared with each other; a text has quotes: "${name}"`;
}

describe("the name of another field", () => {
  it.each([
    ["playerId == nodeId", "nodeId"],
    ["playerId == playerId", "playerId"],
    ["nodeId == childNodeId", "childNodeId"],
    ["objectName == classIndex", "classIndex"],
    ["objectName contains senderName", "senderName"],
    ["objectName in {senderName, playerId}", "senderName"],
    ["playerId in {5 .. nodeId}", "nodeId"],
    ["objectName == plNotifyMsg.sender.objectName", "plNotifyMsg.sender.objectName"],
    ["objectName == .length", ".length"],
    ["objectName == answers.milliseconds", "answers.milliseconds"],
    ["record.doorOpen == record.lightOn", "record.lightOn"],
    ["record.doorOpen == nodeId", "nodeId"],
  ])("%s", (expression, name) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason: refusal(name), at: name });
  });

  it.each([
    ["notificationType == playerId", "it has kActivator"],
    ["source == destination", "an address, a port, or both"],
    ["fileData[0:2] == buffer", "bytes (01:02:ff) or a text in quotes"],
    ["number == answers", "number is a number"],
    ["status == direction", "it is ok, malformed, truncated, unknown or encrypted"],
    ["protocol == status", "did you mean moul.status"],
  ])("is reported like any other value where only some can occur: %s", (expression, possible) => {
    expect(errorIn(expression, vocabulary).reason).toContain(possible);
  });

  it.each([
    'objectName == "classIndex"',
    "message == size or class == size",
    "protocol == moul.auth",
    "notes.path == buffer",
    "objectName == Male and playerId == Alice",
    "objectName == Male.record",
    "callsign == red",
    "record.name == doorOpen",
  ])("may be something else: %s", (expression) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason: "", at: "" });
  });

  it("may be that of a value, or hexadecimal digits", () => {
    const names = { red: 1, mainColour: 2 };
    const type = struct("Whole", { mainColour: enumeration(u8, names), red: reference(u32, "paint"), face: bytes(2) });
    const message = messageOf(type, "02 05000000 face");
    const passes = (expression: string) => compileFilter(expression, vocabularyOf(type))(message);
    expect(passes("mainColour == mainColour and face == face and not mainColour == red")).toBe(true);
    expect(errorIn("red == mainColour", vocabularyOf(type)).reason).toBe(refusal("mainColour"));
  });
});
