import { describe, expect, it } from "vitest";

describe("bytes in expectations", () => {
  it("are equal where they are the same, at any depth", () => {
    const [one, other] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3)];
    expect({ nested: [one, Buffer.from(one)] }).toEqual({ nested: [other, Buffer.from(other)] });
  });

  it("are the same as before where they differ, in a byte, in length, or in kind", () => {
    expect(Uint8Array.of(1, 2)).not.toEqual(Uint8Array.of(1, 3));
    expect(Uint8Array.of(1, 2)).not.toEqual(Uint8Array.of(1, 2, 0));
    expect(Uint8Array.of(1, 2)).not.toEqual(Buffer.of(1, 2));
    expect([Uint8Array.of(1)]).not.toEqual([Uint8Array.of(2)]);
    expect(Uint8Array.of(1)).not.toEqual(Int8Array.of(1));
    expect(Uint8Array.of(1)).not.toEqual([1]);
  });
});
