import { describe, expect, it } from "vitest";
import { plCreatable } from "../../../dissectors/moul/creatables.js";
import { polymorphic } from "../../../src/schema/index.js";
import { checkClass, decodeWhole, expectRoundTrip } from "../../support/check.js";
import { expectTiling } from "../../support/tiling.js";
import { differences, named, type Vector, vectorsIn } from "../../support/vectors.js";

const creatable = polymorphic(plCreatable);

const isSdlState = (vector: Vector) => vector.class.startsWith("plNetMsgSDLState");

const messages = ["net-messages", "plasma-messages", "notify-events", "avatar-tasks-brains", "extra-messages"].flatMap(
  vectorsIn,
);

describe("messages that other implementations wrote", () => {
  it.each(named(messages.filter((vector) => !isSdlState(vector))))("%s", (_, vector) => {
    const nodes = checkClass(creatable, Buffer.from(vector.hex, "hex"));
    expect(differences(nodes, 0, vector.fields)).toEqual([]);
    expect(nodes.outcome).toBe("ok");
  });
});

// Only its descriptors show what is in a record.
describe("SDL states that other implementations wrote", () => {
  it.each(named(messages.filter(isSdlState)))("%s", (_, vector) => {
    const nodes = decodeWhole(creatable, Buffer.from(vector.hex, "hex"));
    expect(differences(nodes, 0, vector.fields)).toEqual([]);
    expect(nodes.outcome).toBe("unknown");
    expectTiling(nodes);
    expectRoundTrip(creatable, nodes);
  });
});
