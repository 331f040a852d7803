import { describe, expect, it } from "vitest";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { bytesOf, sampleKeys } from "./samples.js";

function byteArray(first: number, length = 64): string {
  const bytes = Array.from({ length }, (_, index) => `0x${((first + index) & 255).toString(16).padStart(2, "0")}`);
  return bytes.join(", ").replace(/((?:0x..,\s*){8})/g, "$1\n\t");
}

function header(prefix: string, g: number | undefined, n = byteArray(1), x = byteArray(2)): string {
  const generator = g === undefined ? "" : `static const unsigned k${prefix}DhGValue = ${g};\n`;
  return `${generator}static const byte k${prefix}DhNData[] = {\n\t${n}\n};
COMPILER_ASSERT(sizeof(k${prefix}DhNData) == kNetDiffieHellmanKeyBits / 8);
static const byte k${prefix}DhXData[] = {\n\t${x}\n};\n`;
}

function parse(name: string, text: string): ReturnType<typeof parseKeyFile> {
  return parseKeyFile(name, bytesOf(text));
}

const NONE = "no keys in this file: missing are arrays of bytes, kDhNData[] = { ... } and kDhXData[] = { ... }";

function summary(name: string, text: string): string[] {
  return parse(name, text).clients.map(({ server, g, source }) => `${server} ${g}: ${source}`);
}

describe("OpenUru's key headers", () => {
  it("reads arrays of little-endian bytes", () => {
    const { clients, remarks, format } = parse("pnNbAuthKey.hpp", header("", 41));
    expect(format).toBe("openuru");
    expect(remarks).toEqual([]);
    const digits = (first: number): string =>
      Array.from({ length: 64 }, (_, index) => (first + 63 - index).toString(16).padStart(2, "0")).join("");
    expect(clients.map(({ n, x }) => [n.toString(16), x.toString(16)])).toEqual([
      [digits(1).replace(/^0+/, ""), digits(2).replace(/^0+/, "")],
    ]);
  });

  it("agrees with the same shard's server.ini", () => {
    const { clients } = parseKeyFile("server.ini", sampleKeys("dirtsand/server.ini"));
    expect(clients).toHaveLength(3);
    for (const { server, n, x, g } of clients) {
      const array = (value: bigint): string => {
        const bytes = Buffer.from(value.toString(16).padStart(128, "0"), "hex").reverse();
        return [...bytes].map((byte) => `0x${byte.toString(16)}`).join(",");
      };
      const found = parse("key.h", header("", Number(g), array(n), array(x))).clients;
      expect(found).toEqual([{ server, n, x, g, source: `public values of ${server}, key.h` }]);
    }
  });

  it("takes the server type from the names, from g, from the file name, or tries all", () => {
    expect(summary("keys.h", header("GateKeeper", 41))).toEqual(["gatekeeper 41: public values of gatekeeper, keys.h"]);
    expect(summary("keys.h", header("Csr", undefined))).toEqual(["csr 97: public values of csr, keys.h"]);
    expect(summary("keys.h", header("", 73))).toEqual(["game 73: public values of game, keys.h"]);
    expect(summary("pnNbGateKeeperKey.hpp", header("", undefined))).toEqual([
      "gatekeeper 4: public values of gatekeeper, pnNbGateKeeperKey.hpp",
    ]);
    expect(summary("keys.h", header("", 6))).toHaveLength(4);
    for (const g of [" = 73u;", " = 73UL;", "{73};", " { 73U };"]) {
      expect(summary("keys.h", header("", 73).replace(" = 73;", g))).toEqual([
        "game 73: public values of game, keys.h",
      ]);
    }
  });

  it("reads several headers in one file, and alternatives for one server", () => {
    const all = header("", 4) + header("", 41) + header("", 73);
    expect(parse("keys.h", all).clients.map(({ server }) => server)).toEqual(["gatekeeper", "auth", "game"]);
    const alternatives = `${header("", 41)}#else\n${header("", undefined)}#endif`;
    expect(parse("keys.h", alternatives).clients.map(({ server, g }) => [server, g])).toEqual([
      ["auth", 41n],
      ["auth", 41n],
    ]);
  });

  it("reads the two arrays of a server in either order", () => {
    const [n, x] = [`byte kAuthDhNData[] = {${byteArray(1)}};\n`, `byte kAuthDhXData[] = {${byteArray(2)}};\n`];
    expect(parse("keys.h", x + n)).toEqual(parse("keys.h", n + x));
    expect(parse("keys.h", x + n).clients).toHaveLength(1);
    expect(parse("keys.h", x + n + x + n).clients).toHaveLength(2);
  });

  it.each([
    ["std::array<uint8_t, 64> kAuthDhNData = {", "};"],
    ["std::array<uint8_t, 64> kAuthDhNData = {\n\t{", "}\n};"],
    ["inline constexpr std::array<uint8_t, kNetDiffieHellmanKeyBits / 8> kAuthDhNData{{", "}};"],
    ["constexpr auto kAuthDhNData = std::array<uint8_t, 64> {", "};"],
    ["constexpr auto kAuthDhNData = std::to_array<uint8_t>({", "});"],
    ["constexpr uint8_t kAuthDhNData[]{", "};"],
  ])("reads the arrays of C++: %s ... %s", (begin, end) => {
    const n = `${begin}${byteArray(1)}${end}\n`;
    const x = `${begin.replace("DhN", "DhX")}${byteArray(2)}${end}\n`;
    const { clients, remarks } = parse("keys.h", n + x);
    expect(remarks).toEqual([]);
    expect(clients).toEqual(parse("keys.h", header("Auth", undefined)).clients);
    expect(parse("keys.h", n).remarks).toMatchObject([{ line: 1, text: "kAuthDhNData is given without kAuthDhXData" }]);
  });

  it("ignores comments", () => {
    const text = `// static const unsigned kDhGValue = 4;\n/* kDhNData[] = {1} /*/ ${header("", 41, `${byteArray(1)} // end`)}`;
    expect(summary("keys.h", text)).toEqual(["auth 41: public values of auth, keys.h"]);
    expect(parse("keys.h", "/* kDhNData").remarks).toMatchObject([{ text: NONE }]);
  });

  it("reads a patch as the resulting file", () => {
    const old = byteArray(9).replace(/^/gm, "-");
    const text = `@@ -48,26 +48,12 @@
 static const unsigned kDhGValue = 41;
 static const byte kDhNData[] = {
${old}
+${byteArray(1).replaceAll("\n", "\n+")}
 };
 static const byte kDhXData[] = {
${old}
+${byteArray(2).replaceAll("\n", "\n+")}
 };
`;
    expect(parse("server.patch", text).clients).toEqual(parse("server.patch", header("", 41)).clients);
  });

  it("says what is wrong and where, without quoting it", () => {
    const problems = (text: string): string[] =>
      parse("keys.h", text).remarks.map(({ line, text: problem }) => `${line ?? "-"}: ${problem}`);
    expect(problems(header("Auth", 41, "0"))).toEqual(["2: kAuthDhNData holds 1 bytes instead of 64"]);
    expect(problems(header("", undefined, byteArray(1), "0x1ff"))).toEqual(["12: kDhXData is not an array of bytes"]);
    expect(problems(`byte kDhNData[] = {${byteArray(1)}};`)).toEqual(["1: kDhNData is given without kDhXData"]);
    expect(problems(`\nbyte kDhXData[] = {${byteArray(1)}};`)).toEqual(["2: kDhXData is given without kDhNData"]);
    expect(problems("extern byte kAuthDhNData[kNetDiffieHellmanKeyBits / 8];")).toEqual([`-: ${NONE}`]);
    expect(problems("extern std::array<uint8_t, 64> kAuthDhNData;\nvoid f() { g(kAuthDhNData); }")).toEqual([
      `-: ${NONE}`,
    ]);
  });
});
