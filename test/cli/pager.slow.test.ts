import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/program.js";
import { pagerCommand } from "../../src/cli/writing/pager.js";
import { TextOutput } from "../../src/cli/writing/text-output.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

/** A pager made of this Node.js with a script, so that it runs on every system. */
function pager(script: string): string {
  return `"${process.execPath}" -e "${script}"`;
}

/** Runs the program on a terminal. */
async function onTerminal(args: readonly string[], env: NodeJS.ProcessEnv) {
  const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
  const code = await main(args, { stdout, stderr, env: { ...env, TERM: "dumb" } });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

describe("the pager", () => {
  it("gets the trees that would go to a terminal", async () => {
    const path = join(folder, "paged.txt");
    const PAGER = pager("process.stdin.pipe(require('fs').createWriteStream(process.env.PAGED))");
    const capture = sample("nagus-plain.pcap");
    expect(await onTerminal([capture], { PAGER, PAGED: path })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(path, "utf8")).toBe((await run([capture])).stdout);
  });

  it("is not used with --no-pager, JSON, an empty PAGER, cat or pipes", async () => {
    const path = join(folder, "none.txt");
    const PAGER = pager("require('fs').writeFileSync(process.env.PAGED, '')");
    const env = { PAGER, PAGED: path };
    const capture = sample("nagus-plain.pcap");
    const args = [capture, "-c", "3"];
    const { stdout } = await run(args, env);
    expect((await onTerminal([...args, "--no-pager"], env)).stdout).toBe(stdout);
    expect((await onTerminal([...args, "--json"], env)).stdout).toMatch(/^\{/);
    expect((await onTerminal(args, { ...env, PAGER: "" })).stdout).toBe(stdout);
    expect((await onTerminal(args, { ...env, PAGER: "cat" })).stdout).toBe(stdout);
    const file = join(folder, "trees.txt");
    expect(await onTerminal([...args, "-o", file], { ...env, FORCE_COLOR: undefined })).toMatchObject({ stdout: "" });
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    [["--format", "summary", "--columns", "number,message", "-c", "3"]],
    [["stats"]],
    [["follow", "--stream", "0"]],
    [["players"]],
    [["chat", "--format", "markdown"]],
    [["vault", "--at", "2026-11-20T04:55:33"]],
    [["sdl"]],
    [["fields", "plUoid"]],
    [["schema", "plUoid"]],
  ])("gets what people read: %j", async (args) => {
    const needsCapture = !["fields", "schema"].includes(args[0] ?? "");
    const whole = [...args, ...(needsCapture ? [sample("nagus-plain.pcap")] : [])];
    const path = join(folder, "read.txt");
    const PAGER = pager("process.stdin.pipe(require('fs').createWriteStream(process.env.PAGED))");
    rmSync(path, { force: true });
    expect(await onTerminal(whole, { PAGER, PAGED: path })).toEqual({ code: 0, stdout: "", stderr: "" });
    const paged = readFileSync(path, "utf8");
    rmSync(path);
    const { stdout } = await onTerminal([...whole, "--no-pager"], { PAGER, PAGED: path });
    expect(stdout.split("\n").length).toBeGreaterThan(3);
    expect(paged).toBe(stdout);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    [["stats", "--json"]],
    [["players", "--json"]],
    [["chat", "--json"]],
    [["vault", "--json"]],
    [["sdl", "--json"]],
    [["fields", "plUoid", "--json"]],
  ])("gets no JSON: %j", async (args) => {
    const path = join(folder, "json.txt");
    const PAGER = pager("require('fs').writeFileSync(process.env.PAGED, '')");
    const whole = args[0] === "fields" ? args : [...args, sample("nagus-plain.pcap")];
    expect((await onTerminal(whole, { PAGER, PAGED: path })).stdout).toMatch(/^\{/);
    expect(existsSync(path)).toBe(false);
  });

  it("that cannot be started is reported by commands without captures, too", async () => {
    const { code, stderr } = await onTerminal(["fields", "plUoid"], { PAGER: join(folder, "no-such-pager") });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^moul-dissect: the pager ".*no-such-pager" cannot be started; --no-pager prints/m);
  });

  it("may be quit early", async () => {
    const captures = Array.from({ length: 8 }, () => sample("dirtsand-session.pcap"));
    const PAGER = pager("process.stdin.once('data', () => process.exit(0))");
    expect(await onTerminal(captures, { PAGER })).toEqual({ code: 0, stdout: "", stderr: "" });
    // Which requests have no reply is not known then: these are more lines than are held for a pager that starts slowly.
    const many = Array.from({ length: 6 }, () => captures).flat();
    const summary = await onTerminal([...many, "--format", "summary"], { PAGER });
    expect(summary).toMatchObject({ code: 0, stdout: "" });
    expect(summary.stderr).not.toContain("no reply");
    expect(process.listenerCount("SIGINT")).toBe(0);
  });

  it("that cannot be started is reported, with advice", async () => {
    const env = { PAGER: "no-such-pager-here 2>&1", PATH: process.env["PATH"] };
    const { code, stderr } = await onTerminal([sample("nagus-plain.pcap"), "-c", "1"], env);
    expect(code).toBe(2);
    expect(stderr).toContain("--no-pager");
  });

  it("delays remarks until it has exited", async () => {
    const gone = join(folder, "gone.txt");
    const PAGER = pager("process.stdin.resume().on('end', () => require('fs').writeFileSync(process.env.GONE, ''))");
    const args = [sample("dirtsand-session.pcap"), "--keys", sample("keys/nagus/nagus_config.ini")];
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
    let isEarly = false;
    const write = stderr.write.bind(stderr);
    stderr.write = (chunk: Uint8Array | string) => {
      isEarly ||= !existsSync(gone);
      return write(chunk);
    };
    await main(args, { stdout, stderr, env: { PAGER, GONE: gone, TERM: "dumb" } });
    expect(stdout.text).toBe("");
    expect(stderr.text).toMatch(/^moul-dissect: .*does not fit/m);
    expect(isEarly).toBe(false);
  });

  it("does not keep the output from ending when it has just exited", async () => {
    const input = new Writable({ write: () => {} });
    const output = TextOutput.on(input, { isOwn: true });
    output.write("a page");
    input.destroy();
    await output.end();
    expect(output.closed).toBe(true);
  });

  it.each([
    [["stats"], true],
    [["find", "Alice"], false],
    [["follow", "--stream", "0"], false],
    [["chat"], false],
    [["sdl"], false],
    [["--format", "summary"], false],
  ])("or the terminal gets %j without a progress line between: %j", async (args, isShown) => {
    let time = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      time += 2000;
      return time;
    });
    try {
      const { stderr } = await onTerminal([...args, sample("nagus-plain.pcap")], { PAGER: "" });
      expect(/\d% of /.test(stderr)).toBe(isShown);
    } finally {
      clock.mockRestore();
    }
  });

  it.each([
    [{}, "FRX utf-8"],
    [{ LESS: "S", LESSCHARSET: "latin1" }, "S latin1"],
  ])("is told how text is written, if %j does not say something else", async (env, told) => {
    const path = join(folder, "told.txt");
    const PAGER = pager(
      "const { TOLD, LESS, LESSCHARSET } = process.env; fs.writeFileSync(TOLD, LESS + ' ' + LESSCHARSET)",
    );
    await onTerminal(["fields", "plUoid"], { ...env, PAGER, TOLD: path });
    expect(readFileSync(path, "utf8")).toBe(told);
  });

  it("is less, if it is installed and no other was requested", async () => {
    expect(await pagerCommand({ PAGER: "more -d" })).toBe("more -d");
    expect(await pagerCommand({ PAGER: " cat " })).toBeUndefined();
    expect(await pagerCommand({ PATH: folder, TERM: "xterm" })).toBeUndefined();
  });

  it.runIf(isPosix)("is not used by default if less would first wait for a key", async () => {
    writeFileSync(join(folder, "less"), "", { mode: 0o755 });
    expect(await pagerCommand({ PATH: folder, TERM: "xterm" })).toBe("less");
    for (const term of [{}, { TERM: "" }, { TERM: "dumb" }]) {
      expect(await pagerCommand({ PATH: folder, ...term })).toBeUndefined();
      expect(await pagerCommand({ PATH: folder, ...term, PAGER: "less" })).toBe("less");
    }
  });
});
