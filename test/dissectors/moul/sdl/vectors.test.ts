import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sdlBlob } from "../../../../dissectors/moul/common/sdlBlob.js";
import { plCreatable } from "../../../../dissectors/moul/creatables.js";
import { descriptorsIn, readSdlFile } from "../../../../dissectors/moul/sdl/descriptors.js";
import { polymorphic } from "../../../../src/schema/index.js";
import { checkClass, decodeWhole } from "../../../support/check.js";
import { differences, named, vectorsIn } from "../../../support/vectors.js";

const file = readFileSync(new URL("../../../vectors/descriptors.sdl", import.meta.url));
const descriptors = descriptorsIn([readSdlFile("descriptors.sdl", file, [])]);

describe("SDL blobs that other implementations wrote", () => {
  const vectors = vectorsIn("sdl-blobs");

  it("are all there", () => {
    expect(vectors).toHaveLength(38);
  });

  it.each(named(vectors))("%s", (_, vector) => {
    const nodes = checkClass(sdlBlob, Buffer.from(vector.hex, "hex"), descriptors);
    expect(differences(nodes, 0, vector.fields)).toEqual([]);
    expect(nodes.outcome).toBe("ok");
  });
});

describe("SDL states that other implementations wrote", () => {
  it.each(named(vectorsIn("net-messages").filter((vector) => vector.class.startsWith("plNetMsgSDLState"))))(
    "%s",
    (_, vector) => {
      const nodes = decodeWhole(polymorphic(plCreatable), Buffer.from(vector.hex, "hex"), descriptors);
      expect(differences(nodes, 0, vector.fields)).toEqual([]);
      console.log(vector.id, nodes.outcome, nodes.notes);
    },
  );
});
