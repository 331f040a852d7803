import { describe, expect, it } from "vitest";
import type { FileEvent } from "../../src/dissector/state-event.js";
import { defaultLimits } from "../../src/limits.js";
import { Transfers } from "../../src/state/transfers.js";

const at = { number: 1, origin: { frame: 1, seconds: 0, nanoseconds: 0 }, stream: 0 };

function part(bytes: readonly number[], fields: Partial<FileEvent> = {}): FileEvent {
  const whole = { transfer: "1", name: "dat/x", size: 6, offset: undefined };
  return { kind: "file", ...whole, bytes: Uint8Array.from(bytes), ...fields };
}

describe("a transfer", () => {
  it("is whole once all parts are there, in whatever order they say", () => {
    const one = new Transfers(defaultLimits);
    expect(one.take(part([1, 2, 3]), at)).toBeUndefined();
    expect(one.take(part([4, 5, 6]), at)).toMatchObject({ isWhole: true, bytes: Uint8Array.of(1, 2, 3, 4, 5, 6) });
    const other = new Transfers(defaultLimits);
    expect(other.take(part([1, 2], { offset: 0 }), at)).toBeUndefined();
    expect(other.take(part([3, 4], { offset: 2 }), at)).toBeUndefined();
    expect(other.take(part([5, 6], { offset: 4 }), at)).toMatchObject({ isWhole: true });
    expect([...other.open.values()]).toEqual([]);
  });

  it("is not whole if a part is missing, and then has what is before it", () => {
    const transfers = new Transfers(defaultLimits);
    transfers.take(part([1, 2], { offset: 0 }), at);
    expect(transfers.take(part([5, 6], { offset: 4 }), at)).toMatchObject({
      isWhole: false,
      bytes: Uint8Array.of(1, 2),
    });
    const open = new Transfers(defaultLimits);
    open.take(part([1]), at);
    expect([...open.open.values()]).toMatchObject([{ isWhole: false, bytes: Uint8Array.of(1) }]);
  });

  it("does not take memory for sizes and places that lie", () => {
    const transfers = new Transfers(defaultLimits);
    expect(transfers.take(part([1, 2], { size: 0xffffffff }), at)).toBeUndefined();
    const [rest] = transfers.open.values();
    expect(rest).toMatchObject({ isWhole: false, bytes: Uint8Array.of(1, 2) });
    // Looking at it does not end it.
    expect(transfers.open.size).toBe(1);
    const far = transfers.take(part([1], { transfer: "far", offset: 0xfffffff0, size: 10 }), at);
    expect(far).toMatchObject({ isWhole: false });
    expect(far?.bytes.length).toBe(0);
    expect(transfers.take(part([1, 2, 3], { transfer: "long", size: 1 }), at)).toMatchObject({ isWhole: false });
  });

  it("counts what parts and transfers take besides their bytes", () => {
    const parts = new Transfers({ transferBytes: 100_000 });
    for (let time = 0; time < 1000; time++) parts.take(part([]), at);
    expect(parts.givenUp).toBe(1);
    expect(parts.open.size).toBe(0);
    const many = new Transfers({ transferBytes: 100_000 });
    for (let time = 0; time < 1000; time++) many.take(part([1], { transfer: String(time) }), at);
    expect(many.open.size).toBeLessThan(100);
    // Transfers that have ended make room.
    const ended = new Transfers({ transferBytes: 100_000 });
    for (let time = 0; time < 1000; time++) {
      ended.take(part([1, 2, 3], { transfer: String(time) }), at);
      expect(ended.take(part([4, 5, 6], { transfer: String(time) }), at)).toMatchObject({ isWhole: true });
    }
    expect(ended.givenUp).toBe(0);
  });

  it("is found in the list of files under its name there, whatever separates folders", () => {
    const transfers = new Transfers(defaultLimits);
    const listed = { name: "dat\\x", transferName: "Dat\\X", size: 6, transferSize: 6, hash: "a", transferHash: "b" };
    transfers.listed({ kind: "listed-file", ...listed, isPacked: true });
    expect(transfers.take(part([1, 2, 3, 4, 5, 6]), at)?.listed).toMatchObject({ hash: "a" });
  });
});
