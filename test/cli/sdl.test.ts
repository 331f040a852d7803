import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExitCode } from "../../src/cli/exit-code.js";
import { main } from "../../src/cli/program.js";
import { encryptedFile } from "../dissectors/moul/keys/encryption.js";
import { blob } from "../dissectors/moul/sdl/given.js";
import { sample } from "../support/samples.js";

const DESCRIPTORS =
  "STATEDESC Thing { VERSION 2 VAR INT number[1] }\nSTATEDESC xStateToggler { VERSION 1 VAR INT enabled[1] }";
const THING = Buffer.from(blob("Thing", 2, "0000 06 01 0000 2a000000 00")).toString("hex");
const CAPTURE = sample("nagus-plain.pcap");
const DROID_HEX = "31415926535897932384626433832795";
const DROID = [0x31415926n, 0x53589793n, 0x23846264n, 0x33832795n];

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sdl-"));
  await writeFile(join(folder, "things.sdl"), DESCRIPTORS);
  await writeFile(join(folder, "droid.bin"), encryptedFile("notthedroids", DESCRIPTORS, DROID));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

class Sink extends Writable {
  text = "";

  override _write(chunk: Buffer | string, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await main(args, { stdin: Readable.from([]), stdout, stderr, env: {} });
  return { code, out: stdout.text, err: stderr.text };
}

describe("--sdl", () => {
  it("tells decode the layout of records", async () => {
    const { code, out } = await run("decode", "sdl", THING, "--sdl", join(folder, "things.sdl"));
    expect(out).toContain("INT number = 42");
    expect(code).toBe(ExitCode.done);
  });

  it("causes a remark if it is missing", async () => {
    const { code, out } = await run("decode", "sdl", THING, "--json");
    expect(out).toContain("SDL descriptor Thing version 2 was not supplied; give its .sdl file with --sdl");
    expect(code).toBe(ExitCode.done);
  });

  it("supplies the layout of records in captures", async () => {
    const { code, out } = await run(CAPTURE, "--sdl", folder);
    expect(out).toContain("record: xStateToggler version 1, 1 of 1 variables");
    expect(out).toContain("INT enabled = 1");
    expect(code).toBe(ExitCode.done);
  });

  it("with a file that cannot be used is an error, but the rest is printed", async () => {
    for (const args of [[CAPTURE], ["decode", "sdl", THING]]) {
      const { code, out, err } = await run(...args, "--sdl", join(folder, "missing.sdl"));
      expect(code).toBe(ExitCode.input);
      expect(err).toContain("missing.sdl: the definition file cannot be read (there is no such file)");
      expect(out).not.toBe("");
    }
  });
});

describe("--sdl-key", () => {
  it("decrypts encrypted files", async () => {
    const file = join(folder, "droid.bin");
    expect((await run("decode", "sdl", THING, "--sdl", file)).code).toBe(ExitCode.input);
    const { code, out, err } = await run("decode", "sdl", THING, "--sdl", file, "--sdl-key", DROID_HEX);
    expect(out).toContain("INT number = 42");
    expect(err).toBe("");
    expect(code).toBe(ExitCode.done);
  });

  it("is 16 bytes in hexadecimal, and is not repeated in the output", async () => {
    for (const key of ["3141", "x".repeat(32)]) {
      expect((await run("decode", "sdl", THING, "--sdl-key", key)).code).toBe(ExitCode.usage);
    }
    const { out, err } = await run(CAPTURE, "--sdl-key", DROID_HEX, "--sdl", folder);
    expect(out + err).not.toContain(DROID_HEX);
  });
});
