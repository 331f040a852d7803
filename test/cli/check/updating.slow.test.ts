import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../support/command-line.js";
import { sample } from "../../support/samples.js";
import { elsewhere, linesOf, recordings, schemaOf, without } from "./support/recordings.js";

const { capture, file } = recordings();

describe("--update", () => {
  it("writes lines that match the schema, whatever the content", async () => {
    const isExpected = await schemaOf("expectation");
    for (const name of ["nagus-session.pcap", "bz107e-relay.pcap"]) {
      const path = file("lines.jsonl");
      rmSync(path, { force: true });
      expect(await run(["check", sample(name), "--expect", path, "--update", "-q"])).toMatchObject({ code: 0 });
      for (const line of linesOf(path)) expect(isExpected(JSON.parse(line)), line).toBe(true);
      expect(await run(["check", sample(name), "--expect", path, "-q"])).toMatchObject({ code: 0 });
    }
  });

  it("writes -0 as it is", async () => {
    const path = file("lines.jsonl");
    const session = sample("bz107e-ctf.pcap");
    expect(await run(["check", session, "--expect", path, "--update", "-q"])).toMatchObject({ code: 0 });
    expect(readFileSync(path, "utf8").split('"y":-0,')).toHaveLength(7);
    expect(await run(["check", session, "--expect", path, "-q"])).toMatchObject({ code: 0 });
  });

  it("leaves a file alone that already says the same", async () => {
    const old = capture("old");
    const path = file("old.expected.jsonl");
    await run(["check", old, "--update"]);
    utimesSync(path, 1, 1);
    const { code, stdout } = await run(["check", capture("new", elsewhere), "--expect", path, "--update"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}: already up to date (10 messages)\n` });
    expect(statSync(path).mtimeMs).toBe(1000);
  });

  it("changes only lines that mean something else, and keeps the identifiers", async () => {
    await run(["check", capture("old"), "--update"]);
    const path = file("old.expected.jsonl");
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

  it("adds what is said first in front of lines that stay as they are", async () => {
    const old = capture("old");
    await run(["check", old, "--update"]);
    const path = file("old.expected.jsonl");
    const [first, ...others] = linesOf(path);
    const kept = others.map((line) => line.replace("{", "{ "));
    writeFileSync(path, kept.map((line) => `${line}\n`).join(""));
    expect((await run(["check", old, "--update"])).stdout).toBe(`${path}: written (10 messages, 1 difference)\n`);
    expect(linesOf(path)).toEqual([first, ...kept]);
  });

  it("follows any change of a recorded session", async () => {
    const path = file("lines.jsonl");
    const steps = ["dirtsand-session.pcap", "dirtsand-plain.pcap", "regression/login.pcap", "nagus-session.pcap"];
    for (const name of steps) {
      await run(["check", sample(name), "--expect", path, "--update", "-q"]);
      expect(await run(["check", sample(name), "--expect", path, "-q"]), name).toMatchObject({ code: 0 });
    }
  });

  it("is refused if something else is written to the same file, even if there is none yet", async () => {
    const old = capture("old");
    const path = file("old.expected.jsonl");
    rmSync(path, { force: true });
    for (const option of ["-o", "--junit"]) {
      const { code, stderr } = await run(["check", old, "--update", option, file(".", "old.expected.jsonl")]);
      expect(stderr).toContain("this is the expectation, which --update writes");
      expect([code, existsSync(path)]).toEqual([1, false]);
    }
  });

  it("is refused if JSON is wanted, of which there is none", async () => {
    const old = capture("old");
    const path = file("old.expected.jsonl");
    rmSync(path, { force: true });
    const { code, stdout, stderr } = await run(["check", old, "--update", "--json"]);
    expect([code, stdout, existsSync(path)]).toEqual([1, "", false]);
    expect(stderr).toContain("option '--json' cannot be used with option '--update'");
  });

  it("says so if the file cannot be written", async () => {
    const path = file("missing", "lines.jsonl");
    const { code, stdout, stderr } = await run(["check", capture("old"), "--expect", path, "--update"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${path} cannot be written: `);
  });

  it("writes only what passes --only", async () => {
    const path = file("lines.jsonl");
    await run(["check", capture("old"), "--expect", path, "--update", "--only", "direction == c2s"]);
    expect(new Set(linesOf(path).map((line) => Object(JSON.parse(line)).direction))).toEqual(new Set(["c2s"]));
  });

  it("leaves lines alone that --only or --ignore leaves out, and writes none of such messages", async () => {
    const old = capture("old");
    const path = file("lines.jsonl");
    const found = capture("new", { account: "bob", edit: without("Auth2Cli_ClientRegisterReply") });
    const result = async (...args: readonly string[]) => {
      rmSync(path, { force: true });
      await run(["check", old, "--expect", path, "--update"]);
      const before = linesOf(path);
      const { stdout } = await run(["check", found, "--expect", path, "--update", ...args]);
      expect(await run(["check", found, "--expect", path, ...args]), args.join(" ")).toMatchObject({ code: 0 });
      const after = linesOf(path);
      const messages = (lines: readonly string[], others: readonly string[]) =>
        lines.filter((line) => !others.includes(line)).map((line) => String(Object(JSON.parse(line)).message));
      return { stdout, gone: messages(before, after), added: messages(after, before) };
    };
    const reply = "Auth2Cli_ClientRegisterReply";
    const request = "Cli2Auth_AcctLoginRequest";
    const written = (count: number) => `${path}: written (${count} messages, 1 difference)\n`;
    expect(await result("--ignore", reply)).toEqual({ stdout: written(9), gone: [request], added: [request] });
    expect(await result("--ignore", request)).toEqual({ stdout: written(8), gone: [reply], added: [] });
    expect(await result("--only", "direction == c2s")).toEqual({
      stdout: written(5),
      gone: [request],
      added: [request],
    });
    expect(await result("--only", `${request} and accountName == "bob"`)).toMatchObject({
      gone: [request],
      added: [request],
    });
  });

  it("leaves out of a new file what --ignore leaves out", async () => {
    const path = file("lines.jsonl");
    const args = ["--ignore", "Cli2Auth_AcctLoginRequest"];
    const { stdout } = await run(["check", capture("old"), "--expect", path, "--update", ...args]);
    expect(stdout).toBe(`${path}: written (9 messages)\n`);
    expect(linesOf(path)).toHaveLength(9);
  });

  it("rewrites a file of anything else, except a capture or one that could not be read completely", async () => {
    const old = capture("old");
    const path = file("lines.jsonl");
    writeFileSync(path, "{broken\n");
    const { code, stdout, stderr } = await run(["check", old, "--expect", path, "--update"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}: written (10 messages)\n` });
    expect(stderr).toMatch(/lines\.jsonl:1: this is not JSON: .*; the file will be rewritten\n$/);
    expect(linesOf(path).length).toBe(10);

    const other = capture("other");
    const bytes = readFileSync(other);
    expect(await run(["check", old, "--expect", other, "--update"])).toMatchObject({ code: 1 });
    expect(readFileSync(other).equals(bytes)).toBe(true);

    writeFileSync(other, bytes.subarray(0, -7));
    const refused = await run(["check", other, "--update"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("not written, because ");
    expect(() => statSync(file("other.expected.jsonl"))).toThrow();
  });
});
