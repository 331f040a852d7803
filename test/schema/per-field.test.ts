import { describe, expect, it } from "vitest";
import { Field } from "../../src/schema/language/field.js";
import { PerField } from "../../src/schema/tree/per-field.js";
import { u8 } from "../../src/schema/words/numbers.js";
import * as copy from "../support/another-copy.js";

describe("what a reader keeps for each field", () => {
  it("is made once, and is of that field although one of another copy of the language has the same number", () => {
    expect(copy.Field).not.toBe(Field);
    const own = Array.from({ length: 3000 }, (_, index) => new Field(`own${index}`, u8.descriptor));
    const others = own.map(({ id }, index) => {
      let other = new copy.Field(`other${index}`, u8.descriptor);
      while (other.id < id) other = new copy.Field(`other${index}`, u8.descriptor);
      return other;
    });
    expect(others.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    let made = 0;
    const names = new PerField((field) => {
      made++;
      return { text: `${field.name}=` };
    });
    const all = own.flatMap((field, index) => [others[index] ?? field, field]);
    for (let turn = 0; turn < 2; turn++) {
      expect(all.map((field) => names.of(field).text)).toEqual(all.map(({ name }) => `${name}=`));
    }
    expect(made).toBe(all.length);
  });
});
