import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonLines, run } from "../../support/command-line.js";
import { buildProgram } from "../../support/installed-program.js";
import { freePort, TALK_MESSAGES, talkOver } from "../../support/loopback.js";
import { isPosix } from "../../support/platform.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { hasTmux, Terminal } from "../../support/tmux.js";

const folder = temporaryFolder();
let program = "";
beforeAll(() => {
  program = buildProgram(folder);
}, 60_000);

/** A folder for PATH in which only this program is; undefined where it is not installed. */
function pathWith(name: string): string | undefined {
  if (!isPosix) return undefined;
  const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  if (found === "") return undefined;
  const path = join(folder, `path-${name}`);
  mkdirSync(path);
  symlinkSync(found, join(path, name));
  return path;
}

/** Folders with the recording programs that may record here; says on standard error which may not. */
const recorders = ["dumpcap", "tcpdump"].flatMap((name) => {
  const path = pathWith(name);
  const may = path !== undefined && spawnSync(name, ["-i", "lo", "-D"]).status === 0 && process.getuid?.() === 0;
  if (!may) process.stderr.write(`${name} cannot record here: tests are skipped\n`);
  return path === undefined || !may ? [] : [[name, path] as const];
});

/** The command, recording what goes to and from a port of this machine. */
class Live {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #code: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(path: string, port: number, ...more: readonly string[]) {
    const args = [program, "live", "-i", "lo", "-f", `tcp port ${port}`, ...more];
    this.#child = spawn(process.execPath, args, { env: { PATH: path }, cwd: folder });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.#code = new Promise((resolve) => this.#child.on("close", resolve));
  }

  async until(isSo: () => boolean): Promise<void> {
    for (let waited = 0; !isSo(); waited += 20) {
      if (waited > 20_000) throw new Error(`after twenty seconds there is:\n${this.stdout}${this.stderr}`);
      await setTimeout(20);
    }
  }

  begun(): Promise<void> {
    return this.until(() => this.stderr.includes(" records "));
  }

  end(): Promise<number | null> {
    this.#child.kill("SIGINT");
    return this.#code;
  }

  get code(): Promise<number | null> {
    return this.#code;
  }
}

describe.each(recorders)("live, with %s", (name, path) => {
  it("shows messages as they come, ends with statistics at Ctrl-C, and keeps the last of it on disk", async () => {
    const port = await freePort();
    const live = new Live(path, port, "--ring", "1M", "-w", `${name}.pcap`);
    await live.begun();
    await talkOver(port);
    // While it still records.
    await live.until(() => live.stdout.split("\n").length > TALK_MESSAGES);
    expect(await live.end()).toBe(0);
    expect(live.stdout).toMatch(new RegExp(`^Messages: ${TALK_MESSAGES}, `, "m"));
    expect(live.stderr).toContain(`${name} records tcp port ${port} on lo; Ctrl-C ends it`);
    expect(live.stderr).toContain(`the last of the recording is in ${name}-0001.pcap`);
    const again = await run([join(folder, `${name}-0001.pcap`), "--format", "summary", "-q"]);
    expect(again.code).toBe(0);
    expect(live.stdout.startsWith(again.stdout)).toBe(true);
  });

  it("stops by itself after -c messages, and shows only what passes", async () => {
    const port = await freePort();
    const live = new Live(path, port, "-c", "1", "-Y", "Auth2Cli_PingReply");
    await live.begun();
    await talkOver(port);
    expect(await live.code).toBe(0);
    expect(live.stdout.split("\n\n")[0]).toMatch(/^.* Auth2Cli_PingReply .*$/);
  });

  it("prints messages as JSON, and nothing else", async () => {
    const port = await freePort();
    const live = new Live(path, port, "-c", "3", "--json");
    await live.begun();
    await talkOver(port);
    expect(await live.code).toBe(0);
    expect(jsonLines(live.stdout).map(({ number, status }) => [number, status])).toEqual([
      [1, "ok"],
      [2, "ok"],
      [3, "ok"],
    ]);
  });

  it("says what is wrong with an interface or a filter", async () => {
    const live = new Live(path, 1, "-i", "nosuchinterface0");
    expect(await live.code).toBe(2);
    expect(live.stderr).toMatch(new RegExp(`^moul-dissect: ${name}: .*nosuchinterface0`, "m"));
    const filtered = new Live(path, 1, "-f", "what is this");
    expect(await filtered.code).toBe(2);
    expect(filtered.stderr).toMatch(/syntax error|filter expression|capture filter/);
  });
});

describe.runIf(recorders.length > 0 && hasTmux())("on a terminal", () => {
  const [, path = ""] = recorders[0] ?? [];
  let terminal: Terminal;
  beforeAll(() => {
    terminal = new Terminal(folder, `${path}:/usr/bin:/bin`, 100, 40);
  });
  afterAll(() => terminal.close());

  it("live ends at q, with lines that fit and statistics", async () => {
    const port = await freePort();
    terminal.begin(`'${process.execPath}' '${program}' live -i lo -f 'tcp port ${port}' --columns number,info`);
    await terminal.shows(/q ends it/);
    await talkOver(port);
    await terminal.shows(/Auth2Cli_PingReply/);
    terminal.press("q");
    const { code, output } = await terminal.ended();
    expect(code).toBe(0);
    expect(output).toContain(`Messages: ${TALK_MESSAGES}`);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(`tcp port ${port}`);
  });
});

describe("without a program that may record, live says what to do", () => {
  it("if there is none", async () => {
    const { code, stderr } = await run(["live"], { PATH: folder });
    expect(code).toBe(2);
    expect(stderr).toBe(
      "moul-dissect: neither dumpcap nor tcpdump is there: install one of them, such as the package tcpdump, or wireshark-common for dumpcap\n",
    );
  });

  it.runIf(isPosix).each([
    ["tcpdump", "tcpdump: eth0: You don't have permission to capture on that device", "run this with sudo, or give it"],
    ["dumpcap", "dumpcap: The capture session could not be initiated (Operation not permitted).", "join the group"],
  ])("if %s may not", async (name, complaint, advice) => {
    const path = join(folder, `no-rights-${name}`);
    mkdirSync(path);
    writeFileSync(join(path, name), `#!/bin/sh\necho "${complaint}" >&2\nexit 1\n`, { mode: 0o755 });
    const { code, stdout, stderr } = await run(["live"], { PATH: path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`moul-dissect: ${name}: ${complaint.slice(9).replace(/\.$/, "")}; `);
    expect(stderr).toContain(advice);
  });
});
