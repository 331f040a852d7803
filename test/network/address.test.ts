import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpointText, IpAddress, normalAddress } from "../../src/network/address.js";
import { addressBytes, numbers } from "../support/packets.js";
import { expectSame } from "../support/same.js";

function addressText(bytes: Uint8Array): string {
  const address = new IpAddress();
  if (bytes.length === 4) address.readIpv4(bytes, 0);
  else address.readIpv6(bytes, 0);
  return address.toString();
}

describe("the text of an address", () => {
  test.each(["0.0.0.0", "127.0.0.1", "255.255.255.255", "192.168.10.1"])("is dotted: %s", (text) => {
    expect(addressText(addressBytes(text))).toBe(text);
  });

  // The examples of RFC 5952, section 4.
  test.each([
    ["2001:0db8:0000:0000:0000:0000:0002:0001", "2001:db8::2:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:DB8:0:0:0:0:0:A", "2001:db8::a"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["fe80:0:0:0:0:0:0:0", "fe80::"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
  ])("is the short form of %s", (long, short) => {
    expect(addressText(addressBytes(long))).toBe(short);
  });

  test("shows an IPv4-mapped address as such", () => {
    const mapped = numbers([4, 0], [4, 0], [4, 0xffff], [4, 0xc0000201]);
    expect(addressText(mapped)).toBe("::ffff:192.0.2.1");
  });

  test("is taken from any form that Node.js takes for an address, and from no other", () => {
    const part = fc.constantFrom(
      "0",
      "00",
      "ff",
      "1234",
      "12345",
      "g",
      ":",
      "::",
      "1.2.3.4",
      "01.2.3",
      "256",
      ".",
      "%1",
      "]",
      "",
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(part, fc.constant(":")), { maxLength: 16 }).map((parts) => parts.join("")),
        (text) => {
          const isOne = isIPv4(text) || (isIPv6(text) && !text.includes("%"));
          expectSame(normalAddress(text) !== undefined, isOne);
        },
      ),
      { numRuns: 2000 },
    );
    for (const text of [
      "1.2.3.4",
      "255.255.255.255",
      "1.2.3",
      "1.2.3.4.5",
      "1.2.3.04",
      "1:2:3:4:5:6:7:8",
      "::ffff:1.2.3.4",
    ]) {
      expect(normalAddress(text) !== undefined, text).toBe(isIPv4(text) || isIPv6(text));
    }
  });

  test("has brackets before a port if it needs them", () => {
    expect(endpointText({ address: "::1", port: 14617 })).toBe("[::1]:14617");
    expect(endpointText({ address: "127.0.0.1", port: 14617 })).toBe("127.0.0.1:14617");
  });
});
