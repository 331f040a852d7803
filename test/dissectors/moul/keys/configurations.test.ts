import { describe, expect, it } from "vitest";
import { readMoulKeys } from "../../../../dissectors/moul/keys/moul-keys.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { bytesOf, sampleKeys } from "./samples.js";

const n = Buffer.alloc(64, 0xf1).toString("base64");
const a = Buffer.alloc(64, 0x5a).toString("base64");

function parse(name: string, text: string): ReturnType<typeof parseKeyFile> {
  return parseKeyFile(name, bytesOf(text));
}

function problems(name: string, text: string): string[] {
  return parse(name, text).remarks.map(({ line, text: problem }) => `${line ?? "-"}: ${problem}`);
}

describe("DIRTSAND's configuration", () => {
  it("gives the keys of every server type and the droid key", () => {
    const parsed = parseKeyFile("/etc/dirtsand.ini", sampleKeys("dirtsand/dirtsand.ini"));
    expect(parsed.format).toBe("dirtsand");
    expect(parsed.remarks).toEqual([]);
    expect(parsed.servers.map(({ server, g, source }) => [server, g, source])).toEqual([
      ["auth", 41n, "server private value of auth, dirtsand.ini"],
      ["game", 73n, "server private value of game, dirtsand.ini"],
      ["gatekeeper", 4n, "server private value of gatekeeper, dirtsand.ini"],
    ]);
    expect(parsed.droidKeys).toEqual([Uint8Array.from(Buffer.from("31415926535897932384626433832795", "hex"))]);
  });

  it.each(["# see kDhNData of pnNbAuthKey.hpp", "# key_n = in NAGUS", "  // Server.Auth.N"])(
    "is recognised despite a comment that names other keys: %s",
    (comment) => {
      const parsed = parse("dirtsand.ini", `${comment}\nKey.Auth.N = ${n}\nKey.Auth.K = ${a}\n`);
      expect([parsed.format, parsed.servers.length]).toEqual(["dirtsand", 1]);
    },
  );

  it("accepts a byte order mark, CRLF, UTF-16, spaces and comments", () => {
    const text = `\ufeff# keys\r\n  key.auth.n=${n} # public\r\nKey.Auth.K =\t${a}\r\n`;
    const { servers, remarks } = parse("d.ini", text);
    expect(remarks).toEqual([]);
    expect(servers).toHaveLength(1);
    expect(parseKeyFile("d.ini", Buffer.from(text, "utf16le")).servers).toEqual(servers);
    expect(parseKeyFile("d.ini", Buffer.from(text, "utf16le").swap16()).servers).toEqual(servers);
    const unmarked = Buffer.from(text.slice(1), "utf16le");
    expect(parseKeyFile("d.ini", unmarked).servers).toEqual(servers);
    expect(parseKeyFile("d.ini", unmarked.swap16()).servers).toEqual(servers);
  });

  it("says what is wrong and where, without quoting it", () => {
    const text = [
      `Key.Auth.N = ${n}`,
      "Key.Auth.K = hush!",
      `Key.Game.N = ${n.slice(0, 40)}`,
      `Key.Game.K = ${a}`,
      `Key.Gate.N = ${n}`,
      "Key.Gate.X = 1",
      "Key.Droid = 123",
      `Key.Csr.N = ${Buffer.alloc(64).toString("base64")}`,
    ];
    expect(problems("d.ini", text.join("\n"))).toEqual([
      "2: Key.Auth.K is not base64",
      "3: Key.Game.N holds 30 bytes instead of 64",
      "6: the key line is not understood",
      "7: Key.Droid is not 32 hex digits",
      "8: Key.Csr.N is too small to be a key",
      "5: Key.Gate.N is given without Key.Gate.K",
      "8: Key.Csr.N is given without Key.Csr.K",
    ]);
  });

  it("uses the last of two values, as DIRTSAND does", () => {
    const text = `Key.Auth.N = ${a}\nKey.Auth.N = ${n}\nKey.Auth.K = ${a}`;
    expect(problems("d.ini", text)).toEqual(["2: Key.Auth.N is given twice: the last one counts"]);
    expect(parse("d.ini", text).servers[0]?.n).toBe(BigInt(`0x${"f1".repeat(64)}`));
  });

  it("is recognised by its other lines, and by those of keys that are damaged", () => {
    expect(problems("d.ini", "Auth.Host = 127.0.0.1\nDb.Port = 5432\n")).toEqual([
      "-: no keys in this file: missing are Key.Auth.N and Key.Auth.K, or the same of Game or Gate",
    ]);
    expect(problems("d.ini", `# keys\nKey.Auth.N: ${n}\nKey.Auth.K: ${a}\n`)).toEqual([
      "2: the key line is not understood",
      "3: the key line is not understood",
    ]);
  });

  it("distinguishes a file without keys from one with commented-out keys", () => {
    expect(problems("d.ini", "#Key.Auth.N = ...\n#Key.Auth.K = ...")).toEqual([
      "1: no keys in this file: every key line is commented out",
    ]);
    const droid = "Key.Droid = 31415926535897932384626433832795";
    expect(parse("d.ini", droid).remarks).toEqual([]);
    expect(problems("d.ini", `#Key.Auth.N = ...\n${droid}`)).toEqual([
      "1: no keys of servers in this file: their lines are commented out",
    ]);
  });
});

describe("MOULArs's configuration", () => {
  const dotted = `auth.n = "${n}"\nauth.k = "${a}"\ngame.n = "${n}"\ngame.k = "${a}"\n`;
  const inline = `auth = { n = "${n}", k = '${a}' }, game = {n="${n}",k="${a}"}`;

  it("gives the keys of every server type", () => {
    const text = `build_id = 918\n\n[crypt_keys]\n${dotted}gate.n = "${n}"\ngate.k = "${a}"\n\n[vault_db]\ndb_url = ":"\n`;
    const { format, servers, remarks } = parse("moulars.toml", text);
    expect(format).toBe("moulars");
    expect(remarks).toEqual([]);
    expect(servers.map(({ server, g, source }) => [server, g, source])).toEqual([
      ["auth", 41n, "server private value of auth, moulars.toml"],
      ["game", 73n, "server private value of game, moulars.toml"],
      ["gatekeeper", 4n, "server private value of gatekeeper, moulars.toml"],
    ]);
    expect(servers[0]?.n).toBe(BigInt(`0x${"f1".repeat(64)}`));
    expect(servers[0]?.a).toBe(BigInt(`0x${"5a".repeat(64)}`));
  });

  it.each([
    [
      "names that begin with that of their table",
      `[crypt_keys.auth]\nn = "${n}"\nk = "${a}"\n[crypt_keys.game]\nn='${n}'\nk='${a}'`,
    ],
    ["whole names", dotted.replace(/^/gm, "crypt_keys.").replace(/crypt_keys\.$/, "")],
    [
      "spaces and comments",
      `  [ crypt_keys ] # keys\n${dotted.replace(/(\.| = )/g, " $1 ").replaceAll('"\n', '" # "\n')}`,
    ],
    ["names in quotes", `[crypt_keys]\n${dotted.replace(/^(\w+)\.(\w)/gm, `"$1".'$2'`)}`],
    ["an inline table", `crypt_keys = { ${inline} } # keys\n[server]\nauth.n = "x"`],
    [
      "an inline table of dotted names",
      `server = { ports = [1, 2] }\ncrypt_keys = {${dotted.trim().replaceAll("\n", ",")}}`,
    ],
    ["an inline table for each server", `[crypt_keys]\n${inline.replace("}, ", "}\n")}\n[vault_db]\ndb_url = "{"`],
    ["whole names of inline tables", inline.replace("}, ", "}\n").replace(/^/gm, "crypt_keys.")],
    ["inline tables of several lines", `'crypt_keys' = {\n${inline.replace(/[{,]/g, "$&# {\n")}\n}\nbuild_id = 918`],
    ["keys that precede other tables", `[crypt_keys]\n${dotted}[server]\nauth.n = "x"`],
  ])("may have %s, as TOML does", (_what, text) => {
    const { format, servers, remarks } = parse("moulars.toml", text);
    expect([format, remarks]).toEqual(["moulars", []]);
    expect(servers.map(({ server }) => server)).toEqual(["auth", "game"]);
  });

  it("says what is wrong and where", () => {
    const text = `[crypt_keys]\nauth.n = "..."\nauth.k = "${a}"\ngame.x = "${n}"\nfile.n = "${n}"\ngate.n = ${n}`;
    expect(problems("moulars.toml", text)).toEqual([
      "2: auth.n is not base64",
      "4: the key line is not understood",
      "5: the key line is not understood",
      "6: gate.n is given without gate.k",
    ]);
    expect(problems("moulars.toml", `[crypt_keys]\n#auth.n = "${n}"`)).toEqual([
      "2: no keys in this file: every key line is commented out",
    ]);
    expect(problems("moulars.toml", `# crypt_keys = { ${inline} }`)).toEqual([
      "1: no keys in this file: every key line is commented out",
    ]);
    expect(
      problems("moulars.toml", `crypt_keys = { auth = { n = "...", x = "", k.k = "" }, game.n = "${n}", gate = "" }`),
    ).toEqual([
      "1: auth.n is not base64",
      "1: the key line is not understood",
      "1: the key line is not understood",
      "1: the key line is not understood",
      "1: auth.n is given without auth.k",
      "1: game.n is given without game.k",
    ]);
  });

  it("says which lines are missing, or in the wrong table", () => {
    expect(problems("moulars.toml", "[crypt_keys]\n")).toEqual([
      "-: no keys in this file: missing are auth.n and auth.k in [crypt_keys], or the same of game or gate",
    ]);
    expect(problems("moulars.toml", `build_id = 918\n${dotted}`)).toEqual(["2: the key line is not in [crypt_keys]"]);
    expect(problems("moulars.toml", `[server]\ncrypt_keys = { ${inline} }`)).toEqual([
      "2: the key line is not in [crypt_keys]",
    ]);
    expect(problems("moulars.toml", "crypt_keys = {}")).toEqual([
      "-: no keys in this file: missing are auth.n and auth.k in [crypt_keys], or the same of game or gate",
    ]);
  });
});

describe("NAGUS's configuration", () => {
  it("gives the keys of every server type", () => {
    const parsed = parseKeyFile("nagus_config.ini", sampleKeys("nagus/nagus_config.ini"));
    expect(parsed.format).toBe("nagus");
    expect(parsed.remarks).toEqual([]);
    expect(parsed.servers.map(({ server, g, source }) => [server, g, source])).toEqual([
      ["gatekeeper", 4n, "server private value of gatekeeper, nagus_config.ini"],
      ["auth", 41n, "server private value of auth, nagus_config.ini"],
      ["game", 73n, "server private value of game, nagus_config.ini"],
    ]);
  });

  it("reads key_g, values that continue on the next line, and empty ones", () => {
    const text = `[server.auth]\nKEY_G = 5\nkey_n =\n\t${n}\nkey_a = ${a}\n\n[server.game]\nkey_n =\nkey_a =\n`;
    const { servers, remarks } = parse("n.ini", text);
    expect(remarks).toEqual([]);
    expect(servers.map(({ server, g }) => [server, g])).toEqual([["auth", 5n]]);
  });

  it("says that the shipped default holds no keys", () => {
    const text =
      "[server]\n##encryption = \n\n[server.gatekeeper]\n##key_g = 4\n\n# The n and a values\n##key_n = \n##key_a = \n";
    expect(parse("nagus_config.defaults.ini", text).format).toBe("nagus");
    expect(problems("nagus_config.defaults.ini", text)).toEqual([
      "8: no keys in this file: every key line is commented out",
    ]);
    expect(problems("n.ini", "[server.auth]\nsend_server_caps = never\n")).toEqual([
      "-: no keys in this file: missing are key_n and key_a in [server.auth], [server.game] or [server.gatekeeper]",
    ]);
  });

  it("may turn encryption off, and then needs no keys", () => {
    const text = "[server]\nencryption = none\n[server.auth]\n##key_n =\n";
    expect(parse("n.ini", "[server]\nencryption = none\n").remarks).toEqual(parse("n.ini", text).remarks);
    expect(parse("n.ini", text).remarks).toEqual([
      { severity: "note", file: "n.ini", text: "no keys in this file, and none are needed: it turns encryption off" },
    ]);
    expect(readMoulKeys("n.ini", bytesOf(text)).isUsable).toBe(true);
    const encrypted = text.replace("none", "default");
    expect(problems("n.ini", encrypted)).toEqual(["4: no keys in this file: every key line is commented out"]);
    expect(readMoulKeys("n.ini", bytesOf(encrypted)).isUsable).toBe(false);
  });

  it("says what is wrong and where", () => {
    const text = `[server]\nkey_n = ${n}\n[server.auth]\nkey_n = ${n}\nkey_a = ?\nkey_g = 0x29\n[server.game]\nkey_a = ${a}`;
    expect(problems("n.ini", text)).toEqual([
      "2: key_n is not in the section of an encrypted server",
      "5: key_a in [server.auth] is not base64",
      "6: key_g in [server.auth] is not a decimal number of 32 bits",
      "8: key_a in [server.game] is given without key_n in [server.game]",
    ]);
  });
});

describe("H'uru's server.ini", () => {
  it.each(["dirtsand", "nagus"])("gives the public values of the %s shard", (shard) => {
    const parsed = parseKeyFile("server.ini", sampleKeys(`${shard}/server.ini`));
    expect(parsed.format).toBe("client-ini");
    expect(parsed.remarks).toEqual([]);
    const found = parsed.clients.map(({ server, g, source }) => `${server} ${g} ${source}`).sort();
    expect(found).toEqual([
      "auth 41 public values of auth, server.ini",
      "game 73 public values of game, server.ini",
      "gatekeeper 4 public values of gatekeeper, server.ini",
    ]);
  });

  it("reads all the console's ways of writing a command", () => {
    const text = `server_gate_n='${n}'\nSERVER GATE X ${a}\nServer.Gate.G 7\n`;
    const { clients, remarks, format } = parse("server.ini", text);
    expect(remarks).toEqual([]);
    expect(format).toBe("client-ini");
    expect(clients.map(({ server, g }) => [server, g])).toEqual([["gatekeeper", 7n]]);
  });

  it("says what is wrong and where", () => {
    const text = `Server.Auth.N "${n}\nServer.Auth.X "${a}"\nServer.Game.X "${a}"\nServer.Game.G x`;
    expect(problems("server.ini", text)).toEqual([
      "1: Server.Auth.N has no closing quote",
      "4: Server.Game.G is not a decimal number of 32 bits",
      "3: Server.Game.X is given without Server.Game.N",
    ]);
    expect(problems("server.ini", 'Server.DispName "x"')).toEqual([
      "-: no keys in this file: missing are Server.Auth.N and Server.Auth.X, or the same of Game or Gate",
    ]);
  });
});
