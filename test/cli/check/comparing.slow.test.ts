import { readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { jsonLines, run, uncheckedRun } from "../../support/command-line.js";
import { sample } from "../../support/samples.js";
import { elsewhere, linesOf, recordings, replaced, schemaOf, without } from "./support/recordings.js";

const { capture, file } = recordings();

describe("two recordings of the same session", () => {
  it("are the same at other times, from other ports and addresses, with other keys, challenges and numbers", async () => {
    const outcome = await run(["check", capture("new", elsewhere), "--expect", capture("old")]);
    expect(outcome).toEqual({ code: 0, stdout: `${file("new.pcap")}: 10 messages as expected\n`, stderr: "" });
  });

  it("are the same if a shard was recorded twice, except for the fields that say that one is encrypted", async () => {
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

  it("are the same for BZFlag, and with a loss", async () => {
    expect(await run(["check", sample("bz107e-ctf.pcap"), "--expect", sample("bz107e-ctf.pcap")])).toMatchObject({
      code: 0,
    });
    const path = capture("lossy", { noSyn: true });
    expect(await run(["check", path, "--expect", path])).toMatchObject({ code: 0 });
  });

  it("differ by the order in which a server notifies its clients, unless any order will do", async () => {
    const args = ["check", sample("dirtsand-plain.pcap"), "--expect", sample("dirtsand-session.pcap"), "-q", "--json"];
    const kinds = async (...more: readonly string[]) => {
      const { stdout } = await run([...args, "--ignore", "y", "--ignore", "seed", ...more]);
      return jsonLines(stdout).map(({ kind }) => kind);
    };
    expect(await kinds()).toEqual(["changed", "moved", "moved", "moved", "moved", "moved"]);
    expect(await kinds("--any-order")).toEqual(["changed"]);
  });

  it("may be lines printed by --json", async () => {
    const path = file("raw.jsonl");
    writeFileSync(path, (await uncheckedRun([sample("nagus-session.pcap"), "--json"])).stdout.replaceAll("\n", "\r\n"));
    expect(await run(["check", sample("nagus-session.pcap"), "--expect", path, "-q"])).toMatchObject({ code: 0 });
  });

  it.each(["utf8", "utf16le"] as const)("may begin with a byte order mark: %s", async (encoding) => {
    const [path, old] = [file("marked.jsonl"), capture("old")];
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

${file("new.pcap")}: 1 difference in 10 messages
`,
    });
  });

  it("is a number that changed consistently elsewhere, but not here", async () => {
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

  it("is coloured on request, and contains nothing that a terminal obeys", async () => {
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

  it("of each kind matches the schema", async () => {
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

  it("is one of the first hundred that are shown as text", async () => {
    const session = sample("bz107e-relay.pcap");
    const half = file("half.jsonl");
    const lines = (await run([session, "--json"])).stdout.split("\n");
    writeFileSync(half, lines.slice(0, lines.length >> 1).join("\n"));
    const args = ["check", session, "--expect", half];
    const { stdout } = await run(args);
    const more = Number(/^and (\d+) more; --json lists them all$/m.exec(stdout)?.[1]);
    expect(jsonLines((await run([...args, "--json"])).stdout)).toHaveLength(100 + more);
  });

  it("is reported once for an inserted message, and once for an omitted one", async () => {
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
  ])("depends on the options: %j", async (args, code) => {
    const [check = "", found = "", expecting = "", old = ""] = both();
    expect(await run([check, found, expecting, old, ...args])).toMatchObject({ code });
    const lines = file("lines.jsonl");
    await run(["check", old, "--expect", lines, "--update"]);
    expect(await run([check, found, expecting, lines, ...args])).toMatchObject({ code });
  });

  it("leaves out a missing message only if its line shows that it does not pass", async () => {
    const old = capture("old");
    const lines = file("lines.jsonl");
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
    // It is unknown whether it would have passed.
    expect(await of('playerName == "Bob"')).toBe(4);
    expect(await of('playerName == "Bob" and direction == c2s')).toBe(0);
  });

  it("leaves out what is missing by the classes in it, too", async () => {
    const path = file("lines.jsonl");
    const found = sample("dirtsand-plain.pcap");
    await run(["check", found, "--expect", path, "--update", "-q"]);
    const lines = linesOf(path);
    const more = lines.findLast((line) => line.includes('"class":"plNetMsg'));
    const [, name] = /"class":"(plNetMsg\w+)"/.exec(more ?? "") ?? [];
    writeFileSync(path, [...lines, more, ""].join("\n"));
    const of = async (filter: string) => (await run(["check", found, "--expect", path, "-q", "--only", filter])).code;
    expect([await of(`${name}`), await of(`not ${name}`)]).toEqual([4, 0]);
  });

  it("may be in what is known of a message besides its fields, unless that is ignored", async () => {
    const old = capture("old");
    const path = file("lines.jsonl");
    await run(["check", old, "--expect", path, "--update"]);
    const lines = linesOf(path).map((line) => line.replace('"status":"ok"', '"status":"unknown"'));
    writeFileSync(path, lines.join("\n"));
    expect((await run(["check", old, "--expect", path])).code).toBe(4);
    expect((await run(["check", old, "--expect", path, "--ignore", "status"])).code).toBe(0);
    expect((await run(["check", old, "--expect", path, "--ignore", "notes"])).code).toBe(4);
  });

  it.each([
    [["--ignore", "direction"], "--ignore direction: it is needed to tell messages apart"],
    [["--ignore", "gap"], "gap is not a field or message: --only 'not gap' leaves it out"],
    [["--ignore", "nosuch"], "there is no field, class or message nosuch"],
    [["--only", "nosuch == 1"], "there is no field, class or message nosuch"],
  ])("has to make sense: %j", async (args, reason) => {
    const { code, stdout, stderr } = await run([...both(), ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(reason);
  });

  it("does not include states without their descriptors, which is reported", async () => {
    const nagus = sample("nagus-session.pcap");
    const { stderr } = await run(["check", nagus, "--expect", nagus]);
    expect(stderr).toBe(
      `moul-dissect: ${nagus}: 9 values of an unknown form were not compared: it is not known which bytes are times (for SDL records, --sdl provides this)\n`,
    );
  });
});
