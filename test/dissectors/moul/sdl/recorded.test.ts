import { describe, expect, it } from "vitest";
import { plCreatable } from "../../../../dissectors/moul/creatables.js";
import { polymorphic } from "../../../../src/schema/index.js";
import type { FieldTree } from "../../../../src/schema/language/field-tree.js";
import { labelOf } from "../../../../src/schema/tree/label.js";
import { checkClass, decodeWhole } from "../../../support/check.js";
import { recordsOf } from "../../../support/truth.js";
import { given } from "./given.js";

/** What can be inferred about some of the recorded states from their bytes and the names of their descriptors. */
const descriptors = given(`
  STATEDESC xStateToggler  { VERSION 1 VAR INT enabled[1] }
  STATEDESC avatarPhysical { VERSION 1 VAR POINT3 position[1] VAR FLOAT rotation[1] VAR PLKEY world[1] }
  STATEDESC physical
  {
    VERSION 2
    VAR POINT3 position[1] VAR QUATERNION orientation[1] VAR VECTOR3 linear[1] VAR VECTOR3 angular[1] VAR PLKEY world[1]
  }
  STATEDESC item     { VERSION 1 VAR PLKEY key[1] VAR RGB8 tint[1] VAR RGB8 secondTint[1] }
  STATEDESC look     { VERSION 1 VAR RGB8 skin[1] VAR BYTE blends[] }
  STATEDESC clothing { VERSION 4 VAR $item items[] VAR $look look[1] VAR PLKEY linkInAnim[1] }
`);

const SUPPLIED = /\b(?:xStateToggler|avatarPhysical|physical|clothing)$/;

const creatable = polymorphic(plCreatable);

function statesIn(file: string): Uint8Array[] {
  return recordsOf<{ prop?: { class_name: string; payload: string } }>(file).flatMap(({ prop }) =>
    prop?.class_name.startsWith("plNetMsgSDLState") ? Buffer.from(prop.payload, "hex") : [],
  );
}

function labelsNamed(nodes: FieldTree, start: string): string[] {
  return Array.from({ length: nodes.count }, (_, node) => labelOf(nodes, node) ?? "").filter((label) =>
    label.startsWith(start),
  );
}

describe.each(["dirtsand-plain", "dirtsand-session", "nagus-plain", "nagus-session"])("states in %s", (file) => {
  const states = statesIn(file).map((bytes) => {
    const nodes = decodeWhole(creatable, bytes, descriptors);
    const blob = nodes.child(nodes.child(0, "stream"), "data");
    return { bytes, nodes, name: String(nodes.value(nodes.child(blob, "descriptorName"))) };
  });
  const supplied = states.filter(({ name }) => SUPPLIED.test(name));
  const labels = (start: string) => new Set(supplied.flatMap(({ nodes }) => labelsNamed(nodes, start)));

  it("are read to the last byte if their descriptor is known", () => {
    expect(supplied.length).toBeGreaterThan(15);
    for (const { bytes } of supplied) expect(checkClass(creatable, bytes, descriptors).outcome).toBe("ok");
  });

  it("say what is missing if it is not", () => {
    const others = states.filter((state) => !supplied.includes(state));
    expect(others.length).toBeGreaterThan(3);
    for (const { nodes } of others) {
      expect(nodes.notes.map(({ text }) => text)).toEqual([
        "SDL descriptor Neighborhood version 35 was not supplied; give its .sdl file with --sdl",
      ]);
    }
  });

  it("have the values that the client set", () => {
    expect(labels("INT enabled")).toContain("INT enabled = 1");
    expect(labels("POINT3 position")).toContain("POINT3 position = (0.5, 2, 3.5)");
    expect(labels("POINT3 position")).toContain("POINT3 position = (10.5, -3.25, 0.125)");
    expect(labels("VECTOR3 linear")).toContain("VECTOR3 linear = (0.1, 0.2, 0.3)");
    expect(labels("PLKEY key")).toContain('PLKEY key = "03_MHAcc_SunGlasses"');
    expect(labels("$item items[]")).toContain("$item items[], 8 of 8 elements");
  });
});
