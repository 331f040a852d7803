import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { sample } from "../support/samples.js";
import { hasTmux, Terminal } from "../support/tmux.js";

/** A session on a real terminal: what a person sees, and the keys that a person presses. */

const CAPTURE = sample("dirtsand-session.pcap");
const KEYS = sample("dirtsand-session.keys");
const ESCAPE = "\u001b[";
const available = hasTmux("less");

describe.runIf(available)("in a terminal", { timeout: 60_000 }, () => {
  let folder = "";
  let terminal: Terminal | undefined;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "moul-dissect-terminal-"));
    const program = buildProgram(join(folder, "installed"));
    writeFileSync(join(folder, "moul-dissect"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(join(folder, "moul-dissect"), 0o755);
  }, 60_000);

  afterEach(() => terminal?.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A terminal with a shell that knows the program. */
  function open(columns = 80, rows = 24): Terminal {
    terminal = new Terminal(folder, `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`, columns, rows);
    return terminal;
  }

  it("the field tree goes through less, and q quits without a message", async () => {
    const shell = open();
    shell.begin(`moul-dissect ${CAPTURE}`);
    expect(await shell.shows(/^:$/m)).toMatch(/^#1 .*\n.* Cli2GateKeeper_Connect/m);
    expect(shell.output(true)).toContain(ESCAPE);
    shell.press("q");
    const { code, output } = await shell.ended();
    expect(code).toBe(0);
    expect(output).not.toContain("moul-dissect:");
  });

  it.each([
    [`${CAPTURE} --format summary`, /^ {4}1 .* Connect .*/m],
    [`stats ${CAPTURE}`, /^Messages: 574/m],
    [`follow ${CAPTURE} --stream 3`, /^> #\d+ /m],
    ["fields moul.game", /^moul\.game /m],
    [`players ${CAPTURE}`, /^127\.0\.0\.1 \(no player chosen\)/m],
    [`vault ${CAPTURE}`, /^10124 Alice of D'ni/m],
    [`sdl ${CAPTURE}`, /^#\d+ .* AgeSDLHook in The Test Hood \(18\) Neighborhood/m],
  ])("so does what %s prints", async (args, shown) => {
    const shell = open();
    shell.begin(`moul-dissect ${args}`);
    expect(await shell.shows(/^:$/m)).toMatch(shown);
    expect(shell.output(true)).toContain(ESCAPE);
    shell.press("q");
    expect(await shell.ended()).toMatchObject({ code: 0 });
  });

  it("output that fits on a screen is shown without waiting, and --no-pager never waits", async () => {
    const shell = open();
    const short = await shell.run(`moul-dissect ${CAPTURE} -c 1`);
    expect(short.code).toBe(0);
    expect(short.output).toMatch(/^#1 /);
    const long = await shell.run(`moul-dissect ${CAPTURE} --no-pager -c 60`);
    expect(long.code).toBe(0);
    expect(long.output).toMatch(/^#60 /m);
  });

  it("there are colours, unless they are unwanted", async () => {
    const shell = open(200);
    const line = `moul-dissect ${CAPTURE} --format summary -c 3`;
    const colored = async (command: string) => {
      expect(await shell.run(command)).toMatchObject({ code: 0 });
      return shell.output(true).includes(ESCAPE);
    };
    expect(await colored(line)).toBe(true);
    expect(await colored(`NO_COLOR=1 ${line}`)).toBe(false);
    expect(await colored(`TERM=dumb ${line}`)).toBe(false);
    expect(await colored(`${line} --color never`)).toBe(false);
    expect(await colored(`moul-dissect stats ${CAPTURE} --no-pager`)).toBe(true);
    expect(await colored(`NO_COLOR=1 moul-dissect stats ${CAPTURE} --no-pager`)).toBe(false);
    expect(await colored(`${line} | cat`)).toBe(false);
  });

  it.each(["streams", "stats"])("of 60 columns, %s does not break its lines", async (command) => {
    const { code, output } = await open(60, 400).run(`moul-dissect ${command} ${CAPTURE}`);
    expect(code).toBe(0);
    // A broken line would continue with something that no line begins with.
    const { stdout } = await run([command, CAPTURE]);
    const words = new Set(stdout.split(/\s+/));
    const begins = output.split("\n").map((line) => line.trim().split(/\s+/)[0] ?? "");
    expect(begins.filter((word) => !words.has(word))).toEqual([]);
    expect(output).toMatch(
      command === "streams"
        ? /^ +8 {2}rc4 +recovered: server private value of auth.*…$/m
        : /^Cli2Game_JoinAgeRequest {17}3\.\d{3} {2}3\.\d{3}$/m,
    );
  });

  /** A client that has players with these names. */
  function named(names: readonly string[]): string {
    const talk = new MoulTalk("auth", { encryption: "none" }).opens();
    for (const playerName of names) {
      const player = { transactionId: 1, playerVaultNodeId: 7, playerName, avatarShape: "male", explorer: 1 };
      talk.says("Auth2Cli_AcctPlayerInfo", player);
    }
    const path = join(folder, "names.pcap");
    writeFileSync(path, rawPcapFile(packetsOf(talk)));
    return path;
  }

  it.each([80, 100, 120, 200])("of %d columns, a summary does not break its lines", async (columns) => {
    const shell = open(columns, 1000);
    const { code, output } = await shell.run(`moul-dissect ${CAPTURE} --format summary 2> /dev/null`);
    expect(code).toBe(0);
    const lines = output.split("\n");
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(
      Array.from({ length: 574 }, (_, index) => index + 1),
    );
  });

  it("characters of every width are where the program expects them", async () => {
    const letters = ["Шора", "山田太郎", "안녕하세요", "ｆｕｌｌ", "📖🎵", "e\u0301a\u0308", "𠀀𠮷", "ไทย", "עברית"];
    const names = letters.map((text) => text.repeat(40).slice(0, 39));
    const { code, output } = await open(90, 100).run(`moul-dissect ${named(names)} --format summary -Y playerName`);
    expect(code).toBe(0);
    const lines = output.split("\n");
    expect(lines).toHaveLength(names.length);
    expect(lines.filter((line) => !/^ *\d+ .*AcctPlayerInfo .*…$/.test(line))).toEqual([]);
  });

  it("progress of long work is shown, no wider than the terminal, and removed at the end", async () => {
    const shell = open(12);
    const feed = `(cat ${CAPTURE}; until [ -e seen ]; do sleep 0.2; tail -c +25 ${CAPTURE}; done)`;
    shell.begin(`${feed} | moul-dissect stats - > /dev/null`);
    // Anything wider would continue on the next line.
    const [, ...below] = (await shell.shows(/^[\d.]+ [kM]B, /m)).split(/^[\d.]+ [kM]B, .*$/m);
    expect(below.join("").trim()).toBe("");
    writeFileSync(join(folder, "seen"), "");
    expect(await shell.ended()).toEqual({ code: 0, output: "" });
  });

  /** A live recording: all its bytes so far have arrived, and more are awaited. */
  async function beginsLive(shell: Terminal, command: string): Promise<void> {
    // In the background, where Ctrl-C does not reach it.
    const recorder = `rm -f live; mkfifo live; (cat ${CAPTURE}; echo fed >&2; exec sleep 100) > live & recorder=$!`;
    shell.begin(`${recorder}; ${command} < live; code=$?; kill $recorder; (exit $code)`);
    await shell.shows(/fed$/m);
    // A pipe's worth of bytes may not have been read yet.
    await setTimeout(1000);
  }

  it("Ctrl-C ends stats of live traffic with the sums so far", async () => {
    const shell = open(100, 120);
    await beginsLive(shell, `moul-dissect stats - --keys ${KEYS}`);
    shell.press("C-c");
    const { code, output } = await shell.ended();
    expect(code).toBe(0);
    expect(output).toContain("Stopped before the end of the input");
    expect(output).toMatch(/^Messages: 574, 293238 bytes$/m);
  });

  it("Ctrl-C leaves a complete -o file under its name", async () => {
    const shell = open();
    await beginsLive(shell, `moul-dissect - --keys ${KEYS} --format summary -o live.txt`);
    expect(readdirSync(folder)).not.toContain("live.txt");
    shell.press("C-c");
    expect(await shell.ended()).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "live.txt"), "utf8")).toBe((await run([CAPTURE, "--format", "summary"])).stdout);
    expect(readdirSync(folder).filter((name) => name.includes("part"))).toEqual([]);
  });
});
