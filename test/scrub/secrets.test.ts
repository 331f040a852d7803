import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressMap, fittedAddress } from "../../src/scrub/addresses.js";
import { secretParts, withParts } from "../../src/scrub/secret-parts.js";
import { Secrets } from "../../src/scrub/secrets.js";
import { anyText } from "../support/any-text.js";

const SALT = Buffer.from("a salt for tests");

function knowing(...names: readonly string[]): Secrets {
  const secrets = new Secrets(SALT);
  for (const name of names) secrets.gatherText("player-name", name);
  return secrets;
}

/** The bytes after every secret in them has been replaced. */
function without(secrets: Secrets, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  secrets.replaceIn(copy, 0, copy.length);
  return copy;
}

describe("the replacement of a text", () => {
  it("takes the same number of bytes in every encoding, and is another text", () => {
    fc.assert(
      fc.property(anyText({ minLength: 1 }), (text) => {
        const pseudonym = knowing().text("player-name", text);
        expect([...pseudonym].length).toBe([...text].length);
        expect(pseudonym.length).toBe(text.length);
        expect(Buffer.byteLength(pseudonym, "utf8")).toBe(Buffer.byteLength(text, "utf8"));
        expect(/^[\0-\xff]*$/.test(pseudonym)).toBe(/^[\0-\xff]*$/.test(text));
        expect(pseudonym.toLowerCase()).not.toBe(text.toLowerCase());
      }),
      { examples: ["\x7f", "\x80", "\xff", "\u0100", "\u07ff", "\u0800", "\uffff", "\u{10000}"].map((text) => [text]) },
    );
  });

  it("is the same for the same text in any letter case, and different for another text or another salt", () => {
    const secrets = knowing("Alice of D'ni", "Yeesha");
    const pseudonym = secrets.text("player-name", "Alice of D'ni");
    expect(secrets.text("account-name", "ALICE OF D'NI")).toBe(pseudonym);
    expect(secrets.text("player-name", "Alice of D'nj")).not.toBe(pseudonym);
    const other = new Secrets(Buffer.from("another salt"));
    expect(other.text("player-name", "Alice of D'ni")).not.toBe(pseudonym);
    const words = Array.from({ length: 3000 }, (_, index) => `word ${1000 + index}`);
    expect(new Set(words.map((word) => secrets.text("chat", word))).size).toBe(words.length);
  });

  it("is readable, if there is room for that", () => {
    expect(knowing().text("player-name", "Alice of D'ni")).toMatch(/^Player-[a-z0-9]{6}$/);
    expect(knowing().text("chat", "Shorah! How are you?")).toMatch(/^Chat-[a-z0-9]{8}\.+$/);
    expect(knowing().text("email", "alice@example.com")).toMatch(/^[a-z0-9]{5}@[a-z0-9]{7}\.[a-z0-9]{3}$/);
    expect(knowing().text("ip-address", "shard.example.org")).toMatch(/^[a-z0-9]{5}\.[a-z0-9]{7}\.[a-z0-9]{3}$/);
    expect(knowing().text("text", "20261120")).toMatch(/^[1-9]\d{7}$/);
    expect(knowing().text("player-name", "Alice, 1200")).toMatch(/^Player-[a-z0-9]{4}$/);
    expect(knowing().text("player-name", "Alice 1200")).toMatch(/^[a-z0-9]{10}$/);
  });

  it("does not reveal a secret by chance", () => {
    const secrets = knowing("Player", "Atrus of the Players");
    expect(secrets.text("player-name", "Atrus of the Players").toLowerCase()).not.toContain("player");
  });
});

describe("secrets in other bytes", () => {
  const name = "Zoë of D'ni";
  const secrets = knowing(name, "bob");
  const pseudonym = secrets.text("player-name", name);

  it.each(["utf8", "latin1", "utf16le"] as const)(
    "are replaced in %s, as they are and inverted bit by bit",
    (encoding) => {
      for (const form of [name, name.toUpperCase(), name.toLowerCase()]) {
        const bytes = Buffer.from(`<${form}'s Bevin>`, encoding);
        expect(without(secrets, bytes).toString(encoding)).toBe(`<${pseudonym}'s Bevin>`);
        const inverted = bytes.map((byte) => ~byte & 0xff);
        expect(Buffer.from(without(secrets, inverted).map((byte) => ~byte & 0xff)).toString(encoding)).toBe(
          `<${pseudonym}'s Bevin>`,
        );
      }
    },
  );

  it.each(["utf8", "latin1", "utf16le"] as const)("are replaced in %s in capitals that take more room", (encoding) => {
    for (const form of ["Straße", "STRASSE"]) {
      const shown = without(knowing("Straße"), Buffer.from(`<${form}'s Bevin>`, encoding)).toString(encoding);
      expect(shown).toHaveLength(`<${form}'s Bevin>`.length);
      expect(shown).toMatch(/^<.*'s Bevin>$/);
      expect(shown).not.toContain(form);
    }
  });

  it("remain if they are too short to be distinguished from chance, or are not words", () => {
    expect(without(secrets, Buffer.from("a bobbin")).toString()).toBe("a bobbin");
    const nothing = knowing("\0\0\0\0", "\r\n\r\n", " -- .", "0000");
    const bytes = Buffer.from("\0\0\0\0\0\0\0\0\xff\xff\xff\xff\r\n\r\n -- .. 10000", "latin1");
    expect(without(nothing, bytes)).toEqual(bytes);
    // The bytes of these letters without the high ones of UTF-16.
    expect(without(knowing("\u0141\u0142\u0143\u0144"), Buffer.from("ABCD")).toString()).toBe("ABCD");
    expect(without(nothing, Buffer.from("no. 0000!")).toString()).toMatch(/^no\. \d{4}!$/);
    expect(without(nothing, Buffer.from("no. 0000!")).toString()).not.toBe("no. 0000!");
  });

  it("are found as UUIDs, as bytes and in hexadecimal digits", () => {
    const own = new Secrets(SALT);
    const uuid = "01234567-89ab-cdef-0123-456789abcdef";
    own.gatherUuid(uuid);
    const token = Buffer.from("0102030405060708090a0b0c0d0e0f1011121314", "hex");
    own.gatherBytes(token);
    const before = [
      Buffer.from(uuid),
      Buffer.from(uuid.replaceAll("-", "").toUpperCase(), "utf16le"),
      Buffer.from("67452301ab89efcd0123456789abcdef", "hex"),
      Buffer.from("0123456789abcdef0123456789abcdef", "hex"),
      token,
      Buffer.from(token.toString("hex")),
    ];
    const short = Buffer.from("0102030405060708", "hex");
    own.gatherBytes(short);
    for (const bytes of [...before, short]) expect(without(own, bytes)).not.toEqual(bytes);
    expect(without(own, Buffer.from(uuid)).toString()).toBe(own.uuid(uuid));
    expect(own.uuid(uuid)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("are found as numbers, but not within longer ones", () => {
    const own = new Secrets(SALT);
    own.gatherNumber(10124);
    const other = own.number(10124);
    expect(String(other)).toMatch(/^[1-9]\d{4}$/);
    expect(without(own, Buffer.from("KI 10124: 310124, 101240")).toString()).toBe(`KI ${other}: 310124, 101240`);
    const between = Buffer.from("3101240");
    expect(own.replaceIn(between, 1, 6)).toBe(1);
    expect(between.toString()).toBe(`3${other}0`);
    expect(own.text("text", "10124")).toBe(String(other));
    expect(own.number(0)).toBe(0);
  });

  it("that are almost empty are not searched for as bytes", () => {
    const own = new Secrets(SALT);
    own.gatherUuid("00000000-0000-0000-0000-000000000001");
    own.gatherBytes(new Uint8Array(4));
    const zeros = Buffer.from(`${"00".repeat(15)}01`, "hex");
    expect(without(own, zeros)).toEqual(zeros);
    expect(without(own, Buffer.from("#00000000")).toString()).toBe("#00000000");
  });
});

describe("numbers", () => {
  it("have one replacement each, which differs from all of them", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 30_000 }), { maxLength: 500 }), (numbers) => {
        const secrets = new Secrets(SALT);
        for (const number of numbers) secrets.gatherNumber(number);
        const pseudonyms = numbers.map((number) => secrets.number(number));
        expect(new Set([...pseudonyms, ...numbers]).size).toBe(2 * numbers.length);
      }),
    );
  });

  it("have one also where there are more of them than others with as many digits", () => {
    const secrets = new Secrets(SALT);
    const numbers = Array.from({ length: 6000 }, (_, index) => index + 1);
    for (const number of numbers) secrets.gatherNumber(number);
    const pseudonyms = numbers.map((number) => secrets.number(number));
    expect(new Set([...pseudonyms, ...numbers]).size).toBe(2 * numbers.length);
    const longer = numbers.find((number, index) => number > 1000 && (pseudonyms[index] ?? 0) > 9999);
    expect(without(secrets, Buffer.from(`KI ${longer}`)).toString()).toMatch(new RegExp(`^KI (?!${longer})\\d{4}$`));
  });
});

describe("addresses", () => {
  it("are replaced by addresses that belong to nobody, always the same for the same one", () => {
    const map = new AddressMap();
    const reals = Array.from({ length: 1000 }, (_, index) => `80.1.${index >> 8}.${index & 0xff}`);
    for (const real of reals) map.gather(real);
    const pseudonyms = reals.map((real) => map.of(real));
    expect(new Set(pseudonyms).size).toBe(1000);
    expect(
      pseudonyms.filter((pseudonym) => !/^(?:192\.0\.2|198\.51\.100|203\.0\.113|10\.\d+\.\d+)\.\d+$/.test(pseudonym)),
    ).toEqual([]);
    expect([0, 253, 254, 762].map((at) => pseudonyms[at])).toEqual([
      "192.0.2.1",
      "192.0.2.254",
      "198.51.100.1",
      "10.0.0.1",
    ]);
    expect(reals.map((real) => map.of(real))).toEqual(pseudonyms);
    expect(map.of("2a01:4f8::1")).toBe("2001:db8::1");
  });

  it("are never replaced by one that is in use", () => {
    const map = new AddressMap();
    for (const real of ["192.0.2.1", "192.0.2.2", "80.1.1.1"]) map.gather(real);
    expect(map.of("192.0.2.1")).toBe("192.0.2.3");
  });

  it("of groups and of nobody remain", () => {
    const map = new AddressMap();
    const addresses = ["0.0.0.0", "::", "255.255.255.255", "224.0.1.1", "ff02::1"];
    for (const address of addresses) map.gather(address);
    expect(map.real.size).toBe(0);
    expect(addresses.map((address) => map.of(address))).toEqual(addresses);
  });

  it.each([
    ["192.0.2.1", 9, "192.0.2.1"],
    ["192.0.2.1", 15, "192.000.002.001"],
    ["10.0.0.1", 15, "010.000.000.001"],
    ["192.0.2.17", 7, "0.0.0.0"],
    ["192.0.2.17", 11, "192.0.2.017"],
    ["2001:db8::1", 11, "2001:db8::1"],
    ["2001:db8::1", 12, "2001:db8::01"],
    ["2001:db8::1", 15, "2001:0db8::0001"],
    ["2001:db8::1f", 19, "2001:db8::0000:001f"],
    ["2001:db8::1", 39, "2001:0db8:0000:0000:0000:0000:0000:0001"],
    ["2001:db8::1", 7, "::0:000"],
    ["2001:db8::1", 3, "::0"],
  ])("%s in %i characters is %s", (address, length, text) => {
    expect(fittedAddress(address, length)).toBe(text);
  });
});

it.each(["2a01:4f8:c17:b8f::2", "2a01:4f8:c017:1b8f:5054:1eff:fe4a:c9d1", "fe80::1"])(
  "the address %s is replaced in text by one of the same length",
  (address) => {
    const secrets = new Secrets(SALT);
    secrets.addresses.gather(address);
    const shown = without(secrets, Buffer.from(`from ${address} port`)).toString();
    expect(shown).not.toContain(address);
    expect(shown.length).toBe(`from ${address} port`.length);
    expect(isIP(shown.split(" ")[1] ?? "")).toBe(isIP(address));
  },
);

describe("the secret part of a text", () => {
  const secret = (kind: Parameters<typeof secretParts>[0], text: string, isHttp: boolean) =>
    withParts(text, secretParts(kind, text, isHttp), (part) => `<${part.kind}>`);

  it.each([
    ["ip-address", "shard.example.org:14617", "<ip-address>:14617"],
    ["ip-address", "10.1.2.3", "<ip-address>"],
    ["ip-address", "2a01:4f8::1:80", "<ip-address>"],
    ["ip-address", "[2a01:4f8::1]:14617", "[<ip-address>]:14617"],
    ["ip-address", "[2a01:4f8::1]", "[<ip-address>]"],
    ["ip-address", "https://shard.example.org/~alice/", "https://<ip-address>"],
    ["machine", "Windows 11", "<machine>"],
    ["machine", "C:\\Users\\Alice\\uru.log", "<machine>"],
    ["machine", "KeyError: 'Alice'", "<machine>"],
    ["machine", "Content-Length: 12\r\n", "<machine>"],
    ["token", "/Tm90aGluZw==", "<token>"],
    ["token", "/Tm90?aGluZw==", "<token>"],
    ["chat", "Host: me", "<chat>"],
  ] as const)("%s: %j is %j", (kind, text, shown) => {
    expect(secret(kind, text, false)).toBe(shown);
  });

  it.each([
    ["machine", "Windows 11", "<machine>"],
    ["machine", "Host: shard.example.org:8080\r\n", "Host: <ip-address>:8080\r\n"],
    ["machine", "User-Agent: UruClient/1 (Windows 11)\r\n", "User-Agent: UruClient/1 <machine>\r\n"],
    ["machine", "Server: httpd/2 (Unix)\r\n", "Server: httpd/2 <machine>\r\n"],
    ["machine", "Content-Length: 12\r\nCookie: a=b\r\n", "Content-Length: 12\r\nCookie: <machine>\r\n"],
    ["machine", "X-Client-Address: 10.1.2.3\r\nAge: 7", "<machine>: <machine>\r\nAge: 7"],
    ["machine", "Date: Tue, 14 Nov 2023 22:13:20 GMT", "Date: Tue, 14 Nov 2023 22:13:20 GMT"],
    ["machine", "Date: today, says Alice", "Date: <machine>"],
    ["machine", "Content-Type: text/plain; charset=utf-8", "Content-Type: text/plain; charset=utf-8"],
    ["machine", "Content-Type: text/plain; name=alice", "Content-Type: <machine>"],
    ["machine", "Accept: alice/secret", "Accept: <machine>"],
    ["machine", "Connection: alice", "Connection: <machine>"],
    ["machine", "User-Agent: alice@example.org", "User-Agent: <machine>"],
    ["machine", "User-Agent: curl/8.4.0", "User-Agent: curl/8.4.0"],
    ["text", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK"],
    ["text", "HTTP/1.1 404 NOT FOUND", "HTTP/1.1 404 NOT FOUND"],
    ["text", "HTTP/1.1 403 Alice is banned", "HTTP/1.1 403 <text>"],
    ["text", "GET /alice/secret?a=b HTTP/1.1", "GET <text> HTTP/1.1"],
    ["machine", "Date: today\rsecret\r\n", "<machine>"],
    ["token", "/list?name=alice&password=secret", "/list?<token>"],
    ["token", "/list;id=secret?name=alice", "/list;<token>"],
    ["token", "/list#secret", "/list#<token>"],
    ["token", "/list\rsecret", "<token>"],
    ["token", "GET /list secret HTTP/1.0", "<token>"],
    ["token", "/list", "/list"],
    ["token", "GET /status HTTP/1.0", "GET /status HTTP/1.0"],
    ["token", "GET /status?name=alice&word=a b HTTP/1.0", "GET /status?<token> HTTP/1.0"],
    ["token", "GET http://alice@example.org/", "<token>"],
  ] as const)("%s of HTTP: %j is %j", (kind, text, shown) => {
    expect(secret(kind, text, true)).toBe(shown);
  });
});
