import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkedFile, unpacked } from "../../src/state/checked-file.js";
import type { TransferredFile } from "../../src/state/transfers.js";

const MOST = 1_000_000;
const CONTENT = Buffer.from("what was said in D'ni ".repeat(500));
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex").toUpperCase();

function file(bytes: Uint8Array, listed: Partial<TransferredFile["listed"]> = {}): TransferredFile {
  const at = { number: 1, origin: { frame: 1, seconds: 0, nanoseconds: 0 }, stream: 0 };
  const list = {
    ...{ kind: "listed-file" as const, name: "a.txt", transferName: "a.txt.gz", size: CONTENT.length },
    ...{ transferSize: bytes.length, hash: md5(CONTENT), transferHash: md5(bytes), isPacked: true, ...listed },
  };
  return { name: "a.txt.gz", at, size: bytes.length, bytes, isWhole: true, error: undefined, listed: list };
}

describe("a file that was transferred", () => {
  it("is unpacked if the list says so, under the name that it has there", () => {
    const { content, ...rest } = checkedFile(file(gzipSync(CONTENT)), MOST);
    expect(rest).toEqual({ name: "a.txt", state: "whole, as listed, unpacked", isUnpacked: true });
    expect(Buffer.from(content).equals(CONTENT)).toBe(true);
  });

  it("may consist of several members, and end in zeros", () => {
    const members = Buffer.concat([gzipSync(CONTENT.subarray(0, 100)), gzipSync(CONTENT.subarray(100))]);
    expect(Buffer.from(unpacked(members, MOST) ?? []).equals(CONTENT)).toBe(true);
    expect(unpacked(Buffer.concat([members, Buffer.alloc(9)]), MOST)?.length).toBe(CONTENT.length);
  });

  it("is as it was sent where it is not what the list says", () => {
    const packed = gzipSync(CONTENT);
    const stateOf = (one: TransferredFile) => checkedFile(one, MOST).state;
    expect(stateOf(file(packed, { transferHash: md5(CONTENT) }))).toBe("not what the list says: the MD5 differs");
    expect(stateOf(file(packed, { hash: md5(packed) }))).toBe("unpacked; not what the list says: the MD5 differs");
    expect(stateOf(file(CONTENT))).toBe("whole, as listed; it cannot be unpacked");
    expect(stateOf(file(packed.subarray(0, 30)))).toBe("whole, as listed; it cannot be unpacked");
    expect(stateOf(file(packed, { size: CONTENT.length - 1 }))).toBe("whole, as listed; it cannot be unpacked");
    expect(stateOf({ ...file(packed), listed: undefined })).toBe("whole; no list has it");
    expect(stateOf({ ...file(packed), error: "kNetErrFileNotFound" })).toBe("refused: kNetErrFileNotFound");
    expect(stateOf({ ...file(packed), isWhole: false, size: 9999 })).toMatch(/^incomplete: \d+ of 9999 bytes$/);
  });

  it("becomes no longer than it may, however much it claims to be", () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    expect(checkedFile(file(bomb, { size: 0xffffffff }), MOST).state).toBe("whole, as listed; it cannot be unpacked");
    expect(unpacked(bomb, MOST)).toBeUndefined();
  });
});
