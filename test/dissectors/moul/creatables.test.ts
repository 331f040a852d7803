import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { plAgeLinkStruct } from "../../../dissectors/moul/common/plNetCommon/plAgeLinkStruct.js";
import { plClientGuid } from "../../../dissectors/moul/common/plNetCommon/plClientGuid.js";
import { plSpawnPointInfo } from "../../../dissectors/moul/common/plNetCommon/plSpawnPointInfo.js";
import { plGenericType } from "../../../dissectors/moul/common/values/plGenericType.js";
import { SafeWStringParts } from "../../../dissectors/moul/common/values/SafeWString.js";
import { plCreatable, proEventData } from "../../../dissectors/moul/creatables.js";
import { plArmatureBrain } from "../../../dissectors/moul/plArmatureBrain/plArmatureBrain.js";
import { plMessage } from "../../../dissectors/moul/plMessage/plMessage.js";
import { EventType } from "../../../dissectors/moul/proEventData/proEventData.js";
import { sdlBlob } from "../../../dissectors/moul/sdl/sdlBlob.js";
import { fieldJson } from "../../../src/output/json/field-json.js";
import { Decoder } from "../../../src/schema/decode/decode.js";
import { Extent } from "../../../src/schema/decode/window.js";
import { polymorphic, type Type } from "../../../src/schema/index.js";
import { viewOf } from "../../../src/schema/language/byte-source.js";
import { checkClass, decodeWhole, expectRoundTrip } from "../../support/check.js";
import { expectTiling } from "../../support/tiling.js";
import { wire } from "./messages/decoding.js";
import { given, json } from "./sdl/given.js";

const creatable = polymorphic(plCreatable);
const event = polymorphic(proEventData);

/** No sender, no receivers, no time stamp, no flags. */
const MESSAGE = "00 00000000 0000000000000000 00000000";
const FIVE = "0000a040";
const HALF = "0000003f";

/** The JSON form of bytes that make up exactly one value. */
function shown(type: Type<unknown>, ...parts: readonly string[]): unknown {
  return JSON.parse(fieldJson(checkClass(type, wire(...parts)), 0, 1));
}

it("every class of event is declared", () => {
  const types = [...proEventData.classes()].map((struct) => struct.tag);
  expect(types).toEqual(expect.arrayContaining(Object.values(EventType)));
});

describe("events that no vector contains", () => {
  it("proControlKeyEventData", () => {
    expect(shown(event, "03000000 feffffff 01")).toMatchObject({ type: "kControlKey", controlKey: -2, down: true });
  });

  it("proFacingEventData", () => {
    expect(shown(event, "05000000 00 00", HALF, "01")).toMatchObject({ dotProduct: 0.5, enabled: true });
  });
});

describe("an empty SafeWString on its own", () => {
  it.each([
    ["00f0", {}],
    ["00f0 0000", { terminator: 0 }],
  ])("may or may not end in a terminator: %s", (bytes, end) => {
    expect(shown(SafeWStringParts, bytes)).toEqual({ rawCount: 0xf000, characters: "", ...end, count: 0, string: "" });
  });
});

describe("messages that no vector contains", () => {
  it.each([
    ["plImpulseMsg", "a402"],
    ["plDampMsg", "a702"],
    ["plLinearVelocityMsg", "9b04"],
    ["plAngularVelocityMsg", "9c04"],
    ["plClimbEventMsg", "9804"],
    ["plAvatarMsg", "9702"],
    ["plResponderMsg", "0603"],
  ])("%s has no fields of its own", (name, index) => {
    expect(shown(creatable, index, MESSAGE)).toMatchObject({ class: name, broadcastFlags: [] });
  });

  it.each([
    ["plClientMsg", "8402"],
    ["plLoadClothingMsg", "a304"],
  ])("%s consists of its class index, wherever a message may occur", (name, index) => {
    const classIndex = viewOf(wire(index)).getUint16(0, true);
    expect(shown(creatable, index)).toEqual({ class: name, classIndex });
    expect(shown(polymorphic(plCreatable, plMessage), index)).toEqual({ class: name, classIndex });
    expect(decodeWhole(polymorphic(plCreatable, plMessage), wire(index)).notes).toEqual([]);
  });

  it("plMessageWithCallbacks, one of them null", () => {
    expect(shown(creatable, "8302", MESSAGE, "02000000 0080 9702", MESSAGE)).toMatchObject({
      class: "plMessageWithCallbacks",
      callbacks: [null, { class: "plAvatarMsg" }],
    });
  });

  it("plInputEventMsg", () => {
    expect(shown(creatable, "0b02", MESSAGE, "00000000")).toMatchObject({ event: "kConfigure" });
  });

  it("pfBackdoorMsg", () => {
    expect(shown(creatable, "6504", MESSAGE, "01f09e 00f0")).toMatchObject({ target: "a", string: "" });
  });

  it("plArmatureEffectStateMsg", () => {
    const message = { class: "plArmatureEffectStateMsg", surface: "kFootWoodBridge", addSurface: true };
    expect(shown(creatable, "9303", MESSAGE, "05 01")).toMatchObject(message);
  });

  it("plCCRBanLinkingMsg and plCCRSilencePlayerMsg", () => {
    expect(shown(creatable, "cf02", MESSAGE, "01")).toMatchObject({ class: "plCCRBanLinkingMsg", ban: true });
    expect(shown(creatable, "d002", MESSAGE, "00")).toMatchObject({ class: "plCCRSilencePlayerMsg", silence: false });
  });

  it("plCCRPetitionMsg", () => {
    const petition = shown(creatable, "8702", MESSAGE, "0500 48656c7021 0200 4869 05");
    expect(petition).toMatchObject({ class: "plCCRPetitionMsg", note: "Help!", title: "Hi", petitionType: "kStuck" });
  });

  it("plCCRInvisibleMsg", () => {
    expect(shown(creatable, "6902", MESSAGE, "00 05")).toMatchObject({ avatar: { nonNull: false }, level: 5 });
  });

  it("plAttachMsg", () => {
    const uoid = "00 21000100 0000 0100 07000000 01f09e";
    expect(shown(creatable, "5602", MESSAGE, "04", `01 ${uoid} 00`)).toMatchObject({
      class: "plAttachMsg",
      context: ["kOnRequest"],
      ref: { nonNull: true, uoid: { objectName: "a" } },
      oldRef: { nonNull: false },
    });
  });

  it("plRefMsg", () => {
    const uoid = "00 21000100 0000 0100 07000000 01f09e";
    expect(shown(creatable, "0302", MESSAGE, "10", "00", `01 ${uoid}`)).toMatchObject({
      class: "plRefMsg",
      context: ["kOnReplace"],
      ref: { nonNull: false },
      oldRef: { nonNull: true, uoid: { objectName: "a" } },
    });
  });

  it("plNetMsgServerToClient has only the header", () => {
    expect(shown(creatable, "b202 00100000 07000000")).toEqual({
      class: "plNetMsgServerToClient",
      classIndex: 0x02b2,
      flags: ["kHasPlayerID"],
      playerId: 7,
    });
  });

  it("plConsoleMsg", () => {
    const text = Buffer.from("Bob:shorah ");
    expect(shown(creatable, "f402", MESSAGE, "01000000 0b00", text.toString("hex"))).toMatchObject({
      class: "plConsoleMsg",
      command: "kAddLine",
      string: "Bob:shorah ",
    });
  });

  it("plOneShotMsg", () => {
    expect(shown(creatable, "0703", MESSAGE, "02000000 01f09e 00 feff 00f0 00 0700")).toMatchObject({
      class: "plOneShotMsg",
      callbacks: [
        { marker: "a", receiver: { nonNull: false }, user: -2 },
        { marker: "", user: 7 },
      ],
    });
  });

  it("plParticleUpdateMsg", () => {
    expect(shown(creatable, "0702", MESSAGE, "0a000000", HALF)).toMatchObject({
      parameterId: "kParamPartLifeMin",
      parameterValue: 0.5,
    });
  });
});

describe("tasks and brains that no vector contains", () => {
  it("plAvAnimTask", () => {
    const bytes = ["6b03 01f09e", HALF, FIVE, HALF, FIVE, "01 00 01"];
    expect(shown(creatable, ...bytes)).toEqual({
      class: "plAvAnimTask",
      classIndex: 0x036b,
      animationName: "a",
      initialBlend: 0.5,
      targetBlend: 5,
      fadeSpeed: 0.5,
      time: 5,
      start: true,
      loop: false,
      attach: true,
    });
  });

  it.each([
    ["plAvSeekTask", "6c03"],
    ["plAvOneShotTask", "6e03"],
    ["plAvTaskSeek", "9003"],
  ])("%s has no fields", (name, index) => {
    const classIndex = viewOf(wire(index)).getUint16(0, true);
    expect(shown(creatable, index)).toEqual({ class: name, classIndex });
  });

  it("a brain whose reserved part holds a key", () => {
    const reserved = "01000000 01 00 02000000 0000003f 0000000000000040";
    expect(shown(creatable, "5e03", reserved)).toEqual({
      class: "plAvBrainDrive",
      classIndex: 0x035e,
      reserved: reserved.replace(/ /g, ""),
    });
  });

  it.each([
    ["plAvBrainCritter", "5d03"],
    ["plAvBrainSwim", "2d04"],
    ["plAvBrainClimb", "5304"],
  ])("%s has only the reserved part", (name, index) => {
    const classIndex = viewOf(wire(index)).getUint16(0, true);
    const reserved = "00".repeat(21);
    expect(shown(polymorphic(plCreatable, plArmatureBrain), index, reserved)).toEqual({
      class: name,
      classIndex,
      reserved,
    });
  });

  it("plAvBrainRideAnimatedPhysical is a human one", () => {
    expect(shown(creatable, "9e04", "00".repeat(21), "01")).toMatchObject({ isActor: true });
  });
});

describe("structs that have an index of their own", () => {
  it("plAgeInfoStruct", () => {
    const uuid = "01000000 0200 0300 0405060708090a0b";
    expect(shown(creatable, "4803 55 0500 4e65786573", uuid, "07000000 02000000")).toMatchObject({
      class: "plAgeInfoStruct",
      flags: ["kHasAgeFilename", "kHasAgeInstanceGuid", "kHasAgeSequenceNumber", "kHasAgeLanguage"],
      ageFileName: "Nexes",
      ageInstanceUuid: "00000001-0002-0003-0405-060708090a0b",
      ageSequenceNumber: 7,
      ageLanguage: "kGerman",
    });
  });
});

describe("plNetMsgVoice", () => {
  const voice = (flags: string, frames: string, data: string) => {
    const length = Buffer.from([data.replace(/\s+/g, "").length / 2, 0]).toString("hex");
    return shown(creatable, "7902 00000000", flags, frames, length, data, "01 07000000");
  };

  it.each(["00", "02", "04", "06"])("with flags %s holds samples", (flags) => {
    expect(voice(flags, "00", "0102 0304")).toMatchObject({ voiceData: "01020304", receivers: [7] });
  });

  it.each(["01", "03", "09"])("with flags %s holds Speex frames", (flags) => {
    expect(voice(flags, "02", "01 aa 02 bbcc")).toMatchObject({
      voiceData: [
        { byteCount: 1, data: "aa" },
        { byteCount: 2, data: "bbcc" },
      ],
      receivers: [7],
    });
  });

  it.each(["05", "07", "0f"])("with flags %s holds an Opus packet", (flags) => {
    expect(voice(flags, "01", "00000000 aabbcc")).toMatchObject({
      voiceData: { ignored: 0, data: "aabbcc" },
      receivers: [7],
    });
  });

  it("may be empty", () => {
    const nothing = voice("05", "00", "");
    expect(nothing).not.toHaveProperty("voiceData");
    expect(nothing).toMatchObject({ voiceDataHex: "" });
  });

  it.each([
    ["keeps data too short for its frames as bytes", "02 0300 01 aa 05", "01aa05"],
    [
      "shows unused bytes after the frames",
      "02 0500 01 aa 01 bb cc",
      [{ byteCount: 1, data: "aa" }, { byteCount: 1, data: "bb" }, "cc"],
    ],
    ["shows bytes in place of unexpected frames", "00 0200 aa bb", ["aabb"]],
  ])("%s", (_, data, voiceData) => {
    const nodes = decodeWhole(creatable, wire("7902 00000000 01", data, "01 07000000"));
    expect(nodes.outcome).toBe("ok");
    expect(nodes.notes.map(({ severity }) => severity)).toEqual(["note"]);
    expectTiling(nodes);
    expectRoundTrip(creatable, nodes);
    expect(JSON.parse(fieldJson(nodes, 0, 1))).toMatchObject({ voiceData, receivers: [7] });
  });
});

describe("plNetMsgSDLState", () => {
  const HEADER = "cd02 00000000 00 21000000 0000 0100 00000000 00f0";
  const BLOB = "008005f0ba928f8b8601000000060000";
  const compressed = `${BLOB.slice(0, 4)}${deflateSync(wire(BLOB.slice(4))).toString("hex")}`;
  const length = Buffer.from([compressed.length / 2]).toString("hex");

  it.each([
    ["uncompressed", "00000000 00 10000000", BLOB],
    ["compressed", `10000000 02 ${length}000000`, compressed],
  ])("explains all bytes of its state, which travels %s", (_, lengths, data) => {
    const nodes = checkClass(creatable, wire(HEADER, lengths, data, "000100"), given("STATEDESC Empty { VERSION 1 }"));
    expect(json(nodes)).toMatchObject({ stream: { decodedLength: 16, data: { blobHex: BLOB } } });
  });
});

describe("plLinkingMgrMsg", () => {
  const items = "0100 0000 8c03 00 2a000000";
  const expected = {
    itemCount: 1,
    items: [{ id: 0, item: { class: "plCreatableGenericValue", value: { data: 42 } } }],
  };

  it("carries its arguments as they are", () => {
    expect(shown(creatable, "4b03", MESSAGE, "01000000 03000000 01 00 0b000000", items)).toMatchObject({
      contentFlags: { bitVector: [3], bits: ["kLinkingMgrCmd", "kLinkingMgrArgs"] },
      command: "kLinkPlayerHere",
      arguments: { flags: [], length: 11, data: expected },
    });
  });

  it("carries its arguments compressed", () => {
    const compressed = deflateSync(wire(items)).toString("hex");
    const length = Buffer.from([compressed.length / 2, 0, 0, 0]).toString("hex");
    const bytes = ["4b03", MESSAGE, "01000000 02000000 03 0b000000", length, compressed];
    expect(shown(creatable, ...bytes)).toMatchObject({ arguments: { data: expected } });
  });

  it("may have none of its flags set", () => {
    const decoded = shown(creatable, "4b03", MESSAGE, "00000000");
    expect(decoded).toMatchObject({ contentFlags: { bitVector: [], bits: [] } });
    expect(decoded).not.toHaveProperty("command");
  });
});

describe("an empty text of 16-bit characters, without and with a terminator", () => {
  function checked(bytes: readonly string[], writtenOtherwise: readonly string[]): unknown {
    return json(checkClass(creatable, wire(...bytes), undefined, writtenOtherwise));
  }

  it.each([
    ["00f0", []],
    ["00f0 0000", ["messageText"]],
  ])("%s in a pfKIMsg", (text, otherwise) => {
    const bytes = ["6403", MESSAGE, "00 00f0 63000000", text, "01 02 0000 00000000 07000000"];
    const value = { messageText: "", flags: ["kPrivateMsg"], channel: 2, value: 7 };
    expect(checked(bytes, otherwise)).toMatchObject(value);
  });

  it.each([
    ["00f0", "00"],
    ["00f0 0000", "00"],
    ["00f0", "01 00 21000000 0000 0100 00000000 00f0"],
    ["00f0 0000", "01 00 21000000 0000 0100 00000000 00f0"],
  ])("%s, followed by a key %s, in a plDynamicTextMsg", (text, key) => {
    const bytes = ["4003", MESSAGE, "0100", "00".repeat(12 + 32), text, key, "07000000 01000000 feff"];
    const value = { string: "", flags: 7, blockRgb: true, lineSpacing: -2 };
    expect(checked(bytes, text.endsWith("0000") ? ["string"] : [])).toMatchObject(value);
  });
});

describe("plClientGuid", () => {
  it("has its own field order", () => {
    const uuid = "78563412 bc9a f0de 1122 334455667788";
    expect(shown(plClientGuid, "fb07", uuid, "63000000 0200 4869 05 01 02 0100007f 3412 01 0100 6b")).toEqual({
      flags: [
        "kAccountUUID",
        "kPlayerID",
        "kCCRLevel",
        "kProtectedLogin",
        "kBuildType",
        "kPlayerName",
        "kSrcAddr",
        "kSrcPort",
        "kReserved",
        "kClientKey",
      ],
      accountUuid: "12345678-9abc-def0-1122-334455667788",
      playerId: 99,
      playerNameLength: 2,
      playerName: "Hi",
      ccrLevel: 5,
      protectedLogin: true,
      buildType: "kInternalRelease",
      sourceIpAddress: "127.0.0.1",
      sourcePort: 0x1234,
      reserved: true,
      clientKeyLength: 1,
      clientKey: "k",
    });
  });

  it("has a temporary player ID only without the other one", () => {
    expect(shown(plClientGuid, "0400 63000000")).toEqual({ flags: ["kTempPlayerID"], tempPlayerId: 99 });
    expect(shown(plClientGuid, "0600 63000000")).toMatchObject({ playerId: 99 });
  });
});

describe("plAgeLinkStruct", () => {
  it("has the outdated forms of a spawn point", () => {
    const spawnPoint = "01000000 02000000 0100 78";
    for (const flags of ["0400", "2400"]) {
      const decoded = shown(plAgeLinkStruct, flags, "0200 4869", spawnPoint);
      expect(decoded).toMatchObject({ spawnPointName: "Hi", spawnPoint: { name: "x" } });
    }
    expect(shown(plAgeLinkStruct, "2800 0200 4869 0100 78")).toMatchObject({
      oldSpawnPoint: { title: "Hi", name: "x" },
    });
  });

  it("has a spawn point about which nothing is known", () => {
    expect(shown(plAgeLinkStruct, "2000 00000000")).toMatchObject({ spawnPoint: { flags: { count: 0, bits: [] } } });
  });

  it("is not misled by the flags of a spawn point that was decoded before", () => {
    const decoder = new Decoder();
    for (const text of ["01000000 07000000 0000 0000 0000", "00000000"]) {
      const bytes = wire(text);
      const window = { bytes, view: viewOf(bytes), start: 0, end: bytes.length };
      decoder.decode(plSpawnPointInfo, window, Extent.Exact);
      expect(decoder.nodes.outcome).toBe("ok");
    }
  });

  it("has flags of more than one word", () => {
    expect(shown(plSpawnPointInfo, "02000000 02000000 01000000 0100 78")).toMatchObject({
      flags: { count: 2, bitVector: [2, 1], bits: ["kHasName", 32] },
      name: "x",
    });
  });
});

describe("plGenericType", () => {
  it.each([
    ["00 feffffff", -2],
    ["01 0000003f", 0.5],
    ["02 01", true],
    ["03 01f09e", "a"],
    ["04 61", 97],
    ["05 01f09e", "a"],
    ["06 feffffff", 4294967294],
    ["07 0000000000000040", 2],
    ["ff", undefined],
  ])("%s is %s", (bytes, data) => {
    expect(shown(plGenericType, bytes)).toMatchObject(data === undefined ? { type: "kNone" } : { data });
  });

  it("of an unknown type cannot be read any further", () => {
    expect(decodeWhole(plGenericType, wire("08 01020304")).outcome).toBe("unknown");
  });
});

it("an SDL blob in a form that clients reject remains bytes", () => {
  const nodes = decodeWhole(sdlBlob, wire("0100 010203"));
  expect(nodes.outcome).toBe("unknown");
  expect(nodes.child(0, "descriptorName")).toBe(-1);
});
