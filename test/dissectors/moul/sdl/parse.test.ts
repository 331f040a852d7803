import { describe, expect, it } from "vitest";
import { remarkText } from "../../../../dissectors/moul/keys/key-material.js";
import { Remarks } from "../../../../dissectors/moul/keys/remarks.js";
import { parseSdl } from "../../../../dissectors/moul/sdl/parse.js";
import {
  type StateDescriptor,
  type StateVariable,
  typeText,
} from "../../../../dissectors/moul/sdl/state-descriptor.js";

/** A variable in its shortest declaration. */
function short({ name, type, length, defaultValue }: StateVariable): string {
  return `${typeText(type)} ${name}[${length ?? ""}]${defaultValue === undefined ? "" : ` = ${defaultValue}`}`;
}

function parse(text: string): { descriptors: Record<string, string[]>; remarks: string[] } {
  const remarks = new Remarks("x.sdl");
  const found: StateDescriptor[] = parseSdl(text.split("\n"), remarks);
  return {
    descriptors: Object.fromEntries(
      found.map(({ name, version, variables }) => [`${name} ${version}`, variables.map(short)]),
    ),
    remarks: remarks.list().map(remarkText),
  };
}

/** The variables of one descriptor with these lines in it, which must be valid. */
function variables(lines: string): string[] | undefined {
  const { descriptors, remarks } = parse(`STATEDESC D { VERSION 1\n${lines}\n}`);
  expect(remarks).toEqual([]);
  return descriptors["D 1"];
}

describe("state descriptors", () => {
  it("include all versions of all blocks of a file", () => {
    const text = `
# A file as they usually are
STATEDESC Age
{
    VERSION 1
    VAR BOOL isOpen[1] DEFAULT=false DEFAULTOPTION=VAULT
}

STATEDESC Age
{
    VERSION 2
    VAR BOOL  isOpen[1]  DEFAULT=false  DEFAULTOPTION=VAULT   # as before
    VAR INT   scores[3]  DEFAULT=0      DISPLAYOPTION=hidden DISPLAYOPTION=red
}
STATEDESC Other { VERSION 0 }
STATEDESC Other { VERSION 12 VAR $Age ages[] }`;
    expect(parse(text)).toEqual({
      descriptors: {
        "Age 1": ["BOOL isOpen[1] = false"],
        "Age 2": ["BOOL isOpen[1] = false", "INT scores[3] = 0"],
        "Other 0": [],
        "Other 12": ["$Age ages[]"],
      },
      remarks: [],
    });
  });

  it("may have variables of every type, in any letter case", () => {
    const names =
      "INT FLOAT BOOL STRING32 PLKEY CREATABLE DOUBLE TIME BYTE SHORT AGETIMEOFDAY VECTOR3 POINT3 RGB RGBA QUATERNION RGB8 RGBA8";
    for (const spelled of [names, names.toLowerCase()]) {
      const declared = spelled.split(" ").map((type) => `VAR ${type} v[1]`);
      expect(variables(declared.join("\n"))).toEqual(names.split(" ").map((type) => `${type} v[1]`));
    }
    expect(variables("VAR Message m[1]\nVAR quat q[1]\nVAR $Nested n[2]")).toEqual([
      "CREATABLE m[1]",
      "QUATERNION q[1]",
      "$Nested n[2]",
    ]);
  });

  it.each([
    ["DEFAULT=5", "INT", "5"],
    ["DEFAULT = -5 ;", "INT", "-5"],
    ["DEFAULT 5", "INT", "5"],
    ["DEFAULT=(5)", "INT", "5"],
    ["DEFAULT=nil", "PLKEY", "nil"],
    ["DEFAULT=empty", "STRING32", "empty"],
    ['DEFAULT=""', "STRING32", '""'],
    ['DEFAULT="two words # and a hash"', "STRING32", '"two words # and a hash"'],
    ["DEFAULT=0.5e-3", "FLOAT", "0.5e-3"],
    ["DEFAULT=(0,0,1)", "POINT3", "(0, 0, 1)"],
    ["DEFAULT=( 0.0, -5 , 12.34 )", "VECTOR3", "(0.0, -5, 12.34)"],
    ["DEFAULT=0,0,1", "RGB", "(0, 0, 1)"],
    ["DEFAULT=0 0 1", "RGB8", "(0, 0, 1)"],
    ["DEFAULT=(0,0,0,1", "QUATERNION", "(0, 0, 0, 1)"],
    ["DEFAULT=1,1,1,1)", "RGBA", "(1, 1, 1, 1)"],
    ["DISPLAYOPTION=hidden DEFAULT=7", "BYTE", "7"],
    ["DEFAULTOPTION=vault DEFAULT=7 DISPLAYOPTION=red", "BYTE", "7"],
    ["INTERNAL DEFAULT=7 PHASED", "SHORT", "7"],
    ["default=7 internal defaultoption=Hidden", "SHORT", "7"],
  ])("with %s have a default value", (attributes, type, value) => {
    // The next declaration must not be swallowed.
    expect(variables(`VAR ${type} v[1] ${attributes}\nVAR BOOL next[1]`)).toEqual([
      `${type} v[1] = ${value}`,
      "BOOL next[1]",
    ]);
  });

  it.each(["DEFAULT=", "DEFAULT=()", ";", ""])("with %s have none", (attributes) => {
    expect(variables(`VAR INT v[1] ${attributes}\nVAR BOOL next[1]`)).toEqual(["INT v[1]", "BOOL next[1]"]);
  });

  it("may be written with any spaces and line breaks", () => {
    const text =
      "\t STATEDESC Age{VERSION 3;VAR INT a[1]VAR\tINT\n\nb\n[ 2 ]DEFAULT=1;;VAR INT c[]#end\n};STATEDESC B{VERSION 1}";
    expect(parse(text)).toEqual({
      descriptors: { "Age 3": ["INT a[1]", "INT b[2] = 1", "INT c[]"], "B 1": [] },
      remarks: [],
    });
  });

  it("may have keywords in any letter case, and names that look like keywords", () => {
    expect(parse("statedesc Default { Version 4 var INT version[1] VAR Int default[2] }")).toEqual({
      descriptors: { "Default 4": ["INT version[1]", "INT default[2]"] },
      remarks: [],
    });
  });

  it("may omit VAR, as clients accept that", () => {
    expect(variables("VAR INT a[1]\nBOOL b[1] DEFAULT=true\n$Nested c[]")).toEqual([
      "INT a[1]",
      "BOOL b[1] = true",
      "$Nested c[]",
    ]);
  });

  it("may have arrays of variable length if the length is not a number, as in clients", () => {
    expect(variables("VAR INT a[0]\nVAR INT b[x]\nVAR INT c[ ]\nVAR INT d[2.5]")).toEqual([
      "INT a[]",
      "INT b[]",
      "INT c[]",
      "INT d[2]",
    ]);
  });

  it("need not have their VERSION first", () => {
    expect(parse("STATEDESC A { VAR INT a[1] VERSION 9 }").descriptors).toEqual({ "A 9": ["INT a[1]"] });
  });
});

describe("mistakes", () => {
  it.each([
    ["VAR INT a", ["A 1"], ["x.sdl, line 3: a has no [ ] and is taken for an array of any length"]],
    ["VAR INT a[1", ["A 1"], ["x.sdl, line 3: a has no ]"]],
    ["VAR INT a[1] DISPLAYOPTION", ["A 1"], ["x.sdl, line 3: DISPLAYOPTION has no value"]],
    ["VAR INT a[1] COLOR=red", ["A 1"], ["x.sdl, line 3: COLOR is not understood here"]],
    ["INT a", ["A 1"], ["x.sdl, line 3: INT is not understood here"]],
    [
      "VAR INTEGER a[1]",
      [],
      ["x.sdl, line 3: INTEGER is not a variable type", "x.sdl, line 2: A version 1 is left out"],
    ],
    ["VAR $ a[1]", [], ["x.sdl, line 3: $ is not a variable type", "x.sdl, line 2: A version 1 is left out"]],
    ["VAR INT [1]", [], ["x.sdl, line 3: the variable has no name", "x.sdl, line 2: A version 1 is left out"]],
    ["VAR INT a[-1]", [], ["x.sdl, line 3: a cannot have -1 elements", "x.sdl, line 2: A version 1 is left out"]],
    [
      "VAR INT a[3000000000]",
      [],
      ["x.sdl, line 3: a cannot have 3000000000 elements", "x.sdl, line 2: A version 1 is left out"],
    ],
  ])("in %s are reported with their line", (line, found, remarks) => {
    const parsed = parse(
      `STATEDESC Before { VERSION 1 VAR INT a[1] }\nSTATEDESC A { VERSION 1\n${line}\nVAR BOOL b[1]\n}\nSTATEDESC After { VERSION 2 }`,
    );
    expect(Object.keys(parsed.descriptors)).toEqual(["Before 1", ...found, "After 2"]);
    expect(parsed.remarks).toEqual(remarks);
    if (found.length > 0) expect(parsed.descriptors["A 1"]?.at(-1)).toBe("BOOL b[1]");
  });

  it.each([
    ["STATEDESC A { VAR INT a[1] }", ["x.sdl, line 1: A has no VERSION and is left out"]],
    ["STATEDESC A { VERSION\nVAR INT a[1] }", ["x.sdl, line 1: A has no VERSION and is left out"]],
    ["STATEDESC { VERSION 1 }", ["x.sdl, line 1: STATEDESC has no name"]],
    ["STATEDESC A { VERSION 1 VAR }", ["x.sdl, line 1: VAR has no type", "x.sdl, line 1: A version 1 is left out"]],
    ["VAR INT a[1]\n}", ["x.sdl, line 1: VAR is not understood here", "x.sdl, line 2: } is not understood here"]],
    [
      "STATEDESC",
      [
        "x.sdl, line 1: STATEDESC has no name",
        "x.sdl, line 1: { is missing after STATEDESC",
        "x.sdl, line 1: the STATEDESC that begins here has no } at its end",
      ],
    ],
  ])("skip %s, but not what follows", (text, remarks) => {
    expect(parse(text)).toEqual({ descriptors: {}, remarks });
    expect(Object.keys(parse(`${text}\nSTATEDESC Next { VERSION 1 }`).descriptors)).toEqual(["Next 1"]);
  });

  it("about braces are forgiven", () => {
    expect(parse("STATEDESC A VERSION 1 VAR INT a[1]\nSTATEDESC B\n{ VERSION 2 VAR INT b[1]")).toEqual({
      descriptors: { "A 1": ["INT a[1]"], "B 2": ["INT b[1]"] },
      remarks: [
        "x.sdl, line 1: { is missing after STATEDESC",
        "x.sdl, line 1: the STATEDESC that begins here has no } at its end",
        "x.sdl, line 2: the STATEDESC that begins here has no } at its end",
      ],
    });
  });

  it("without end are not all listed", () => {
    const { remarks } = parse("STATEDESC A { VERSION 1 VAR X y[1] }\n".repeat(100));
    expect(remarks.length).toBeLessThan(30);
    expect(remarks.at(-1)).toMatch(/more remarks are left out$/);
  });
});
