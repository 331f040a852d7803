import { describe, expect, it } from "vitest";
import { dissectors } from "../../src/pipeline/dissectors.js";
import { declarations } from "../../src/reference/declarations.js";
import { struct, u8 } from "../../src/schema/index.js";
import { equals } from "../../src/schema/language/condition.js";
import type { Field } from "../../src/schema/language/field.js";
import type { Struct } from "../../src/schema/language/struct.js";
import { checkStruct } from "../../src/schema/language/struct-check.js";

/** All structs of the built-in protocols. */
function builtIn(): ReadonlySet<Struct> {
  const found = new Set<Struct>();
  const visit = (struct: Struct) => {
    if (found.has(struct)) return;
    found.add(struct);
    for (const field of struct.fields) visitField(field);
  };
  const visitField = (field: Field) => {
    if (field.struct !== undefined) visit(field.struct);
    for (const one of field.family?.classes() ?? []) visit(one);
    for (const inner of field.within) visitField(inner);
  };
  const { messages, types } = declarations(dissectors);
  for (const message of messages) visit(message);
  for (const { descriptor } of types.values()) {
    if (descriptor.struct !== undefined) visit(descriptor.struct);
    for (const one of descriptor.family?.classes() ?? []) visit(one);
  }
  return found;
}

describe("the declarations of the built-in protocols", () => {
  const structs = [...builtIn()];

  it("are found", () => {
    const names = structs.map(({ name }) => name);
    expect(structs.length).toBeGreaterThan(400);
    expect(names).toEqual(expect.arrayContaining(["plUoid", "plNotifyMsg", "plNetMsgLoadClone", "MsgPlayerUpdate"]));
  });

  it("have no mistakes, which no run looks for", () => {
    for (const struct of structs) expect(() => checkStruct(struct), struct.name).not.toThrow();
  });

  it("are the only ones that are trusted", () => {
    expect(() => struct("S", { one: u8.when(equals("two", 1)) })).toThrow("S: two is not an earlier field");
  });
});
