import { describe, expect, it } from "vitest";
import { plUoid } from "../../../../dissectors/moul/common/pnKeyedObject/plUoid.js";
import { sdlBlob } from "../../../../dissectors/moul/sdl/sdlBlob.js";
import "../../../../dissectors/moul/creatables.js";
import { fieldJson } from "../../../../src/output/json/field-json.js";
import { summaryText } from "../../../../src/output/text/summary-text.js";
import { Extent } from "../../../../src/schema/decode/window.js";
import { encode } from "../../../../src/schema/encode/encode.js";
import type { FieldTree } from "../../../../src/schema/language/field-tree.js";
import { labelOf } from "../../../../src/schema/tree/label.js";
import { checkClass, decodeWhole, expectRoundTrip } from "../../../support/check.js";
import { expectTiling } from "../../../support/tiling.js";
import { blob, given, json, notes } from "./given.js";

const text = (value: string) => Buffer.from(value).toString("hex");

/** All labels below a node that describe a variable, an element or a record. */
function labels(nodes: FieldTree): string[] {
  const found: string[] = [];
  for (let node = 1; node < nodes.count; node++) {
    const { struct } = nodes.field(node);
    const label = struct?.label === undefined ? undefined : labelOf(nodes, node);
    if (label !== undefined) found.push(label);
  }
  return found;
}

/** The JSON form of a blob's record; the blob has to be valid in every respect. */
function record(descriptors: ReturnType<typeof given>, bytes: Uint8Array): unknown {
  const nodes = checkClass(sdlBlob, bytes, descriptors);
  expect(nodes.outcome).toBe("ok");
  return json(nodes, nodes.child(0, "record"));
}

/** Decodes an invalid blob, of which nothing may get lost. */
function broken(descriptors: unknown, bytes: Uint8Array): FieldTree {
  const nodes = decodeWhole(sdlBlob, bytes, descriptors);
  expectTiling(nodes);
  expectRoundTrip(sdlBlob, nodes, descriptors);
  return nodes;
}

describe("the summary of a record", () => {
  const descriptors = given(`
    STATEDESC Part { VERSION 1 VAR PLKEY item[1] }
    STATEDESC D { VERSION 1
      VAR INT number[1] VAR INT far[1] DEFAULT=7 VAR BOOL isOpen[1] VAR POINT3 place[1]
      VAR BYTE few[] VAR BYTE many[] VAR $Part part[1] }`);
  const summaryOf = (...hex: readonly string[]) => {
    const nodes = decodeWhole(sdlBlob, blob("D", 1, ...hex), descriptors);
    return summaryText({ name: "", nodes, notes: [], status: "ok", offset: 0, length: 0 });
  };

  it("says which values the variables have", () => {
    const place = "03 00 00 0000803f 00000040 00004040";
    const header = "0000 06 05 00 00 00 2a000000 01 00 08 02 00 08";
    expect(summaryOf(header, place, "04 00 00 02000000 0102", "00")).toBe(
      'descriptorName="D", number=42, far=7 (default), isOpen (default), place=(1, 2, 3), few=(1, 2)',
    );
    expect(summaryOf("0000 06 01 05 00 00 09000000 010203040506070809 00")).toBe('descriptorName="D", many=…');
    expect(summaryOf("0000 06 01 04 00 00 00000000 00")).toBe('descriptorName="D", few=()');
  });

  it("does not take a variable that is cut off for one with the default", () => {
    const cut = ["0000 06 01 01", "00 04 00"];
    expect(summaryOf(...cut)).toBe('descriptorName="D", far=…');
    const nodes = decodeWhole(sdlBlob, blob("D", 1, ...cut), descriptors);
    expect(labels(nodes).at(-1)).toBe("INT far");
  });

  it.each([
    ["few=…", "BYTE few[]", "0000 06 02 00 00 00 2a000000 04 00 00 02000000 01"],
    ["place=…", "POINT3 place", "0000 06 02 00 00 00 2a000000 03 00 00 0000803f 00000040"],
  ])("does not take what there is of an array for all of it: %s", (fact, label, hex) => {
    const nodes = decodeWhole(sdlBlob, blob("D", 1, hex), descriptors, Extent.Cut);
    expect(nodes.outcome).toBe("truncated");
    expect(summaryText({ name: "", nodes, notes: [], status: "truncated", offset: 0, length: 0 })).toBe(
      `descriptorName="D", number=42, ${fact}`,
    );
    expect(labels(nodes).at(-1)).toBe(label);
  });

  it("names objects after the variable of the innermost record", () => {
    const location = { sequenceNumber: 0, flags: 0 };
    const key = encode(plUoid, { flags: 0, location, classIndex: 1, objectId: 1, objectName: "Hat" });
    const hat = Buffer.from(key).toString("hex");
    expect(summaryOf("0000 06 00 01 00 00 01", "0000 06 01 00 00", hat, "00")).toBe('descriptorName="D", item="Hat"');
  });
});

describe("a record", () => {
  const descriptors = given(`STATEDESC D { VERSION 1
    VAR INT a[1] DEFAULT=7   VAR STRING32 s[2]   VAR BYTE list[]   VAR PLKEY key[1] }`);

  it("with all variables has no indices", () => {
    const bytes = blob(
      "D",
      1,
      "0100 06 04",
      "00 10 2a000000",
      `00 00 ${text("one").padEnd(64, "0")}${text("two").padEnd(64, "0")}`,
    );
    const whole = Buffer.concat([bytes, Buffer.from("0010 02000000 0102 0008 00".replaceAll(" ", ""), "hex")]);
    expect(record(descriptors, whole)).toEqual({
      flags: ["kVolatile"],
      ioVersion: 6,
      simpleVariableCount: 4,
      simpleVariables: [
        { variableFlags: [], flags: ["kHasDirtyFlag"], values: [42], index: 0, name: "a", type: "INT" },
        { variableFlags: [], flags: [], values: ["one", "two"], index: 1, name: "s", type: "STRING32" },
        {
          variableFlags: [],
          flags: ["kHasDirtyFlag"],
          arrayLength: 2,
          values: [1, 2],
          index: 2,
          name: "list",
          type: "BYTE",
        },
        { variableFlags: [], flags: ["kSameAsDefault"], index: 3, name: "key", type: "PLKEY" },
      ],
      nestedVariableCount: 0,
      nestedVariables: [],
      simpleIndicesPresent: false,
      nestedIndicesPresent: false,
    });
    expect(labels(decodeWhole(sdlBlob, whole, descriptors))).toEqual([
      "D version 1, 4 of 4 variables",
      "INT a = 42",
      'STRING32 s[2] = "one", "two"',
      "BYTE list[] = 1, 2",
      "PLKEY key (default)",
    ]);
  });

  it("with some variables has their indices", () => {
    const bytes = blob("D", 1, "0000 06 02", "02 02 00 01f097 24 00f15365 05000000 00000000", "00 00 08", "00");
    expect(record(descriptors, bytes)).toMatchObject({
      simpleIndicesPresent: true,
      simpleVariables: [
        {
          index: 2,
          name: "list",
          variableFlags: ["kHasNotificationInfo"],
          notificationInfo: { flags: 0, hint: "h" },
          flags: ["kHasTimeStamp", "kWantTimeStamp"],
          timestamp: "2023-11-14T22:13:20.000005Z",
          arrayLength: 0,
          values: [],
        },
        { index: 0, name: "a", flags: ["kSameAsDefault"] },
      ],
    });
    const nodes = decodeWhole(sdlBlob, bytes, descriptors);
    expect(labels(nodes).slice(1)).toEqual(["BYTE list[]", "INT a = 7 (default)"]);
    expect(fieldJson(nodes, 0).match(/"index":\d/g)).toEqual(['"index":2', '"index":0']);
  });

  it("shows the elements of an array beside its name unless there are many", () => {
    const array = given("STATEDESC A { VERSION 1 VAR BYTE list[] }");
    const labelOfList = (elements: string) => labels(decodeWhole(sdlBlob, blob("A", 1, elements), array)).at(-1);
    expect(labelOfList("0000 06 01 00 10 08000000 0102030405060708 00")).toBe("BYTE list[] = 1, 2, 3, 4, 5, 6, 7, 8");
    expect(labelOfList("0000 06 01 00 10 09000000 010203040506070809 00")).toBe("BYTE list[]");
  });

  it("without variables says so", () => {
    expect(record(descriptors, blob("D", 1, "0000 06 00 00"))).toMatchObject({
      simpleVariables: [],
      simpleIndicesPresent: true,
    });
  });

  it("in a form that clients do not read remains bytes", () => {
    const nodes = broken(descriptors, blob("D", 1, "0000 05 04 0010"));
    expect(nodes.outcome).toBe("unknown");
    expect(json(nodes, nodes.child(0, "record"))).toEqual({ flags: [], ioVersion: 5, rejected: "040010" });
  });

  it("is named in the summary of bytes that end early", () => {
    const nodes = broken(descriptors, blob("D", 1, "0000 06"));
    expect(nodes.outcome).toBe("malformed");
    expect(labelOf(nodes, nodes.child(0, "record"))).toBe("D version 1");
  });
});

describe("values", () => {
  it("of all simple types are read", () => {
    const descriptors =
      given(`STATEDESC D { VERSION 1 VAR FLOAT f[1] VAR DOUBLE d[1] VAR TIME t[1] VAR AGETIMEOFDAY o[2]
      VAR POINT3 p[1] VAR QUATERNION q[1] VAR RGBA8 c[2] VAR BOOL b[1] VAR SHORT s[1] }`);
    const bytes = blob(
      "D",
      1,
      "0000 06 09",
      "0000 cdcccc3d",
      "0000 0000000000000440",
      "0000 0100000002000000",
      "0000",
      "0000 0000803f 00000040 00004040",
      "0000 00000000 00000000 00000000 0000803f",
      "0000 01020304 05060708",
      "0000 01",
      "0000 feff",
      "00",
    );
    expect(record(descriptors, bytes)).toMatchObject({
      simpleVariables: [
        { values: [Math.fround(0.1)] },
        { values: [2.5] },
        { values: ["1970-01-01T00:00:01.000002Z"] },
        { values: [null, null] },
        { values: [[1, 2, 3]] },
        { values: [[0, 0, 0, 1]] },
        {
          values: [
            [1, 2, 3, 4],
            [5, 6, 7, 8],
          ],
        },
        { values: [true] },
        { values: [-2] },
      ],
    });
    expect(labels(decodeWhole(sdlBlob, bytes, descriptors)).slice(1)).toEqual([
      "FLOAT f = 0.1",
      "DOUBLE d = 2.5",
      "TIME t = 1970-01-01T00:00:01.000002Z",
      "AGETIMEOFDAY o[2]",
      "POINT3 p = (1, 2, 3)",
      "QUATERNION q = (0, 0, 0, 1)",
      "RGBA8 c[2] = (1, 2, 3, 4), (5, 6, 7, 8)",
      "BOOL b = true",
      "SHORT s = -2",
    ]);
  });

  it("that are creatables are read as their class, within their length", () => {
    const descriptors = given("STATEDESC D { VERSION 1 VAR CREATABLE c[3] }");
    // pfMarkerMsg is 0x045a; the content of 0x0001, plSceneObject, is not declared.
    const message = "00 00000000 00000000 00000000 00000000 00000000 00".replaceAll(" ", "");
    const size = (hex: string) => Buffer.from([hex.length / 2, 0, 0, 0]).toString("hex");
    const bytes = blob(
      "D",
      1,
      "0000 06 01 0000",
      "0080",
      `5a04 ${size(message)} ${message}`,
      "0100 02000000 abcd",
      "00",
    );
    const nodes = broken(descriptors, bytes);
    expect(json(nodes, nodes.child(0, "record"))).toMatchObject({
      simpleVariables: [
        {
          values: [
            { classIndex: 0x8000 },
            { classIndex: 0x045a, bufferLength: message.length / 2, class: "pfMarkerMsg" },
            { classIndex: 1, bufferLength: 2, buffer: "abcd", class: "plSceneObject" },
          ],
        },
      ],
    });
  });

  it("in a list that clients reject for its length are read, with a remark", () => {
    const descriptors = given("STATEDESC D { VERSION 1 VAR BYTE b[] }");
    const bytes = blob("D", 1, "0000 06 01 0000 0f270000", "00".repeat(9999), "00");
    const nodes = checkClass(sdlBlob, bytes, descriptors);
    const [length] = [...Array(nodes.count).keys()].filter((node) => nodes.field(node).name === "arrayLength");
    expect(labelOf(nodes, length ?? -1)).toBe("more than clients accept");
  });
});

describe("nested records", () => {
  it("have the version that was the newest when their outer one was declared, even if it is declared again", () => {
    const file = `STATEDESC N { VERSION 1 VAR INT i[1] }
      STATEDESC A { VERSION 1 VAR $N n[1] }
      STATEDESC N { VERSION 2 VAR INT i[1] VAR INT j[1] }
      STATEDESC A { VERSION 2 VAR $N n[1] }`;
    const older = blob("A", 1, "0000 06 00 01", "00 00 01 0000 06 01 0000 05000000 00");
    const newer = blob("A", 2, "0000 06 00 01", "00 00 01 0000 06 02 0000 05000000 0000 06000000 00");
    const once = [older, newer].map((bytes) => record(given(file), bytes));
    expect(once.map((found) => JSON.stringify(found).match(/"values":\[\d\]/g))).toEqual([
      ['"values":[5]'],
      ['"values":[5]', '"values":[6]'],
    ]);
    expect([older, newer].map((bytes) => record(given(file, file), bytes))).toEqual(once);
  });

  const descriptors = given(`STATEDESC Leaf { VERSION 1 VAR BYTE old[1] }
    STATEDESC Leaf { VERSION 3 VAR SHORT a[1] }
    STATEDESC Top { VERSION 1 VAR BYTE b[1] VAR $leaf three[3] VAR $Leaf many[] }`);
  const leaf = (value: string) => `0000 06 01 0000 ${value} 00`;

  it("beyond the end of the array are read, with a remark", () => {
    const three = `00 00 02 03 ${leaf("0100")} 02 ${leaf("0200")}`;
    const many = (length: string) => `00 00 ${length}000000 02 01 ${leaf("0400")} 05 ${leaf("0500")}`;
    const shown = (bytes: Uint8Array) =>
      labels(checkClass(sdlBlob, bytes, descriptors)).filter((label) => label.startsWith("$"));
    expect(shown(blob("Top", 1, "0000 06 00 02", three, many("05")))).toEqual([
      "$leaf three[3], 2 of 3 elements; clients reject element 3",
      "$Leaf many[], 2 of 5 elements; clients reject element 5",
    ]);
    expect(shown(blob("Top", 1, "0000 06 00 01 01", many("06")))).toEqual(["$Leaf many[], 2 of 6 elements"]);
    const one = given("STATEDESC Leaf { VERSION 1 VAR SHORT a[1] } STATEDESC Top { VERSION 1 VAR $Leaf one[1] }");
    const bytes = blob("Top", 1, "0000 06 00 01", `00 00 02 00 ${leaf("0100")} 01 ${leaf("0200")}`);
    expect(labels(checkClass(sdlBlob, bytes, one))).toContain("$Leaf one; clients reject element 1");
  });

  it("have the newest version", () => {
    const bytes = blob(
      "Top",
      1,
      "0000 06 00 02",
      `00 00 03 ${leaf("0100")} ${leaf("0200")} ${leaf("0300")}`,
      `00 00 01000000 01 ${leaf("0400")}`,
    );
    expect(record(descriptors, bytes)).toMatchObject({
      nestedVariableCount: 2,
      nestedIndicesPresent: false,
      nestedVariables: [
        {
          index: 0,
          name: "three",
          type: "$leaf",
          elementCount: 3,
          indicesPresent: false,
          elements: [0, 1, 2].map((index) => ({
            index,
            record: { simpleVariables: [{ name: "a", values: [index + 1] }] },
          })),
        },
        {
          index: 1,
          name: "many",
          type: "$Leaf",
          arrayLength: 1,
          elementCount: 1,
          indicesPresent: false,
          elements: [{ index: 0 }],
        },
      ],
    });
    expect(labels(decodeWhole(sdlBlob, bytes, descriptors)).filter((label) => label.startsWith("$"))).toEqual([
      "$leaf three[3], 3 of 3 elements",
      "$Leaf many[], 1 of 1 element",
    ]);
  });

  it("are preceded by their index if some are missing", () => {
    const bytes = blob(
      "Top",
      1,
      "0000 06 00 02",
      `00 00 02 02 ${leaf("0100")} 00 ${leaf("0200")}`,
      `00 00 00010000 01 ff ${leaf("0400")}`,
    );
    expect(record(descriptors, bytes)).toMatchObject({
      nestedVariables: [
        { elementCount: 2, indicesPresent: true, elements: [{ index: 2 }, { index: 0 }] },
        { arrayLength: 256, elementCount: 1, indicesPresent: true, elements: [{ index: 255 }] },
      ],
    });
  });

  it("have indices as wide as the array length requires", () => {
    const wide = given(
      "STATEDESC L { VERSION 1 } STATEDESC T { VERSION 1 VAR $L a[256] VAR $L b[70000] VAR $L c[255] }",
    );
    const empty = "0000 06 00 00";
    const bytes = blob(
      "T",
      1,
      "0000 06 00 03",
      `00 00 0100 ff00 ${empty}`,
      `00 00 01000000 6f110100 ${empty}`,
      `00 00 01 fe ${empty}`,
    );
    expect(record(wide, bytes)).toMatchObject({
      nestedVariables: [
        { elements: [{ index: 255 }] },
        { elements: [{ index: 69999 }] },
        { elements: [{ index: 254 }] },
      ],
    });
  });

  it("may be of a descriptor that is declared later", () => {
    const later = given("STATEDESC Top { VERSION 1 VAR $Leaf x[1] }", "STATEDESC Leaf { VERSION 2 VAR SHORT a[1] }");
    expect(record(later, blob("Top", 1, "0000 06 00 01 0000 01 0000 06 01 0000 0500 00"))).toMatchObject({
      nestedVariableCount: 1,
    });
  });

  it("may be of their own descriptor", () => {
    const self = given("STATEDESC Self { VERSION 4 VAR BYTE depth[1] VAR $Self more[] }");
    const nest = (depth: number): string =>
      `0000 06 01 0000 0${depth} ${depth === 5 ? "01 0000 00000000 00" : `01 0000 01000000 01 ${nest(depth + 1)}`}`;
    const found = record(self, blob("Self", 4, nest(0)));
    expect(JSON.stringify(found).match(/"name":"depth"/g)).toHaveLength(6);
  });

  it("are cut off beyond the greatest possible depth", () => {
    const self = given("STATEDESC Self { VERSION 4 VAR $Self more[1] }");
    const nodes = broken(self, blob("Self", 4, "0000 06 00 01 0000 01".repeat(1000)));
    expect(nodes.outcome).toBe("malformed");
    expect(notes(nodes).join()).toMatch(/deeper than \d+ levels/);
  });

  it("of an undeclared descriptor end the record", () => {
    const part = given("STATEDESC Top { VERSION 1 VAR BYTE a[1] VAR $Leaf x[1] VAR $Leaf y[1] }");
    const nodes = broken(part, blob("Top", 1, "0000 06 01 0000 05 02 0000 01 0000 06 00 00"));
    expect(nodes.outcome).toBe("unknown");
    expect(notes(nodes)).toEqual([
      "record.nestedVariables[0].elements[0].record: SDL descriptor Leaf, which Top version 1 nests, was not supplied; give its .sdl file with --sdl",
    ]);
  });
});

describe("descriptors with many variables", () => {
  it.each([
    [255, "02", "fd"],
    [256, "0200", "fd00"],
    [300, "0200", "fd00"],
  ])("%i have indices as wide as required", (count, two, index) => {
    const variables = Array.from({ length: count }, (_, number) => `VAR BYTE v${number}[1]`).join("\n");
    const many = given(`STATEDESC Many { VERSION 1 ${variables} }`);
    const bytes = blob(
      "Many",
      1,
      "0000 06",
      two,
      `${index} 0000 11`,
      `${"00".padEnd(index.length, "0")} 0000 22`,
      "00".padEnd(two.length, "0"),
    );
    expect(record(many, bytes)).toMatchObject({
      simpleVariableCount: 2,
      simpleVariables: [
        { index: 253, name: "v253", values: [0x11] },
        { index: 0, name: "v0", values: [0x22] },
      ],
    });
  });
});

describe("a record whose descriptor", () => {
  const descriptors = given("STATEDESC D { VERSION 1 VAR INT a[1] VAR INT b[1] }");

  it.each([
    ["is missing", descriptors, "Neighborhood", 35],
    ["has another version", descriptors, "D", 2],
    ["is missing, as are all", undefined, "Neighborhood", 35],
  ])("%s is opaque, with a remark", (_, settings, name, version) => {
    const nodes = broken(settings, blob(name, version, "0000 06 00 00"));
    expect(nodes.outcome).toBe("unknown");
    expect(notes(nodes)).toEqual([
      `record: SDL descriptor ${name} version ${version} was not supplied; give its .sdl file with --sdl`,
    ]);
    expect(json(nodes)).toMatchObject({ record: "0000060000" });
  });

  it.each([
    [
      "has fewer variables",
      "0000 06 03 00 0000 01000000 01 0000 02000000 02 0000 03000000 00",
      "index 2 is not one of the 2 simple variables of D version 1",
    ],
    ["has shorter ones", "0000 06 02 0000 0100 0000 0200 00", "hint needs 2 bytes"],
    ["nests others", "0000 06 00 01 00 0000 01", "index 0 is not one of the 0 nested variables of D version 1"],
    ["claims more than is left", "0000 06 ff 00", "simpleVariables needs 255 bytes (simpleVariableCount says so)"],
  ])("%s does not fit", (_, hex, why) => {
    const nodes = broken(descriptors, blob("D", 1, hex));
    expect(nodes.outcome).toBe("malformed");
    expect(notes(nodes).join()).toContain(why);
    expect(nodes.child(0, "descriptorName")).toBeGreaterThan(0);
  });

  it("has a version that needs all 16 bits is read", () => {
    const decoded = record(given("STATEDESC D { VERSION 40000 }"), blob("D", 40000 - 0x10000, "0000 06 00 00"));
    expect(decoded).toMatchObject({ ioVersion: 6, simpleVariables: [] });
  });
});
