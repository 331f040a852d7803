import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Ajv2020 } from "ajv/dist/2020.js";
import { SaxesParser } from "saxes";
import { beforeEach, describe, expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { jsonLines, run, sample } from "../support/command-line.js";
import { MoulTalk, type MoulTalkOptions, type PacketOptions, packetsOf, secret } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { isPosix, modesCount } from "../support/platform.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = temporaryFolder();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(root, "test-"));
});

type Edit = (talk: MoulTalk, say: () => void, step: string) => void;

interface Session extends MoulTalkOptions, PacketOptions {
  /** Number of the first transaction. */
  readonly transaction?: number;
  readonly player?: number;
  readonly challenge?: number;
  readonly time?: bigint;
  readonly account?: string;
  readonly accountId?: string;
  /** Says something instead of what is always said, or besides. */
  readonly edit?: Edit;
}

/** A login, written as a capture with its keys beside it. */
function capture(name: string, session: Session = {}): string {
  const { transaction = 1, player = 10124, challenge = 77, time = 1_795_150_492_000_000_000n } = session;
  const { account = "alice", accountId = "84bbb3f8-4b42-4109-98f2-4c0ad26b598e", edit } = session;
  const talk = new MoulTalk("auth", session);
  const steps: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["Cli2Auth_ClientRegisterRequest", { buildId: 918 }],
    ["Auth2Cli_ClientRegisterReply", { serverChallenge: challenge }],
    [
      "Cli2Auth_AcctLoginRequest",
      {
        transactionId: transaction,
        clientChallenge: challenge + 1,
        accountName: account,
        challengeHash: new Uint8Array(20).fill(challenge),
        authToken: "",
        operatingSystem: "win",
      },
    ],
    [
      "Auth2Cli_AcctPlayerInfo",
      {
        transactionId: transaction,
        playerVaultNodeId: player,
        playerName: "Alice",
        avatarShape: "female",
        explorer: 1,
      },
    ],
    [
      "Auth2Cli_AcctLoginReply",
      {
        transactionId: transaction,
        result: 0,
        accountId,
        accountFlags: 0,
        billingType: 1,
        notthedroidsEncryptionKey: [1, 2, 3, 4],
      },
    ],
    ["Cli2Auth_AcctSetPlayerRequest", { transactionId: transaction + 1, playerVaultNodeId: player }],
    ["Auth2Cli_AcctSetPlayerReply", { transactionId: transaction + 1, result: 0 }],
  ];
  talk.opens();
  for (const [step, fields] of steps) {
    const say = () => void talk.says(step, fields);
    if (edit === undefined) say();
    else edit(talk, say, step);
  }
  const path = join(folder, `${name}.pcap`);
  const records = packetsOf(talk, session).map((data, index) => ({ data, time: time + BigInt(index) * 1_000_000n }));
  writeFileSync(path, pcapFile(records, { linkType: RAW }));
  writeFileSync(`${path}.keys`, talk.keyLog.rc4);
  return path;
}

const elsewhere: Session = {
  transaction: 900,
  player: 555,
  challenge: 12_345,
  accountId: "11111111-2222-4333-8444-555555555555",
  time: 1_895_150_492_123_000_000n,
  client: ["198.51.100.7", 1234],
  server: ["198.51.100.1", 4321],
  initial: [77, 88],
  b: secret("another b"),
  seed: Buffer.from("another"),
  mtu: 20,
};

/** A player who is another one from a step on. */
function replaced(step: string, fields: Readonly<Record<string, unknown>>): Edit {
  return (talk, say, name) => {
    if (name === step) talk.says(name, fields);
    else say();
  };
}

function without(step: string): Edit {
  return (_, say, name) => {
    if (name !== step) say();
  };
}

async function schemaOf(kind: string): Promise<(value: unknown) => boolean> {
  const { stdout } = await run(["schema", "--of", kind]);
  return new Ajv2020({ allowUnionTypes: true, strictTypes: false, inlineRefs: false }).compile(JSON.parse(stdout));
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

describe("two recordings of the same session", () => {
  it("are the same at other times, from other ports and addresses, with other keys, challenges and numbers", async () => {
    const outcome = await run(["check", capture("new", elsewhere), "--expect", capture("old")]);
    expect(outcome).toEqual({ code: 0, stdout: `${join(folder, "new.pcap")}: 10 messages as expected\n`, stderr: "" });
  });

  it("are the same if a shard has really been recorded twice, but for what says that one is encrypted", async () => {
    const nagus = ["check", sample("nagus-session.pcap"), "--expect", sample("nagus-plain.pcap"), "-q"];
    expect(await run([...nagus, "--ignore", "y", "--ignore", "seed"])).toMatchObject({ code: 0 });
    const { code, stdout } = await run([...nagus, "--json"]);
    expect(code).toBe(4);
    const fields = jsonLines(stdout).flatMap(({ fields }) => fields);
    expect(new Set(fields.map(({ path }) => path))).toEqual(new Set(["y", "seed"]));
  });

  it("are the same on another network and in another file format", async () => {
    for (const other of ["nagus-session.any.pcap", "nagus-session.pcapng"]) {
      const args = ["check", sample(other), "--expect", sample("nagus-session.pcap"), "-q"];
      expect(await run([...args, "--keys", sample("nagus-session.keys")])).toMatchObject({ code: 0 });
    }
  });

  it("are the same of BZFlag, and with a loss", async () => {
    expect(await run(["check", sample("bz107e-ctf.pcap"), "--expect", sample("bz107e-ctf.pcap")])).toMatchObject({
      code: 0,
    });
    const path = capture("lossy", { noSyn: true });
    expect(await run(["check", path, "--expect", path])).toMatchObject({ code: 0 });
  });

  it("are told apart by the order in which a server tells everybody, unless any will do", async () => {
    const args = ["check", sample("dirtsand-plain.pcap"), "--expect", sample("dirtsand-session.pcap"), "-q", "--json"];
    const kinds = async (...more: readonly string[]) => {
      const { stdout } = await run([...args, "--ignore", "y", "--ignore", "seed", ...more]);
      return jsonLines(stdout).map(({ kind }) => kind);
    };
    expect(await kinds()).toEqual(["changed", "moved", "moved", "moved", "moved", "moved"]);
    expect(await kinds("--any-order")).toEqual(["changed"]);
  });

  it("may be lines that --json has printed", async () => {
    const path = join(folder, "raw.jsonl");
    writeFileSync(path, (await run([sample("nagus-session.pcap"), "--json"])).stdout.replaceAll("\n", "\r\n"));
    expect(await run(["check", sample("nagus-session.pcap"), "--expect", path, "-q"])).toMatchObject({ code: 0 });
  });

  it.each(["utf8", "utf16le"] as const)("may begin with a byte order mark: %s", async (encoding) => {
    const [path, old] = [join(folder, "marked.jsonl"), capture("old")];
    const { stdout } = await run([old, "--json"]);
    const text = Buffer.from(`\ufeff${stdout.replaceAll("\n", "\r\n")}`, encoding);
    writeFileSync(path, text);
    expect(await run(["check", old, "--expect", path])).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["check", old, "--expect", "-"], {}, Readable.from([text]))).toMatchObject({ code: 0 });
    const changed = capture("new", {
      edit: replaced("Auth2Cli_AcctSetPlayerReply", { transactionId: 901, result: 13 }),
    });
    expect(await run(["check", changed, "--expect", path, "--update"])).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["check", changed, "--expect", path])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(path, "utf8")).toMatch(/^\{"schema"/);
  });
});

describe("a difference", () => {
  const refused = replaced("Auth2Cli_AcctSetPlayerReply", { transactionId: 901, result: 13 });

  it("names the field, with the message between its neighbours", async () => {
    const { code, stdout } = await run([
      "check",
      capture("new", { ...elsewhere, edit: refused }),
      "--expect",
      capture("old"),
    ]);
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: `moul.auth conversation 1 (stream 0), server to client
  #8 Auth2Cli_AcctLoginReply
~ #10 Auth2Cli_AcctSetPlayerReply (expected as #10)
      result
        - kNetSuccess
        + kNetErrAccountNotFound

${join(folder, "new.pcap")}: 1 difference in 10 messages
`,
    });
  });

  it("is a number that was renamed elsewhere, but not here", async () => {
    const edit = replaced("Cli2Auth_AcctSetPlayerRequest", { transactionId: 901, playerVaultNodeId: 556 });
    const found = capture("new", { ...elsewhere, edit });
    const { code, stdout } = await run(["check", found, "--expect", capture("old"), "--json"]);
    expect(code).toBe(4);
    expect(jsonLines(stdout)).toMatchObject([
      {
        kind: "changed",
        found: 9,
        fields: [{ path: "playerVaultNodeId", expected: 10124, found: 556, elsewhere: 555 }],
      },
    ]);
  });

  it("is coloured where that is wanted, and says nothing that a terminal obeys", async () => {
    const old = capture("old", { account: "evil \u001b[31m\u202e" });
    const found = capture("new", { ...elsewhere, account: "good" });
    const plain = await run(["check", found, "--expect", old]);
    expect(plain.stdout).not.toContain("\u001b");
    expect(plain.stdout).toContain("- evil \\u001b[31m\\u202e");
    const colored = await run(["check", found, "--expect", old, "--color", "always"]);
    expect(colored.stdout).toContain("\u001b[31m        - evil \\u001b[31m\\u202e\u001b[39m");
    expect(colored.stdout).toContain("\u001b[32m        + good\u001b[39m");
    const json = await run(["check", found, "--expect", old, "--json"]);
    expect(json.stdout).not.toContain("\u001b");
    expect(json.stdout).not.toContain("\u202e");
  });

  it("of each kind is as the schema says", async () => {
    const isDifference = await schemaOf("difference");
    const runs = [
      ["check", sample("dirtsand-plain.pcap"), "--expect", sample("dirtsand-session.pcap")],
      ["check", sample("regression/login.pcap"), "--expect", sample("nagus-session.pcap")],
      ["check", sample("nagus-session.pcap"), "--expect", sample("regression/login.pcap")],
      ["check", capture("more"), "--expect", capture("less", { edit: without("Auth2Cli_AcctPlayerInfo") })],
      ["check", capture("less", { edit: without("Auth2Cli_AcctPlayerInfo") }), "--expect", capture("more")],
    ];
    const kinds = new Set<unknown>();
    for (const args of runs) {
      const { stdout } = await run([...args, "--json", "-q"]);
      for (const line of stdout.trimEnd().split("\n")) {
        const difference: unknown = JSON.parse(line);
        kinds.add(Object(difference).kind);
        expect(isDifference(difference), line).toBe(true);
      }
    }
    expect([...kinds].sort()).toEqual([
      "added",
      "added conversation",
      "changed",
      "missing",
      "missing conversation",
      "moved",
    ]);
  });

  it("is one for a message that was put in, and one for a message that was left out", async () => {
    const added = capture("added", {
      edit: (talk, say, step) => {
        if (step === "Cli2Auth_AcctLoginRequest") talk.says("Cli2Auth_ClientRegisterRequest", { buildId: 918 });
        say();
      },
    });
    const missing = capture("missing", {
      edit: without("Auth2Cli_AcctPlayerInfo"),
    });
    const old = capture("old");
    expect((await run(["check", added, "--expect", old])).stdout).toContain(
      "+ #6 Cli2Auth_ClientRegisterRequest was not expected\n",
    );
    expect((await run(["check", added, "--expect", old])).stdout).toContain(": 1 difference in 11 messages\n");
    const { stdout } = await run(["check", missing, "--expect", old]);
    expect(stdout).toContain("- Auth2Cli_AcctPlayerInfo is missing (expected as #7)\n");
    expect(stdout).toContain(": 1 difference in 9 messages\n");
  });
});

describe("what is compared", () => {
  const both = (): string[] => [
    "check",
    capture("new", {
      ...elsewhere,
      account: "bob",
      edit: replaced("Auth2Cli_AcctSetPlayerReply", { transactionId: 901, result: 1 }),
    }),
    "--expect",
    capture("old"),
  ];

  it.each([
    [["--ignore", "accountName", "--ignore", "result"], 0],
    [["--ignore", "accountName", "--ignore", "Auth2Cli_AcctSetPlayerReply.result"], 0],
    [["--ignore", "Cli2Auth_AcctLoginRequest", "--ignore", "Auth2Cli_AcctSetPlayerReply"], 0],
    [["--ignore", "accountName"], 4],
    [["--ignore", "Auth2Cli_AcctLoginReply.result", "--ignore", "accountName"], 4],
    [["--only", "Auth2Cli_AcctLoginReply"], 0],
    [["--only", "direction == s2c"], 4],
    [["--only", 'accountName == "bob"'], 4],
    [["--only", 'accountName == "bob"', "--ignore", "accountName"], 0],
    [["--only", "not Auth2Cli_AcctSetPlayerReply", "--ignore", "accountName"], 0],
    [["--only", "moul.game"], 0],
    [["--ignore", "time", "--ignore", "summary", "--ignore", "accountName", "--ignore", "result"], 0],
  ])("is as the user wants it: %j", async (args, code) => {
    const [check = "", found = "", expecting = "", old = ""] = both();
    expect(await run([check, found, expecting, old, ...args])).toMatchObject({ code });
    const lines = join(folder, "lines.jsonl");
    await run(["check", old, "--expect", lines, "--update"]);
    expect(await run([check, found, expecting, lines, ...args])).toMatchObject({ code });
  });

  it("leaves out what is missing if its line tells that it does not pass, and only then", async () => {
    const old = capture("old");
    const lines = join(folder, "lines.jsonl");
    await run(["check", old, "--expect", lines, "--update"]);
    const found = capture("new", { edit: without("Auth2Cli_AcctPlayerInfo") });
    const of = async (filter: string) => (await run(["check", found, "--expect", lines, "--only", filter])).code;
    expect(await of("direction == c2s")).toBe(0);
    expect(await of("moul.game")).toBe(0);
    expect(await of("not Auth2Cli_AcctPlayerInfo")).toBe(0);
    expect(await of("Auth2Cli_AcctLoginReply or plNetMsgVoice")).toBe(0);
    expect(await of("Auth2Cli_AcctPlayerInfo")).toBe(4);
    expect(await of('message contains "Player" and direction == s2c')).toBe(4);
    expect(await of('playerName == "Alice"')).toBe(4);
    // Nobody knows whether it would have passed.
    expect(await of('playerName == "Bob"')).toBe(4);
    expect(await of('playerName == "Bob" and direction == c2s')).toBe(0);
  });

  it.each([
    [["--ignore", "direction"], "--ignore direction: messages are told apart by it"],
    [["--ignore", "nosuch"], "there is no field, class or message nosuch"],
    [["--only", "nosuch == 1"], "there is no field, class or message nosuch"],
  ])("has to make sense: %j", async (args, reason) => {
    const { code, stdout, stderr } = await run([...both(), ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(reason);
  });

  it("tells of states that are not, without their descriptors", async () => {
    const nagus = sample("nagus-session.pcap");
    const { stderr } = await run(["check", nagus, "--expect", nagus]);
    expect(stderr).toBe(
      `moul-dissect: ${nagus}: 22 values of an unknown form were not compared: it is not known which of their bytes are times (of SDL records, --sdl tells it)\n`,
    );
  });
});

describe("--update", () => {
  it("writes lines as the schema says, of whatever there is", async () => {
    const isExpected = await schemaOf("expectation");
    for (const name of ["nagus-session.pcap", "bz107e-relay.pcap"]) {
      const path = join(folder, "lines.jsonl");
      rmSync(path, { force: true });
      expect(await run(["check", sample(name), "--expect", path, "--update", "-q"])).toMatchObject({ code: 0 });
      for (const line of linesOf(path)) expect(isExpected(JSON.parse(line)), line).toBe(true);
      expect(await run(["check", sample(name), "--expect", path, "-q"])).toMatchObject({ code: 0 });
    }
  });

  it("leaves a file alone that says the same", async () => {
    const old = capture("old");
    const path = join(folder, "old.expected.jsonl");
    await run(["check", old, "--update"]);
    utimesSync(path, 1, 1);
    const { code, stdout } = await run(["check", capture("new", elsewhere), "--expect", path, "--update"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}: it says the same already (10 messages)\n` });
    expect(statSync(path).mtimeMs).toBe(1000);
  });

  it("changes only lines that mean something else, and calls things as they were called", async () => {
    await run(["check", capture("old"), "--update"]);
    const path = join(folder, "old.expected.jsonl");
    const before = linesOf(path);
    const found = capture("new", {
      ...elsewhere,
      edit: (talk, say, step) => {
        if (step === "Auth2Cli_AcctLoginReply") {
          talk.says("Auth2Cli_AcctPlayerInfo", {
            transactionId: 900,
            playerVaultNodeId: 777,
            playerName: "Bob",
            avatarShape: "male",
            explorer: 1,
          });
        }
        if (step === "Cli2Auth_AcctSetPlayerRequest") talk.says(step, { transactionId: 901, playerVaultNodeId: 777 });
        else if (step !== "Auth2Cli_ClientRegisterReply") say();
      },
    });
    const { stdout } = await run(["check", found, "--expect", path, "--update"]);
    expect(stdout).toBe(`${path}: written (10 messages, 3 differences)\n`);
    const after = linesOf(path);
    expect(after.filter((line) => !before.includes(line)).map((line): unknown => JSON.parse(line))).toMatchObject([
      { message: "Auth2Cli_AcctPlayerInfo", fields: { transactionId: 1, playerVaultNodeId: 777, playerName: "Bob" } },
      { message: "Cli2Auth_AcctSetPlayerRequest", fields: { transactionId: 2, playerVaultNodeId: 777 } },
    ]);
    expect(before.filter((line) => !after.includes(line)).map((line) => Object(JSON.parse(line)).message)).toEqual([
      "Auth2Cli_ClientRegisterReply",
      "Cli2Auth_AcctSetPlayerRequest",
    ]);
    expect(await run(["check", found, "--expect", path])).toMatchObject({ code: 0 });
  });

  it("follows any change of a recorded session", async () => {
    const path = join(folder, "lines.jsonl");
    const steps = ["dirtsand-session.pcap", "dirtsand-plain.pcap", "regression/login.pcap", "nagus-session.pcap"];
    for (const name of steps) {
      await run(["check", sample(name), "--expect", path, "--update", "-q"]);
      expect(await run(["check", sample(name), "--expect", path, "-q"]), name).toMatchObject({ code: 0 });
    }
  });

  it("writes only what passes --only", async () => {
    const path = join(folder, "lines.jsonl");
    await run(["check", capture("old"), "--expect", path, "--update", "--only", "direction == c2s"]);
    expect(new Set(linesOf(path).map((line) => Object(JSON.parse(line)).direction))).toEqual(new Set(["c2s"]));
  });

  it("writes anew what is no expectation, but no capture, and nothing that could not be read as a whole", async () => {
    const old = capture("old");
    const path = join(folder, "lines.jsonl");
    writeFileSync(path, "{broken\n");
    const { code, stderr } = await run(["check", old, "--expect", path, "--update"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/lines\.jsonl:1: this is not JSON: .*; it is written anew\n$/);
    expect(linesOf(path).length).toBe(10);

    const other = capture("other");
    const bytes = readFileSync(other);
    expect(await run(["check", old, "--expect", other, "--update"])).toMatchObject({ code: 1 });
    expect(readFileSync(other).equals(bytes)).toBe(true);

    writeFileSync(other, bytes.subarray(0, -7));
    const refused = await run(["check", other, "--update"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("it is not written, as ");
    expect(() => statSync(join(folder, "other.expected.jsonl"))).toThrow();
  });
});

describe("an expectation that cannot be used", () => {
  it.runIf(modesCount)("is named where it may not be read", async () => {
    const path = capture("session");
    const expectation = join(folder, "session.expected.jsonl");
    writeFileSync(expectation, "", { mode: 0 });
    const { code, stderr } = await run(["check", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${expectation}: the file cannot be read: permission denied`);
  });

  it.each([
    ["{}", 'lines.jsonl:3: "schema" has to be one of'],
    ["[", "lines.jsonl:3: this is not JSON: "],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "lines.jsonl:3: this is not a JSON object"],
    ['{"schema":"moul-dissect.stream/1"}', 'lines.jsonl:3: "schema" has to be one of'],
  ])("is refused, with the line: %#", async (line, reason) => {
    const path = join(folder, "lines.jsonl");
    const old = capture("old");
    await run(["check", old, "--expect", path, "--update"]);
    const [first, ...others] = linesOf(path);
    writeFileSync(path, [first, "", line, ...others].join("\n"));
    const { code, stdout, stderr } = await run(["check", old, "--expect", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
  });

  it("may be nested as deeply as it likes", async () => {
    const path = join(folder, "lines.jsonl");
    const old = capture("old");
    await run(["check", old, "--expect", path, "--update"]);
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    writeFileSync(path, readFileSync(path, "utf8").replace('"buildId":918', `"buildId":${deep},"x":${deep}`));
    const { code, stderr } = await run(["check", old, "--expect", path]);
    expect([2, 4]).toContain(code);
    expect(stderr).not.toContain("internal error");
  });

  it("is that nothing is said, if it is empty", async () => {
    const path = join(folder, "empty.jsonl");
    writeFileSync(path, "");
    const { code, stdout } = await run(["check", capture("old"), "--expect", path]);
    expect(code).toBe(4);
    expect(stdout).toContain("+ the whole conversation was not expected: 10 messages\n");
  });
});

describe("a folder", () => {
  it("is checked capture by capture, each with what is beside it", async () => {
    const recordings = join(folder, "recordings");
    mkdirSync(recordings);
    cpSync(sample("regression/login.pcap"), join(recordings, "a.pcap"));
    cpSync(sample("regression/changed/login.pcap"), join(recordings, "b.pcap"));
    cpSync(sample("regression/login.expected.jsonl"), join(recordings, "a.expected.jsonl"));
    writeFileSync(join(recordings, "notes.txt"), "milk\n");
    const missing = await run(["check", recordings]);
    expect(missing.code).toBe(2);
    expect(missing.stdout).toBe(`${join(recordings, "a.pcap")}: 14 messages as expected\n`);
    expect(missing.stderr).toContain("there is no expectation");
    expect(missing.stderr).toContain("--update");
    cpSync(sample("regression/login.expected.jsonl"), join(recordings, "b.expected.jsonl"));
    const { code, stdout } = await run(["check", recordings]);
    expect(code).toBe(4);
    expect(stdout).toContain(`${join(recordings, "b.pcap")}: 1 difference in 14 messages\n`);
    expect(await run(["check", recordings, "--update"])).toMatchObject({ code: 0 });
    expect(await run(["check", join(recordings, "a.pcap"), recordings])).toMatchObject({ code: 0 });
  });
});

describe("--junit", () => {
  interface Element {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
    text: string;
  }

  /** The elements of a file, which has to be well-formed. */
  function elementsOf(xml: string): Element[] {
    const parser = new SaxesParser();
    const elements: Element[] = [];
    const open: Element[] = [];
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", ({ name, attributes }) => {
      const element = { name, attributes, text: "" };
      elements.push(element);
      open.push(element);
    });
    parser.on("text", (text) => {
      const element = open.at(-1);
      if (element !== undefined) element.text += text;
    });
    parser.on("closetag", () => void open.pop());
    parser.write(xml).close();
    return elements;
  }

  it("is well-formed XML whatever was captured, with a test for each conversation", async () => {
    const hostile = 'x]]>&<"\u0000\u0008\u001b\ud800\ufffe\r\n\tend';
    const found = capture("new", { ...elsewhere, account: "alice" });
    const path = join(folder, "lines.jsonl");
    await run(["check", capture("old"), "--expect", path, "--update"]);
    writeFileSync(path, readFileSync(path, "utf8").replace('"alice"', JSON.stringify(hostile)));
    const report = join(folder, "report.xml");
    writeFileSync(report, "of the last run");
    expect(await run(["check", found, "--expect", path, "--junit", report])).toMatchObject({ code: 4 });
    const [suites, suite, test, failure] = elementsOf(readFileSync(report, "utf8"));
    expect(suites).toMatchObject({ name: "testsuites", attributes: { tests: "1", failures: "1", errors: "0" } });
    expect(suite).toMatchObject({ name: "testsuite", attributes: { name: found } });
    expect(test).toMatchObject({
      name: "testcase",
      attributes: { classname: found, name: "moul.auth conversation 1 (stream 0)" },
    });
    expect(failure).toMatchObject({ name: "failure", attributes: { message: "1 difference" } });
    expect(failure?.text).toContain('x]]>&<"\\u0000\\u0008\\u001b');
    expect(failure?.text).toContain("        + alice");
    expect(failure?.text).toMatch(/ \(expected in line \d+\)/);
  });

  it("tells what passed, and what could not be checked", async () => {
    const old = capture("old");
    capture("other");
    const report = join(folder, "report.xml");
    await run(["check", old, "--update"]);
    expect(await run(["check", folder, "--junit", report])).toMatchObject({ code: 2 });
    const elements = elementsOf(readFileSync(report, "utf8"));
    expect(elements.map(({ name }) => name)).toEqual([
      "testsuites",
      "testsuite",
      "testcase",
      "testsuite",
      "testcase",
      "error",
    ]);
    expect(elements.at(-1)?.attributes["message"]).toMatch(/there is no expectation/);
  });

  it("does not overwrite what is read", async () => {
    const old = capture("old");
    expect(await run(["check", old, "--expect", old, "--junit", old])).toMatchObject({ code: 1 });
  });

  it("and -o overwrite neither the expectation nor each other", async () => {
    const old = capture("old");
    const path = join(folder, "old.expected.jsonl");
    await run(["check", old, "--update"]);
    const expected = readFileSync(path, "utf8");
    for (const args of [
      ["--junit", path],
      ["-o", path, "--force"],
      ["--update", "--junit", path],
    ]) {
      const { code, stderr } = await run(["check", old, ...args]);
      expect(stderr).toContain(`this is the input ${path}, which would be overwritten`);
      expect(code).toBe(1);
    }
    expect(readFileSync(path, "utf8")).toBe(expected);
    const both = join(folder, "both.txt");
    const { code, stderr } = await run(["check", old, "--junit", join(folder, ".", "both.txt"), "-o", both]);
    expect(stderr).toContain("-o and --junit name the same file");
    expect(code).toBe(1);
    expect(existsSync(both)).toBe(false);
    if (!isPosix) {
      expect((await run(["check", old, "--junit", join(folder, "BOTH.txt"), "-o", both])).code).toBe(1);
    } else {
      expect(await run(["check", old, "--junit", "/dev/null", "-o", "/dev/null"])).toMatchObject({ code: 0 });
      writeFileSync(both, "of the last run");
      const link = join(folder, "link.txt");
      symlinkSync(both, link);
      const linked = await run(["check", old, "--junit", link, "-o", both, "--force"]);
      expect(linked.stderr).toContain("-o and --junit name the same file");
      expect(readFileSync(both, "utf8")).toBe("of the last run");
    }
  });
});

describe.runIf(isPosix)("an expectation in a pipe, as jq writes it", () => {
  it("is read once, and cannot be updated", async () => {
    const old = capture("old");
    const path = join(folder, "old.expected.jsonl");
    await run(["check", old, "--update"]);
    const lines = readFileSync(path, "utf8");
    const pipe = join(folder, "pipe");
    spawnSync("mkfifo", [pipe]);
    const compared = async (text: string) => {
      const [outcome] = await Promise.all([run(["check", old, "--expect", pipe]), writeFile(pipe, text)]);
      return outcome;
    };
    expect(await compared(lines)).toMatchObject({ code: 0 });
    expect(await compared(lines.replace('"alice"', '"alicia"'))).toMatchObject({ code: 4 });
    expect((await compared("no JSON\n")).stderr).toContain(`${pipe}:1: this is not JSON`);
    const { code, stderr } = await run(["check", old, "--expect", pipe, "--update"]);
    expect(stderr).toContain(`${pipe}: this is not a file, so it cannot be updated`);
    expect(code).toBe(1);
  });

  it("is told where it cannot be read to its end, which is no end of what is expected", async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from("\n");
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    }
    const { code, stderr } = await run(["check", capture("old"), "--expect", "-"], {}, Readable.from(failing()));
    expect(stderr).toContain("standard input: the file cannot be read: the disk or device failed");
    expect(code).toBe(2);
  });

  it("is not standard input where the capture is", async () => {
    const { code, stderr } = await run(["check", "-", "--expect", "-"]);
    expect(stderr).toContain("the capture and --expect cannot both be standard input");
    expect(code).toBe(1);
  });
});

describe("a capture that cannot be read, or only in part", () => {
  it("is told, and compared as far as it goes", async () => {
    const old = capture("old");
    expect(await run(["check", join(folder, "nowhere.pcap"), "--expect", old])).toMatchObject({ code: 2, stdout: "" });
    const cut = join(folder, "cut.pcap");
    writeFileSync(cut, readFileSync(old).subarray(0, -400));
    writeFileSync(`${cut}.keys`, readFileSync(`${old}.keys`));
    const { code, stdout } = await run(["check", cut, "--expect", old]);
    expect(code).toBe(2);
    expect(stdout).toContain("Auth2Cli_AcctSetPlayerReply is missing");
  });
});
