import { expect, it } from "vitest";
import { copyBytes } from "../../src/common/copy-bytes.js";

it("copies as many bytes as it is told, wherever they begin", () => {
  const source = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
  for (let length = 0; length <= 13; length++) {
    const target = new Uint8Array(24);
    copyBytes(new DataView(source.buffer), 3, new DataView(target.buffer), 5, length);
    expect([...target]).toEqual([
      ...new Uint8Array(5),
      ...source.subarray(3, 3 + length),
      ...new Uint8Array(19 - length),
    ]);
  }
});
