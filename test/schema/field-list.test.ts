import { describe, expect, it } from "vitest";
import { fieldFacts } from "../../src/schema/field-list.js";
import { array, rest, struct } from "../../src/schema/index.js";
import { u32 } from "../../src/schema/little-endian.js";

describe("the list of fields", () => {
  it("tells what an array tells, whether it is said of the array or of its elements", () => {
    const { row } = struct("Friends", {
      asElements: array(u32.sensitive("ki-number"), 2),
      asArray: array(u32, 2).sensitive("token"),
      harmless: array(u32, rest),
    });
    const facts = row.struct === undefined ? [] : [...fieldFacts(row.struct)];
    expect(facts.map(({ path, sensitive }) => [path, sensitive])).toEqual([
      ["asElements", ["ki-number"]],
      ["asArray", ["token"]],
      ["harmless", undefined],
    ]);
  });
});
