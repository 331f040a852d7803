import { chmodSync, copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { takesColor } from "../../src/cli/options/color.js";
import { main } from "../../src/cli/program.js";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { PcapngWriter, pcapFile, rawPcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { keyFiles, MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { concat } from "../support/packets.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

/** How the program behaves among other programs: exit codes, files, keys beside captures, streams that end. */

const folder = temporaryFolder();
const file = filesIn(folder);

function capture(name: string, talk: MoulTalk, dropped = -1): string {
  const packets = packetsOf(talk).filter((_, index) => index !== dropped);
  return file(name, rawPcapFile(packets));
}

function pings(encryption: "rc4" | "none"): MoulTalk {
  return ping(ping(ping(new MoulTalk("auth", { encryption }).opens())));
}

const CLEAN = capture("clean.pcap", pings("none"));
const ENCRYPTED = capture("encrypted.pcap", pings("rc4"));
const KEYS = file("dirtsand.ini", keyFiles.dirtsand());
const WRONG_KEYS = file("wrong.ini", keyFiles.dirtsand({ auth: "another" }));

describe("several captures", () => {
  const packets = packetsOf(pings("none"));
  const part = (name: string, from: number, to: number) => {
    const records = packets.slice(from, to).map((data, index) => ({ data, time: BigInt(from + index) * 10n ** 9n }));
    return file(name, pcapFile(records, { linkType: RAW }));
  };
  const [first, second, none] = [part("first.pcap", 0, 7), part("second.pcap", 7, 99), part("no-packets.pcap", 99, 99)];

  const read = (...captures: string[]) => run(["--format", "summary", ...captures]);

  it("are read in the order of their first packets, however they are given", async () => {
    const right = await read(first, none, second);
    expect(right.stdout.split("\n").length).toBeGreaterThan(5);
    expect(await read(second, first, none)).toEqual(right);
    expect(await read(none, second, first)).toEqual(right);
  });

  it("may hold one conversation, which can be followed", async () => {
    const whole = part("whole.pcap", 0, 99);
    const followed = await run(["follow", whole, "--stream", "0"]);
    expect(followed.stdout).toContain("Cli2Auth_PingRequest");
    expect(await run(["follow", second, first, "--stream", "0"])).toEqual(followed);
  });

  it("are read one after the other if their times overlap, which is reported", async () => {
    const { stderr } = await read(first, part("overlapping.pcap", 3, 99));
    expect(stderr).toContain(
      "overlapping.pcap begins before the previous capture ends; they are read one after the other\n",
    );
  });

  it("are read in this order even if one of them is a folder", async () => {
    const right = await read(first, second);
    expect((await read(second, folder, first)).stdout).toBe(right.stdout);
  });

  it("are reported if they are missing, even if reading ends before their turn comes", async () => {
    const [absent, other] = [join(folder, "absent-1.pcap"), join(folder, "none", "absent-2.pcap")];
    const stderr = `moul-dissect: ${absent}: there is no such file\n`;
    const alone = await read(first, "-c", "1");
    expect(alone).toMatchObject({ code: 0, stderr: "" });
    expect(await read(first, absent, "-c", "1")).toEqual({ ...alone, code: 2, stderr });
    expect(await read(absent, first, "-c", "1")).toEqual({ ...alone, code: 2, stderr });
    const both = await read(first, absent, other, second, "-c", "1", "-q");
    expect(both).toMatchObject({ code: 2, stdout: alone.stdout });
    expect(both.stderr).toMatch(/^.*absent-1.pcap: there is no such file\n.*absent-2.pcap: there is no such file\n$/);
    const whole = await read(first, second);
    expect(await read(first, absent, second)).toEqual({ ...whole, code: 2, stderr });
    const followed = await run(["follow", first, absent, "--stream", "0"]);
    expect(followed).toMatchObject({ code: 2, stderr });
  });

  it("are reported in the given order if they cannot be read", async () => {
    const { stderr } = await read("absent-2.pcap", "absent-1.pcap", first);
    expect(stderr).toMatch(/absent-2\.pcap.*\n.*absent-1\.pcap/);
  });
});

describe("--fail-on", () => {
  const talk = () => pings("none");
  const troubles: Readonly<Record<string, string>> = {
    malformed: capture(
      "malformed.pcap",
      new MoulTalk("file").opens().plain("c2s", Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0)),
    ),
    truncated: capture("truncated.pcap", talk().plain("c2s", Uint8Array.of(0, 0, 1))),
    unknown: capture("unknown.pcap", talk().plain("s2c", Uint8Array.of(0xff, 0x7f, 1))),
    undecrypted: ENCRYPTED,
    gap: capture("gap.pcap", talk(), 8),
  };

  it("may be repeated", async () => {
    const kinds = ["--fail-on", "unknown", "--fail-on", "gap"];
    expect((await run([troubles["unknown"] ?? "", ...kinds])).code).toBe(3);
    expect((await run([troubles["gap"] ?? "", ...kinds])).code).toBe(3);
    expect((await run([troubles["malformed"] ?? "", ...kinds])).code).toBe(0);
  });

  it.each(Object.entries(troubles))(
    "%s exits with 3 if there was any, and with 0 if there was none",
    async (kind, path) => {
      expect((await run([path])).code).toBe(0);
      expect(await run([path, "--fail-on", kind])).toMatchObject({ code: 3 });
      expect((await run([CLEAN, "--fail-on", kind])).code).toBe(0);
      expect((await run([path, "--strict"])).code).toBe(3);
    },
  );

  it("takes several kinds, and reacts only to those", async () => {
    const { malformed = "", gap = "" } = troubles;
    expect((await run([malformed, "--fail-on", "gap,undecrypted,malformed"])).code).toBe(3);
    expect((await run([malformed, "--fail-on", "gap, undecrypted"])).code).toBe(0);
    expect((await run([gap, "--fail-on", "unknown,malformed"])).code).toBe(0);
    expect((await run([CLEAN, "--strict"])).code).toBe(0);
  });

  it("does not change the output", async () => {
    const { unknown = "" } = troubles;
    expect((await run([unknown, "--strict"])).stdout).toBe((await run([unknown])).stdout);
  });

  it("yields to a capture that cannot be read", async () => {
    expect((await run([ENCRYPTED, join(folder, "none.pcap"), "--strict"])).code).toBe(2);
  });
});

describe("-c", () => {
  it("stops after that many messages, which is not a failure", async () => {
    for (const count of [1, 5]) {
      const { code, stdout } = await run([sample("dirtsand-session.pcap"), "--format", "summary", "-c", String(count)]);
      expect(code).toBe(0);
      expect(stdout.trimEnd().split("\n")).toHaveLength(count);
    }
    const all = await run([CLEAN, "--format", "summary"]);
    expect((await run([CLEAN, "--format", "summary", "-c", "1000"])).stdout).toBe(all.stdout);
  });

  it("makes --fail-on judge only what is printed", async () => {
    expect((await run([ENCRYPTED, "--strict", "-c", "3"])).code).toBe(0);
  });
});

describe("-o", () => {
  it("never overwrites its input, by whatever name", async () => {
    const bytes = readFileSync(CLEAN);
    // Windows ignores the case of names.
    const other = isPosix ? join(folder, "link.pcap") : CLEAN.toUpperCase();
    if (isPosix) symlinkSync(CLEAN, other);
    for (const args of [
      [CLEAN, "-o", CLEAN],
      [CLEAN, "-o", other],
      [other, "-o", join(folder, ".", "clean.pcap")],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("would be overwritten");
    }
    expect(readFileSync(CLEAN)).toEqual(bytes);
    expect((await run([ENCRYPTED, "--keys", KEYS, "-o", KEYS])).code).toBe(1);
    expect(readFileSync(KEYS, "utf8")).toBe(keyFiles.dirtsand());
  });

  it("never overwrites the definitions and dissectors in use", async () => {
    const text = "STATEDESC Thing { VERSION 1 VAR INT number[1] }";
    const definitions = file("definitions/inner/thing.SDL", text);
    const parley = readFileSync(sample("example-dissector/parley.js"), "utf8");
    // Beside the original, so that it finds the package.
    const dissector = sample(`example-dissector/.overwritten-${process.pid}.js`);
    writeFileSync(dissector, parley);
    try {
      const cases: readonly (readonly [path: string, ...args: readonly string[]])[] = [
        [definitions, CLEAN, "--sdl", join(folder, "definitions")],
        [definitions, "decode", "plKey", "00", "--sdl", join(folder, "definitions")],
        [dissector, CLEAN, "--dissector", dissector],
        [dissector, "decode", "plKey", "00", "--dissector", dissector],
        [dissector, "fields", "--dissector", dissector],
        [dissector, "schema", "--dissector", dissector],
      ];
      for (const [path, ...args] of cases) {
        const { code, stderr } = await run([...args, "-o", path, "--force"]);
        expect(stderr).toContain("would be overwritten");
        expect(code).toBe(1);
      }
      expect(readFileSync(definitions, "utf8")).toBe(text);
      expect(readFileSync(dissector, "utf8")).toBe(parley);
    } finally {
      rmSync(dissector);
    }
  });

  it("gets no colours unless they are requested", async () => {
    const path = join(folder, "plain.txt");
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    await main([CLEAN, "-o", path], { stdout: terminal, stderr: new PassThrough(), env: {} });
    expect(readFileSync(path, "utf8")).toBe(stripVTControlCharacters(readFileSync(path, "utf8")));
  });
});

describe("a filter that nothing passes", () => {
  const remarkOf = async (...args: readonly string[]) => {
    const [stdout, stderr] = [new PassThrough().resume(), new FakeTerminal()];
    // On a busy machine, progress would come before the remark.
    const code = await main([CLEAN, "--format", "summary", "--no-progress", ...args], { stdout, stderr, env: {} });
    return { code, text: stderr.text };
  };

  it("is remarked on, on a terminal", async () => {
    const { code, text } = await remarkOf("-Y", "length > 100000");
    expect(code).toBe(0);
    expect(text).toMatch(/^moul-dissect: 0 of \d+ messages pass$/m);
    expect((await remarkOf("-Y", "length > 100000", "-q")).text).toBe("");
    expect((await remarkOf("-Y", "length > 0")).text).not.toContain("pass");
  });

  it("is no remark elsewhere", async () => {
    expect((await run([CLEAN, "-Y", "length > 100000"])).stderr).not.toContain("pass");
  });
});

describe("colours", () => {
  it.each([
    ["auto", true, {}, true],
    ["auto", false, {}, false],
    ["auto", true, { TERM: "dumb" }, false],
    ["auto", true, { TERM: "xterm" }, true],
    ["auto", true, { NO_COLOR: "1" }, false],
    ["auto", true, { NO_COLOR: "" }, true],
    ["auto", false, { FORCE_COLOR: "1" }, true],
    ["auto", false, { FORCE_COLOR: "true" }, true],
    ["auto", true, { FORCE_COLOR: "0" }, false],
    ["auto", true, { TERM: "dumb", FORCE_COLOR: "1" }, true],
    ["auto", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["always", false, { NO_COLOR: "1", TERM: "dumb" }, true],
    ["never", true, { FORCE_COLOR: "1" }, false],
  ] as const)("--color %s, terminal %s, %j: %s", (choice, isTerminal, env, expected) => {
    const stdout = Object.assign(new PassThrough(), { isTTY: isTerminal });
    expect(takesColor({ color: choice }, { stdout, stderr: new PassThrough(), env })).toBe(expected);
  });

  it("change nothing but the appearance", async () => {
    for (const format of ["tree", "summary"]) {
      const args = [CLEAN, ENCRYPTED, "--format", format];
      const [plain, colored] = [await run([...args, "--color", "never"]), await run([...args, "--color", "always"])];
      expect(colored.stdout).not.toBe(plain.stdout);
      expect(stripVTControlCharacters(colored.stdout)).toBe(plain.stdout);
    }
    const json = [CLEAN, "--json"];
    expect((await run([...json, "--color", "always"])).stdout).toBe((await run(json)).stdout);
  });
});

describe("keys beside captures", () => {
  const beside = (name: string) => capture(name, pings("rc4"));
  const opened = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    (await run([...args, "--fail-on", "undecrypted"], env)).code === 0;

  it("are looked up by the capture's full name, then without its extension, then in the environment", async () => {
    const path = beside("a/session.pcap");
    expect(await opened([path])).toBe(false);
    expect(await opened([path], { MOULKEYLOGFILE: KEYS })).toBe(true);
    expect(await opened([path], { MOULKEYLOGFILE: "" })).toBe(false);
    file("a/session.keys", keyFiles.dirtsand({ auth: "another" }));
    expect(await opened([path], { MOULKEYLOGFILE: KEYS })).toBe(false);
    file("a/session.pcap.keys", keyFiles.dirtsand());
    expect(await opened([path])).toBe(true);
    expect(await opened([path, "--keys", WRONG_KEYS])).toBe(false);
  });

  it("of a compressed capture may be those of the unpacked one", async () => {
    const names = ["session.keys", "session.pcap.keys", "session.pcap.gz.keys"];
    for (const name of names) {
      const path = file(`f/${name}`, "");
      expect(await discoverKeys([join(folder, "f/session.pcap.gz")], {})).toEqual([path]);
    }
    expect(await discoverKeys([join(folder, "f/session.pcap.LZ4")], {})).toEqual([join(folder, "f/session.pcap.keys")]);
  });

  it("are in the folder that the capture's path names, word for word: C: is not the top of a drive", async () => {
    file("e/session.keys", "");
    expect(await discoverKeys([`${folder}/e/../e/session.pcap`], {})).toEqual([`${folder}/e/../e/session.keys`]);
  });

  it("belong to each capture", async () => {
    const [one, two] = [beside("b/one.pcap"), beside("b/two.pcap")];
    file("b/one.keys", keyFiles.dirtsand({ auth: "another" }));
    expect(await opened([one, two], { MOULKEYLOGFILE: KEYS })).toBe(true);
    file("b/two.keys", keyFiles.dirtsand());
    expect(await opened([one, two])).toBe(true);
  });

  it("are not an error if they cannot be used, but are reported", async () => {
    const path = beside("c/session.pcap");
    file("c/session.keys", "milk");
    expect(await run([path])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("session.keys: not a key file"),
    });
    const missing = await run([CLEAN], { MOULKEYLOGFILE: join(folder, "none.log") });
    expect(missing).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("none.log: the key file cannot be read"),
    });
  });
});

describe("--quiet", () => {
  it("suppresses remarks", async () => {
    expect((await run([ENCRYPTED])).stderr).not.toBe("");
    expect(await run([ENCRYPTED, "--quiet"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("still says why a run failed", async () => {
    const keys = await run([ENCRYPTED, "--quiet", "--keys", join(folder, "none.ini")]);
    expect(keys).toMatchObject({ code: 2, stderr: expect.stringContaining("none.ini") });
    const missing = await run(["--quiet", join(folder, "none.pcap")]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("none.pcap") });
  });
});

describe("remarks", () => {
  it("give each reason once for all conversations it concerns", async () => {
    const { stderr } = await run([ENCRYPTED, ENCRYPTED, "--keys", WRONG_KEYS]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "moul-dissect: stream 0 (moul.auth) is encrypted, and the key of the auth server that was given does not fit " +
        "(server private value of auth, wrong.ini)",
    ]);
  });

  it("say that nothing was found, and why that may be", async () => {
    const middle = packetsOf(pings("none"), { noSyn: true, server: ["192.0.2.2", 5000] }).slice(3);
    const { code, stdout, stderr } = await run([file("middle.pcap", rawPcapFile(middle))]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/no message of a known protocol was found in 9 packets; .* must begin before/);
    const cut = pcapFile(
      middle.map((data) => ({ data: data.subarray(0, 45), originalLength: data.length })),
      { linkType: RAW },
    );
    expect((await run([file("cut.pcap", cut)])).stderr).toMatch(/only part of \d+ was captured: record with a larger/);
    const empty = await run([file("empty.pcap", pcapFile([]))]);
    expect(empty).toMatchObject({ code: 0, stderr: "moul-dissect: there are no packets in the capture\n" });
  });
});

describe("times", () => {
  const RELATIVE = ["--format", "summary", "--time", "relative"];

  it.each(["", "result != kNetSuccess"])(
    "are counted from the first packet, whatever is shown (filter: %s)",
    async (filter) => {
      const args = [sample("dirtsand-session.pcap"), ...RELATIVE, ...(filter === "" ? [] : ["-Y", filter])];
      const { stdout } = await run(args);
      expect(stdout).toMatch(/^ +38 +1\.107628 /m);
    },
  );

  it("are counted from the first packet of all captures, even if no conversation or message begins with it", async () => {
    const noIp = Uint8Array.of(0);
    const records = packetsOf(pings("none")).map((data, index) => ({ data, time: BigInt(100 + index) * 10n ** 9n }));
    const strange = file("strange.pcap", pcapFile([{ data: noIp, time: 7n * 10n ** 9n }], { linkType: RAW }));
    const later = file("later.pcap", pcapFile(records, { linkType: RAW }));
    const { stdout } = await run([later, file("none.pcap", pcapFile([])), strange, "-q", ...RELATIVE]);
    expect(stdout).toMatch(/^ +1 +96\.000000 /);
    const one = file("one.pcap", pcapFile([{ data: noIp, time: 7n * 10n ** 9n }, ...records], { linkType: RAW }));
    expect((await run([one, ...RELATIVE])).stdout).toBe(stdout);
  });

  it.each([
    [253_402_300_805n, "+010000-01-01T00:00:05.000000Z"],
    [-62_167_219_205n, "-000001-12-31T23:59:55.000000Z"],
    [-9_000_000_000_000n, "@-9000000000000.000000Z"],
  ])("may be in any year: %i seconds since 1970", async (offset, time) => {
    const write = new PcapngWriter();
    const records = packetsOf(pings("none")).map((data) => write.enhanced({ data }, 0n));
    const bytes = concat(write.section(), write.interface({ linkType: RAW, offset }), ...records);
    const { code, stdout } = await run([file("year.pcapng", bytes), "--json", "-c", "1"]);
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([{ time }]);
  });
});

describe("secrets", () => {
  it("such as key logs and private values never appear in any output", async () => {
    const talk = pings("rc4");
    const log = file("client.log", talk.keyLog.rc4 + talk.keyLog.b);
    const broken = file("broken.log", `${talk.keyLog.rc4.trim()}00\n${talk.keyLog.b.trim()}zz\n`);
    const [, , sessionKey = "?"] = talk.keyLog.rc4.trim().split(" ");
    const [, , b = "?"] = talk.keyLog.b.trim().split(" ");
    for (const keys of [[log], [broken], [KEYS], [WRONG_KEYS], [log, KEYS, WRONG_KEYS]]) {
      for (const format of ["tree", "summary", "json", "json-tree"]) {
        const args = [ENCRYPTED, "--hex", "--format", format, ...keys.flatMap((path) => ["--keys", path])];
        const { stdout, stderr } = await run(args);
        const secrets = [...readFileSync(KEYS, "utf8").matchAll(/K = (\S+)/g)].map(([, secret = "?"]) => secret);
        for (const secret of [sessionKey, b, ...secrets])
          expect(stdout.includes(secret) || stderr.includes(secret)).toBe(false);
      }
    }
  });
});

describe("an internal error", () => {
  it("is reported, and exits with 70", async () => {
    const stderr = new PassThrough();
    const stdout = new Writable({
      write() {
        throw new TypeError("a bug \u001b[31m");
      },
    });
    const code = await main([CLEAN], { stdout, stderr, env: {} });
    const text = String(stderr.read());
    expect(code).toBe(70);
    expect(text).toMatch(
      /^moul-dissect: internal error.*; please report it:\n {2}TypeError: a bug \\u001b\[31m\n {2}at /,
    );
  });
});

describe.runIf(isPosix)("private keys that others can read", () => {
  const REMARK = "everyone on this machine can read these private keys";
  const keys = file("open.ini", keyFiles.dirtsand());
  chmodSync(keys, 0o644);

  it("cause a remark if they were named", async () => {
    expect((await run([ENCRYPTED, "--keys", keys])).stderr).toContain(`open.ini: ${REMARK}`);
    expect((await run([ENCRYPTED, "--keys", KEYS])).stderr).toBe("");
    expect((await run([ENCRYPTED, "--keys", keys, "--quiet"])).stderr).toBe("");
  });

  it("cause one remark, though check reads them for both recordings", async () => {
    const { stderr } = await run(["check", ENCRYPTED, "--expect", ENCRYPTED, "--keys", keys]);
    expect(stderr.split(REMARK)).toHaveLength(2);
  });

  it("cause no remark beside the capture, and key logs are made for sharing", async () => {
    const path = capture("exposed.pcap", new MoulTalk("auth", { encryption: "rc4" }).opens());
    copyFileSync(keys, `${path}.keys`);
    chmodSync(`${path}.keys`, 0o644);
    expect((await run([path])).stderr).not.toContain(REMARK);
    const log = file("shared.log", (await run(["keys", ENCRYPTED, "--keys", KEYS])).stdout);
    chmodSync(log, 0o644);
    expect((await run([ENCRYPTED, "--keys", log])).stderr).toBe("");
  });
});
