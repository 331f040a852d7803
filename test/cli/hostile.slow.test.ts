import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { blob } from "../dissectors/moul/sdl/given.js";
import { rawPcapFile } from "../support/captures.js";
import { type Run, run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { isPosix } from "../support/platform.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

/** Captured text and file names are data: none of it acts on a terminal. */

const folder = temporaryFolder();
const file = filesIn(folder);

/** Clears the screen, colours, reverses text, breaks lines, hides and joins characters, and ends in half of one. */
const HOSTILE =
  '\u001b[2J\u001b[31m\u009b1m\u202e\u2066a\r\nb\u2028\u2029\u0007\u0000\u200b\ufeff"\\\u{e0041}\u00ad\ud83d';
const HARMLESS = "Шора! 中文 📖 \"'\\";

/** What terminal text must not contain: controls except line feeds, invisible characters, half characters. */
const UNSAFE = /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u;

function chat(text: string): Uint8Array {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  talk.says("Cli2Game_PropagateBuffer", {
    classIndex: 814,
    buffer: {
      class: "plNetMsgGameMessageDirected",
      flags: 0,
      stream: {
        uncompressedLength: 0,
        compressionType: 0,
        data: {
          class: "pfKIMsg",
          sender: { nonNull: 0 },
          receiverCount: 0,
          receivers: [],
          timestamp: 0,
          broadcastFlags: 0,
          command: 0,
          senderName: text.replace(/\P{ASCII}|\0/gu, "?"),
          senderKiNumber: 134,
          messageText: text,
          flags: 0,
          channel: 0,
          reservedFlags: 0,
          delay: 0,
          value: 0,
        },
      },
      deliveryTimePresent: 0,
      receiverCount: 0,
      receivers: [],
    },
  });
  return rawPcapFile(packetsOf(talk));
}

function player(playerName: string) {
  return { transactionId: 1, playerVaultNodeId: 7, playerName, avatarShape: "male", explorer: 1 };
}

/** A client that has a player with this name. */
function named(playerName: string): Uint8Array {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  talk.says("Auth2Cli_AcctPlayerInfo", player(playerName));
  talk.says("Cli2Auth_AcctSetPlayerRequest", { transactionId: 2, playerVaultNodeId: 7 });
  talk.says("Cli2Auth_PingRequest", { pingTime: 1, transactionId: 3, payloadByteCount: 0, payload: new Uint8Array(0) });
  return rawPcapFile(packetsOf(talk));
}

/** Checks that the output is only text; `shown` is a part of it. */
function harmless(outcome: Run, shown = ""): Run {
  expect(outcome.code).toBe(0);
  expect(outcome.stdout).toContain(shown);
  expect(UNSAFE.exec(outcome.stdout)?.[0]).toBeUndefined();
  expect(UNSAFE.exec(outcome.stderr)?.[0]).toBeUndefined();
  return outcome;
}

describe("a chat message with escape sequences", () => {
  const capture = file("chat.pcap", chat(HOSTILE));

  it.each(["tree", "summary", "json", "json-tree"])(
    "reaches the terminal only as harmless text (%s)",
    async (format) => {
      for (const color of ["never", "always"]) {
        const { code, stdout, stderr } = await run([capture, "--format", format, "--color", color]);
        expect(code).toBe(0);
        expect(stderr).toBe("");
        expect(stdout).toContain("pfKIMsg");
        // The colours are the program's own.
        const text = color === "always" ? stripVTControlCharacters(stdout) : stdout;
        expect(UNSAFE.exec(text)?.[0]).toBeUndefined();
        expect(text.split("\n").filter((line) => line.startsWith("b"))).toEqual([]);
      }
    },
  );

  it("is complete in JSON", async () => {
    const { stdout } = await run([capture, "--json"]);
    const line = stdout.split("\n").find((text) => text.includes("pfKIMsg")) ?? "";
    // Half of a surrogate pair is not valid text: jq refuses a line that has one.
    const messageText = HOSTILE.replace(/\p{Cs}/gu, "\ufffd");
    expect(JSON.parse(line)).toMatchObject({ fields: { buffer: { stream: { data: { messageText } } } } });
  });

  it("is shown as escapes in text", async () => {
    const { stdout } = await run([capture, "--format", "summary"]);
    expect(stdout).toContain("\\u001b[2J\\u001b[31m\\u009b1m\\u202e\\u2066a\\r\\nb\\u2028\\u2029\\u0007\\u0000");
  });
});

describe("a hostile name and text", () => {
  const capture = file("names.pcap", named(HOSTILE));
  const pagerScript = "process.stdin.pipe(require('fs').createWriteStream(process.env.PAGED))";

  it.each([
    [["--csv", "-e", "playerName", "-e", "summary", "-e", "number"]],
    [["--format", "fields", "-e", "playerName"]],
    [["--format", "tree", "--hex", "--time", "delta"]],
    [["--format", "summary", "--time", "relative"]],
  ])("are harmless with %j", async (args) => {
    harmless(await run([capture, ...args]), "u001b[2J");
  });

  it.each([
    ["streams"],
    ["streams", "--json"],
    ["stats"],
    ["stats", "--json"],
    ["follow", "--stream", "0"],
    ["follow", "--stream", "0", "--as", "hex"],
  ])("are harmless in %s %s", async (command, ...args) => {
    const { stdout } = harmless(await run([command, capture, ...args]));
    if (command === "stats") expect(stdout).toContain("u001b[2J");
  });

  it("are harmless in the pager", async () => {
    const paged = join(folder, "paged.txt");
    const env = { PAGER: `"${process.execPath}" -e "${pagerScript}"`, PAGED: paged, TERM: "dumb" };
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
    expect(await main([capture], { stdout, stderr, env })).toBe(0);
    const text = readFileSync(paged, "utf8");
    expect(text).toContain("u001b[2J");
    expect(UNSAFE.exec(text)?.[0]).toBeUndefined();
  });

  it("are harmless in a summary that fits a terminal", async () => {
    for (const args of [[], ["--wide"], ["--columns", "number,playerName,info"], ["--columns", "info,playerName"]]) {
      const [stdout, stderr] = [new FakeTerminal(100), new FakeTerminal(100)];
      const code = await main([capture, "--format", "summary", "--color", "never", ...args], {
        stdout,
        stderr,
        env: {},
      });
      harmless({ code, stdout: stdout.text, stderr: stderr.text }, "u001b[2J");
    }
  });

  it("are harmless if bytes from elsewhere are decoded", async () => {
    const hex = Buffer.from(new MoulTalk("auth").message("Auth2Cli_AcctPlayerInfo", player(HOSTILE))).toString("hex");
    for (const args of [[], ["--json"], ["--format", "json-tree"], ["--format", "summary"], ["--hex"]]) {
      harmless(await run(["decode", "Auth2Cli_AcctPlayerInfo", hex, ...args]), "u001b[2J");
    }
  });

  it.runIf(isPosix)("are harmless in a file of descriptors, and in remarks about it", async () => {
    const odd = HOSTILE.replace(/[[\r\n"\0\u2028\u2029]/gu, "");
    const descriptors = `STATEDESC Thing { VERSION 1 VAR INT v${odd}[1] }\nSTATEDESC x${odd} { VERSION 1 VAR BAD${odd} y[1] }`;
    const sdl = file(`odd${"\u001b[31m"}.sdl`, descriptors);
    const record = blob("Thing", 1, "0000 06 01 0000 2a000000 00");
    const hex = Buffer.from(record).toString("hex");
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = harmless(await run(["decode", "sdl", hex, "--sdl", sdl, ...args]), "v\\u001b2J");
      expect(stdout + stderr).toContain("\\u001b[31m");
    }
  });

  it("do not make a spreadsheet run anything", async () => {
    for (const formula of [
      "=1+1",
      "+1",
      "-1+1",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "=cmd|' /C calc'!A0",
      "\uff1d1",
      '"=1',
      " =1",
      "a;=1",
      "a; +1",
    ]) {
      const { stdout } = await run([
        file("formula.pcap", named(formula)),
        "--csv",
        "-e",
        "playerName",
        "-Y",
        "playerName",
      ]);
      const cell = stdout
        .trimEnd()
        .replace(/^"(.*)"$/s, "$1")
        .replaceAll('""', '"');
      for (const part of cell.split(";")) expect(part).not.toMatch(/^\s*[=+@"\uff1d-]/u);
    }
  });
});

describe("what the user has typed, such as names expanded by a shell", () => {
  const evil = "\u001b[2J\u202ex";
  const capture = file("typed.pcap", chat("hello"));

  it.each([
    [[`--${evil}`]],
    [["--format", evil, capture]],
    [["--time", evil, capture]],
    [["--count", evil, capture]],
    [["--fail-on", evil, capture]],
    [["--limit", `${evil}=1`, capture]],
    [["--color", evil, capture]],
    [[capture, "-Y", evil]],
    [[capture, "-Y", `text == "${evil}`]],
    [[capture, "-e", evil]],
    [[capture, "-d", evil]],
    [[capture, "-d", `tcp.port==5,${evil}`]],
    [[capture, "--dissector", evil]],
    [[capture, "--sdl-key", evil]],
    [["follow", capture, "--stream", evil]],
    [["follow", capture, "--stream", "0", "--as", evil]],
    [["decode", evil]],
    [["fields", evil]],
    [["schema", evil]],
    [["schema", "--of", evil]],
    [["streams", `--${evil}`]],
    [["completion", evil]],
  ])("is shown escaped, never raw: %j", async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toContain("u001b[2J");
    expect(UNSAFE.exec(stdout + stderr)?.[0]).toBeUndefined();
  });
});

describe("text in other scripts", () => {
  it("is left as it is", async () => {
    const capture = file("shorah.pcap", chat(HARMLESS));
    expect((await run([capture])).stdout).toContain(JSON.stringify(HARMLESS));
    expect((await run([capture, "--format", "summary"])).stdout).toContain(HARMLESS);
    expect((await run([capture, "--json"])).stdout).toContain(`"messageText":${JSON.stringify(HARMLESS)}`);
  });

  it("is not cut in the middle of a character", async () => {
    const capture = file("long.pcap", chat(`${"x".repeat(59)}📖📖`));
    const { stdout } = await run([capture, "--format", "summary"]);
    expect(stdout).toContain(`messageText="${"x".repeat(59)}…"`);
  });
});

describe.runIf(isPosix)("names of files with escape sequences", () => {
  const name = "evil\u001b[31m\u202e.x";

  it("are shown as escapes", async () => {
    for (const args of [
      [join(folder, name)],
      [file(name, "text")],
      [file("chat.pcap", chat("hello")), "--keys", file(`${name}.keys`, "milk")],
      [file("chat.pcap", chat("hello")), "-o", join(folder, `none${name}`, "out.txt")],
    ]) {
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toContain("evil\\u001b[31m\\u202e.x");
      expect(UNSAFE.exec(stderr)?.[0]).toBeUndefined();
    }
  });
});
