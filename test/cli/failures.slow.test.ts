import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { run } from "../support/command-line.js";
import { type Ended, ended } from "../support/ended.js";
import { buildProgram } from "../support/installed-program.js";
import { oncePerName } from "../support/once.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * What can fail around the program: its input, its output, its reader. Checks output, exit code, and the files that are
 * left.
 */

const root = temporaryFolder();
let program = "";
beforeAll(() => {
  chmodSync(root, 0o755);
  program = buildProgram(join(root, "program"));
}, 120_000);

const CAPTURE = sample("nagus-plain.pcap");

let folders = 0;
/** An empty folder that everybody may write to. */
function emptyFolder(): string {
  const folder = join(root, `folder-${++folders}`);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  return folder;
}

/** Starts the program through a shell: `$0` is Node.js, `$1` the program, followed by the arguments. */
function shell(script: string, ...args: readonly string[]): Promise<Ended> {
  return ended(spawn("sh", ["-c", script, process.execPath, program, ...args], { env: {} }));
}

/** Starts the program as a user without special permissions. */
function startAsNobody(...args: readonly string[]): Promise<Ended> {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  return ended(spawn(process.execPath, [program, ...args], { env: {}, ...nobody }));
}

/** All commands that write to a file. */
const WRITING: readonly (readonly string[])[] = [
  [CAPTURE],
  [CAPTURE, "--json"],
  [CAPTURE, "--csv", "-e", "number"],
  ["streams", CAPTURE],
  ["stats", CAPTURE, "--json"],
  ["follow", CAPTURE, "--stream", "1", "--as", "hex"],
  ["decode", "plUoid", "0021000100000001000500000005f0af939e9691"],
  ["fields", "moul.game"],
  ["schema", "plUoid"],
  ["man"],
];

/** What a command prints on standard output, found out once. */
const printedBy = oncePerName(async (words) => (await run(words.split("\0"))).stdout);
const printed = (args: readonly string[]) => printedBy(args.join("\0"));

describe("a file written with -o", () => {
  it.each(WRITING)("has the content of standard output, and leaves nothing beside it: %s %s", async (...args) => {
    const folder = emptyFolder();
    const path = join(folder, "out.txt");
    const { code, stdout, stderr } = await run([...args, "-o", path]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(path, "utf8")).toBe(await printed(args));
    expect(readdirSync(folder)).toEqual(["out.txt"]);
  });

  it.each(WRITING)("is not overwritten without --force: %s %s", async (...args) => {
    const path = join(emptyFolder(), "out.txt");
    writeFileSync(path, "precious");
    const { code, stderr } = await run([...args, "-o", path]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `moul-dissect: ${path} exists; --force overwrites it\n` });
    expect(readFileSync(path, "utf8")).toBe("precious");
    expect((await run([...args, "-o", path, "--force"])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(await printed(args));
  });

  it.runIf(isPosix)("stays readable only by its owner, and a link stays a link", async () => {
    const folder = emptyFolder();
    const [path, link] = [join(folder, "out.txt"), join(folder, "link.txt")];
    writeFileSync(path, "secret", { mode: 0o600 });
    symlinkSync(path, link);
    expect((await run(["schema", "plUoid", "-o", link, "--force"])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toBe((await run(["schema", "plUoid"])).stdout);
  });

  it.runIf(isPosix)("is not the one that standard input comes from", async () => {
    const path = join(emptyFolder(), "in.pcap");
    writeFileSync(path, readFileSync(CAPTURE));
    const { code, stderr } = await shell('"$0" "$1" - --json -o "$2" --force < "$2"', path);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `moul-dissect: ${path}: this is the input on standard input, which would be overwritten\n`,
    });
    expect(readFileSync(path).equals(readFileSync(CAPTURE))).toBe(true);
  });

  it("is not created if there is no folder", async () => {
    const folder = emptyFolder();
    const path = join(folder, "none", "out.txt");
    const { code, stderr } = await run([CAPTURE, "-o", path]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `moul-dissect: ${path} cannot be written: there is no such folder\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(isPosix)("is not created if that is not allowed", async () => {
    const folder = emptyFolder();
    chmodSync(folder, 0o755);
    chmodSync(root, 0o755);
    const path = join(folder, "out.txt");
    if (process.getuid?.() !== 0) chmodSync(folder, 0o555);
    const { code, stderr } = await startAsNobody("fields", "-o", path);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `moul-dissect: ${path} cannot be written: permission denied\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  describe.runIf(isPosix)("that exceeds its permitted size", () => {
    // If the signal is ignored, writing fails, as on a full disk.
    const LIMITED = 'trap "" XFSZ; ulimit -f 16; "$0" "$@"';

    it.each([["--json"], ["--format", "tree"], ["--format", "fields", "-e", "frames", "-e", "summary"]])(
      "is not left behind half written (%s %s)",
      async (...args) => {
        const folder = emptyFolder();
        const path = join(folder, "out.txt");
        const { code, stderr } = await shell(LIMITED, CAPTURE, ...args, "-o", path);
        expect(code).toBe(2);
        expect(stderr).toMatch(/^moul-dissect: .*out\.txt cannot be written: .*\n$/);
        expect(readdirSync(folder)).toEqual([]);
      },
    );

    it("leaves the file unchanged that it was to replace", async () => {
      const folder = emptyFolder();
      const path = join(folder, "out.txt");
      writeFileSync(path, "precious");
      const { code } = await shell(LIMITED, CAPTURE, "--json", "-o", path, "--force");
      expect(code).toBe(2);
      expect(readFileSync(path, "utf8")).toBe("precious");
      expect(readdirSync(folder)).toEqual(["out.txt"]);
    });
  });

  it.runIf(isPosix)("may be a pipe or a device, which is written directly", async () => {
    const folder = emptyFolder();
    const pipe = join(folder, "pipe");
    spawnSync("mkfifo", [pipe]);
    const reader = ended(spawn("cat", [pipe]));
    expect((await run([CAPTURE, "--json", "-o", pipe])).code).toBe(0);
    const expected = await printed([CAPTURE, "--json"]);
    expect((await reader).stdout).toBe(expected);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(["pipe"]);
    expect((await run([CAPTURE, "-o", "/dev/null"])).code).toBe(0);
    expect(lstatSync("/dev/null").isFile()).toBe(false);
    expect((await shell('"$0" "$@" | cat', CAPTURE, "--json", "-o", "/dev/stdout")).stdout).toBe(expected);
  });

  it.runIf(isPosix).each(["SIGINT", "SIGTERM"] as const)(
    "is complete up to there when %s ends a live capture",
    async (signal) => {
      const folder = emptyFolder();
      const path = join(folder, "out.txt");
      const child = spawn(process.execPath, [program, "-", "--json", "-o", path], { env: {} });
      const end = ended(child);
      child.stdin.write(readFileSync(CAPTURE).subarray(0, 20_000));
      await written(folder);
      child.kill(signal);
      expect((await end).stderr).toBe("");
      expect(readdirSync(folder)).toEqual(["out.txt"]);
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty("number");
    },
  );
});

/** Waits until something is written to a folder. */
async function written(folder: string): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (readdirSync(folder).some((name) => lstatSync(join(folder, name)).size > 0)) return;
  }
}

/** Runs the program in this process, with a standard output to which nothing can be written, with this error. */
async function runInto(error: "ENOSPC" | "EPIPE", args: readonly string[]): Promise<Omit<Ended, "stdout">> {
  const stderr = new PassThrough();
  const failure = Object.assign(new Error(`${error}: write`), { code: error });
  const stdout = new Writable({ write: (_chunk, _encoding, done) => setImmediate(() => done(failure)) });
  // As for the streams of the installed program.
  stdout.on("error", () => {});
  const code = await main(args, { stdout, stderr, env: {} });
  return { code, stderr: String(stderr.read() ?? "") };
}

describe.runIf(existsSync("/dev/full"))("a device that is full", () => {
  const full = (name: string) => ({
    code: 2,
    stderr: `moul-dissect: ${name} cannot be written: no space is left on the device\n`,
  });

  it.each([...WRITING, ["demo"]])("is reported, with exit code 2: %s %s", async (...args) => {
    expect(await runInto("ENOSPC", args)).toEqual(full("the output"));
    expect(await run([...args, "-o", "/dev/full"])).toEqual({ ...full("/dev/full"), stdout: "" });
  });

  it.each([["help"], ["--help"], ["help", "stats"], ["stats", "-h"], ["-q", "--version"]])(
    "is reported by help, too: %s %s",
    async (...args) => {
      expect(await runInto("ENOSPC", args)).toEqual(full("the output"));
    },
  );

  it.each([[CAPTURE], ["decode", "plUoid", "0021000100000001000500000005f0af939e9691"], ["--help"]])(
    "is reported by the process: %s %s",
    async (...args) => {
      expect(await shell('"$0" "$@" > /dev/full', ...args)).toEqual({ ...full("the output"), stdout: "" });
      expect((await shell('"$0" "$@"', ...args)).stdout).toBe(await printed(args));
    },
  );

  it("is reported by the exit code alone if errors cannot be written either", async () => {
    expect((await shell('"$0" "$@" > /dev/full 2> /dev/full', CAPTURE)).code).toBe(2);
    expect((await shell('"$0" "$@" 2> /dev/full', join(root, "none.pcap"))).code).toBe(2);
  });
});

describe("a reader that goes away", () => {
  it.each([...WRITING, ["help"]])("ends the program quietly: %s %s", async (...args) => {
    expect(await runInto("EPIPE", args)).toEqual({ code: 0, stderr: "" });
  });

  it.runIf(isPosix).each([[CAPTURE, "--json"], ["help"]])("ends the process quietly: %s %s", async (...args) => {
    const { stderr, stdout } = await shell('{ "$0" "$@"; echo "code $?" >&2; } | head -c 10', ...args);
    expect(stderr).toBe("code 0\n");
    expect(stdout.length).toBeLessThanOrEqual(10);
  });
});

describe("a capture", () => {
  it.runIf(isPosix)("without read permission is reported as such, and the others are read", async () => {
    const folder = emptyFolder();
    const locked = join(folder, "locked.pcap");
    writeFileSync(locked, readFileSync(CAPTURE));
    chmodSync(locked, 0o000);
    const open = join(folder, "open.pcap");
    writeFileSync(open, readFileSync(CAPTURE));
    const { code, stdout, stderr } = await startAsNobody(locked, open, "--format", "summary");
    expect(code).toBe(2);
    expect(stderr).toContain(`moul-dissect: ${locked}: permission denied\n`);
    expect(stdout).toBe((await run([CAPTURE, "--format", "summary"])).stdout);
  });

  /** A capture that repeats the same packets many times. */
  function largeCapture(): string {
    const path = join(emptyFolder(), "large.pcap");
    const bytes = readFileSync(CAPTURE);
    writeFileSync(path, bytes);
    for (let times = 0; times < 25; times++) appendFileSync(path, bytes.subarray(24));
    return path;
  }

  /** Reads a capture whose file changes after the first output. */
  async function meanwhile(path: string, happens: () => void): Promise<Ended> {
    const child = spawn(process.execPath, [program, path, "--json"], { env: {} });
    child.stdout.pause();
    await new Promise((resolve) => child.stdout.once("readable", resolve));
    happens();
    child.stdout.resume();
    return ended(child);
  }

  it("that shrinks while it is read is read to its new end", async () => {
    const path = largeCapture();
    const { code, stderr } = await meanwhile(path, () => truncateSync(path, 1_000_001));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/the file ends inside frame \d+/) });
  });

  it("that is emptied while it is read ends there", async () => {
    const path = largeCapture();
    const { code, stderr } = await meanwhile(path, () => truncateSync(path, 0));
    expect(stderr).toMatch(/^(moul-dissect: .*: the file ends inside .*\n)?$/);
    expect(code).toBe(stderr === "" ? 0 : 2);
  });

  it("that is overwritten while it is read is reported as damaged", async () => {
    const path = largeCapture();
    const noise = Buffer.alloc(1_500_000, 0xa5);
    const { code, stderr } = await meanwhile(path, () => writeFileSync(path, noise, { flag: "r+" }));
    expect(code).toBe(2);
    expect(stderr).toContain("moul-dissect: ");
    expect(stderr).not.toContain("internal error");
  });

  it("that grows while it is read is read to its end", async () => {
    const path = largeCapture();
    const more = readFileSync(CAPTURE).subarray(24);
    const { code, stderr } = await meanwhile(path, () => appendFileSync(path, more));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("standard input", () => {
  it("that breaks off in the middle of a packet is reported", async () => {
    const child = spawn(process.execPath, [program, "-", "--format", "summary"], { env: {} });
    const end = ended(child);
    child.stdin.write(readFileSync(CAPTURE).subarray(0, 9_999));
    child.stdin.destroy();
    const { code, stdout, stderr } = await end;
    expect(code).toBe(2);
    expect(stdout).not.toBe("");
    expect(stderr).toMatch(/^moul-dissect: standard input: the file ends inside frame \d+.*\n$/);
  });

  it("that is closed is reported", async () => {
    const child = spawn(process.execPath, [program, "-"], { env: {}, stdio: ["ignore", "pipe", "pipe"] });
    expect(await ended(child)).toEqual({
      code: 2,
      stdout: "",
      stderr: "moul-dissect: standard input: the file is empty\n",
    });
  });

  it("that fails while decode reads it is reported, after what came before", async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from("0021000100000001000500000005f0af939e9691\n");
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    }
    const { code, stdout, stderr } = await run(["decode", "plUoid", "--json"], {}, Readable.from(failing()));
    expect(code).toBe(2);
    expect(stdout).toContain("moul-dissect.message/2");
    expect(stderr).toBe("moul-dissect: standard input cannot be read: the disk or device failed\n");
  });
});
