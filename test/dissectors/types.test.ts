import { describe, expect, it } from "vitest";
import { dissectors } from "../../src/index.js";

describe.each(dissectors)("$name", ({ types, messages = new Map() }) => {
  it("lists every message that it declares among its types, under its name", () => {
    const names = new Map([...types].map(([name, { descriptor }]) => [descriptor.struct, name]));
    for (const { c2s, s2c } of messages.values()) {
      for (const { struct } of [...c2s, ...s2c])
        expect([struct.name, names.get(struct)?.includes(struct.name)]).toEqual([struct.name, true]);
    }
  });
});
