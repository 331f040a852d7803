import { expect, it } from "vitest";
import { SafeString } from "../../../dissectors/moul/common/values/SafeString.js";
import { safeWString } from "../../../dissectors/moul/common/values/SafeWString.js";
import { netString } from "../../../dissectors/moul/messages/message.js";
import { encode } from "../../../src/schema/encode/encode.js";
import { decode } from "../../schema/support/decoding.js";

it.each([
  ["SafeString", SafeString, 4095],
  ["SafeWString", safeWString({ followedBy: 0 }), 4095],
  ["string of a message", netString, 65_535],
])("a %s is as long as its count can say, and no longer", (_name, type, longest) => {
  const text = "x".repeat(longest);
  expect(decode(type, encode(type, text)).value).toBe(text);
  expect(() => encode(type, `${text}x`)).toThrow(/holds at most/);
});
