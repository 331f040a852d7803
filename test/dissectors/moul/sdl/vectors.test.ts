import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plCreatable } from "../../../../dissectors/moul/creatables.js";
import { sdlBlob } from "../../../../dissectors/moul/sdl/sdlBlob.js";
import { polymorphic } from "../../../../src/schema/index.js";
import { checkClass } from "../../../support/check.js";
import { differences, named, vectorsIn } from "../../../support/vectors.js";
import { given } from "./given.js";

const descriptors = given(
  readFileSync(new URL("../../../vectors/descriptors.sdl", import.meta.url), "utf8"),
  "STATEDESC Empty { VERSION 1 }",
);

describe("SDL blobs that other implementations wrote", () => {
  const vectors = vectorsIn("sdl-blobs");

  it("are all present", () => {
    expect(vectors).toHaveLength(38);
  });

  it.each(named(vectors))("%s", (_, vector) => {
    const nodes = checkClass(sdlBlob, Buffer.from(vector.hex, "hex"), descriptors);
    expect(differences(nodes, 0, vector.fields)).toEqual([]);
    expect(nodes.outcome).toBe("ok");
  });
});

describe("SDL states that other implementations wrote", () => {
  // The filler in the excluded vector is not a blob.
  const states = vectorsIn("net-messages").filter(
    (vector) => vector.class.startsWith("plNetMsgSDLState") && vector.id !== "sdlstate-incompressible",
  );

  it.each(named(states))("%s", (_, vector) => {
    const nodes = checkClass(polymorphic(plCreatable), Buffer.from(vector.hex, "hex"), descriptors);
    expect(differences(nodes, 0, vector.fields)).toEqual([]);
    expect(nodes.outcome).toBe("ok");
  });
});
