import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join, sep, win32 } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { UsageError } from "../../src/cli/usage-error.js";
import { OutputFile } from "../../src/cli/writing/output-file.js";
import { patiently } from "../../src/cli/writing/retry.js";
import { TextOutput } from "../../src/cli/writing/text-output.js";
import { windowsPath } from "../../src/cli/writing/windows-path.js";
import { whyUnreadable, whyUnwritable } from "../../src/platform/node/file-error.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

describe("a file that cannot be given its name", () => {
  it("is reported, and removed", async () => {
    const path = join(folder, "taken");
    const output = new TextOutput(await OutputFile.claim(path, { overwrites: false, inputs: [] }));
    output.write("text");
    mkdirSync(join(path, "by a folder"), { recursive: true });
    await output.end();
    expect(output.failure).toContain(`${path} cannot be written: `);
    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});

describe("a file that is called -", () => {
  const capture = sample("nagus-plain.pcap");

  it.each([
    [capture, "--json"],
    ["streams", capture],
    ["stats", capture, "--json"],
    ["follow", capture, "--stream", "1", "--as", "raw", "--direction", "c2s"],
    ["keys", sample("nagus-session.pcap")],
    ["decrypt", capture],
    ["check", capture, "--expect", capture],
    ["decode", "plUoid", "0021000100000001000500000005f0af939e9691"],
    ["fields", "plUoid"],
    ["schema", "plUoid"],
    ["man"],
    ["completion", "bash"],
  ])("is standard output: %s %s", async (...args) => {
    const plain = await run(args);
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });
    expect(await run([...args, "-o", "-"])).toEqual(plain);
    expect(await run([...args, "-o", join(folder, "unused"), "--output=-"])).toEqual(plain);
    expect(readdirSync(".")).not.toContain("-");
    expect(readdirSync(folder)).not.toContain("unused");
  });

  it("is standard output for a capture with its keys, too", async () => {
    const session = sample("dirtsand-session.pcap");
    const path = join(folder, "shared.pcapng");
    await run(["keys", session, "--embed", path]);
    const shared = { code: 0, stdout: readFileSync(path, "utf8"), stderr: "" };
    rmSync(path);
    expect(await run(["keys", session, "--embed", "-"])).toEqual(shared);
    expect(readdirSync(".")).not.toContain("-");
  });

  it.each([
    ["decrypt", capture, "-o", "-"],
    ["keys", capture, "--embed", "-"],
  ])("gets no capture if it is a terminal: %s", async (...args) => {
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
    expect(await main(args, { stdout, stderr, env: {} })).toBe(1);
    expect(stdout.text).toBe("");
    expect(stderr.text).toContain("refusing to write a capture to a terminal");
  });
});

it("a file of -o is there also where nothing is printed", async () => {
  const path = join(folder, "empty.jsonl");
  expect(await run([sample("nagus-plain.pcap"), "--json", "-Y", "number == 0", "-o", path])).toMatchObject({ code: 0 });
  expect(readFileSync(path, "utf8")).toBe("");
  rmSync(path);
});

it("the name of a file may be as long as the system allows", async () => {
  for (const name of ["n".repeat(255), "日".repeat(85)]) {
    const path = join(folder, name);
    expect(await run(["schema", "plUoid", "-o", path])).toEqual({ code: 0, stdout: "", stderr: "" });
    rmSync(path);
  }
});

it("a name with a separator at its end is that of a folder, even if there is none", async () => {
  for (const end of new Set(["/", sep])) {
    const path = `${join(folder, "none")}${end}`;
    const stderr = `moul-dissect: ${path}: this is a folder, not a file\n`;
    expect(await run(["schema", "plUoid", "-o", path])).toEqual({ code: 1, stdout: "", stderr });
  }
  expect(readdirSync(folder)).toEqual(["taken"]);
});

describe.runIf(isPosix)("a link to a file that does not exist yet stays a link, and its file is written", () => {
  const links = temporaryFolder();
  const at = (...names: readonly string[]) => join(links, ...names);
  const targets = {
    "linked folder": "inner/deep",
    absolute: at("absolute.txt"),
    relative: "inner/relative.txt",
    "inner/deep/up": "../up.txt",
    through: "linked folder/../through.txt",
    chain: "linked folder/next",
    "inner/deep/next": "../../last",
    last: "./inner/chain.txt",
    lost: "none/lost.txt",
    folder: "none/",
    circle: "round",
    round: "circle",
  };

  beforeAll(() => {
    mkdirSync(at("inner", "deep"), { recursive: true });
    for (const [link, target] of Object.entries(targets)) symlinkSync(target, at(link));
  });

  afterEach(() => {
    for (const [link, target] of Object.entries(targets)) expect(readlinkSync(at(link))).toBe(target);
    expect(readdirSync(links, { recursive: true }).filter((name) => String(name).endsWith(".part"))).toEqual([]);
  });

  it.each([
    ["with a path from the top", "absolute", "absolute.txt"],
    ["with a path from its folder", "relative", "inner/relative.txt"],
    ["in a folder that is a link", "linked folder/up", "inner/up.txt"],
    ["with a path through a folder that is a link", "through", "inner/through.txt"],
    ["that leads to other links", "chain", "inner/chain.txt"],
  ])("%s", async (_, link, file) => {
    const args = ["schema", "plUoid", "-o", at(link)];
    expect(await run(args)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(lstatSync(at(file)).isFile()).toBe(true);
    expect(readFileSync(at(file), "utf8")).toBe((await run(["schema", "plUoid"])).stdout);
    const stderr = `moul-dissect: ${at(link)} exists; --force overwrites it\n`;
    expect(await run(args)).toEqual({ code: 1, stdout: "", stderr });
    expect((await run([...args, "--force"])).code).toBe(0);
  });

  it.each([
    ["whose folder does not exist", "lost", 2, " cannot be written: there is no such folder"],
    ["that is a folder by its name", "folder", 1, ": this is a folder, not a file"],
    ["that is a link in a circle", "circle", 1, ": this link leads to too many others"],
  ])("unless it is one %s", async (_, link, code, problem) => {
    const stderr = `moul-dissect: ${at(link)}${problem}\n`;
    expect(await run(["schema", "plUoid", "-o", at(link), "--force"])).toEqual({ code, stdout: "", stderr });
    expect(readdirSync(links)).not.toContain("none");
  });
});

describe("a file that another program has open", () => {
  /** Fails once for each code. */
  function failing(...codes: readonly string[]) {
    const left = [...codes];
    return async () => {
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    };
  }

  it("is retried for a while", async () => {
    await patiently(failing("EPERM", "EBUSY", "EACCES"), [1, 1, 1]);
    await expect(patiently(failing("EPERM", "EPERM", "EPERM"), [1, 1])).rejects.toThrow("EPERM");
  });

  it("is reported as such, as far as the system says", () => {
    const failure = (code: string) => Object.assign(new Error(`${code}: rename`), { code });
    const inUse = isPosix ? "the system is using it, perhaps as a mount point" : "another program has it open";
    expect(whyUnreadable(failure("EBUSY"))).toBe(inUse);
    const why = isPosix ? "permission denied" : "permission denied, or another program has it open";
    expect(whyUnwritable(failure("EPERM"))).toBe(why);
  });

  it("is not waited for if something else is wrong", async () => {
    await expect(patiently(failing("ENOSPC"), [1])).rejects.toThrow("ENOSPC");
  });
});

describe("the name of a file on Windows", () => {
  it.each(["NUL", "nul", "NUL:", "C:\\captures\\Nul", "captures/nul"])("means the device, if it is one: %s", (path) => {
    expect(windowsPath(path)).toBe("\\\\.\\nul");
  });

  it.each(["04:55.pcapng", "C:\\captures\\04:55", "what?.txt", "*", "a|b", "CON", "captures/com1", "x\\LPT9"])(
    "is refused if no file can have that name: %s",
    (path) => {
      expect(() => windowsPath(path)).toThrow(UsageError);
    },
  );

  it.each(["con.txt", "captures\\Aux.tar.gz", "nul.pcap", "com1 .txt", "COM¹", "conout$", "C:prn.json"])(
    "is refused if it is a device's, whatever its extension: %s",
    (path) => {
      expect(() => windowsPath(path)).toThrow(UsageError);
    },
  );

  it.each(["out.txt.", "out.txt ", "captures\\...", "C:out."])(
    "is refused if Windows would leave out the end of it: '%s'",
    (path) => {
      expect(() => windowsPath(path)).toThrow(UsageError);
    },
  );

  it("without a folder on a drive is in the current folder of that drive, also for Node.js", () => {
    expect(windowsPath("C:out.txt")).toBe("C:.\\out.txt");
    expect(win32.join(win32.dirname(windowsPath("C:out.txt")), "part")).toBe("C:part");
  });

  it.each([
    "C:a\\out.txt",
    "C:\\a b\\Übung.txt",
    "\\\\server\\share\\out.txt",
    "\\\\?\\C:\\out.txt",
    "console.txt",
    "auxiliary",
    "..",
    ".",
  ])("is left as it is: %s", (path) => {
    expect(windowsPath(path)).toBe(path);
  });

  it.skipIf(isPosix)("is checked before anything is written", async () => {
    expect(await run(["schema", "plUoid", "-o", "NUL"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await run(["schema", "plUoid", "-o", join(folder, "04:55.txt")])).code).toBe(1);
    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});
