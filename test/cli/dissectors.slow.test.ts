import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonLines, run } from "../support/command-line.js";
import { outsideDissector } from "../support/outside.js";
import { sample } from "../support/samples.js";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function module(name: string, members: string): Promise<string> {
  const path = join(folder, `${name}.mjs`);
  const rest = `name: "${name}", protocols: ["${name}"], types: new Map()`;
  await writeFile(path, `export default { ${rest}, recognise: () => "no", open: () => ({}), ${members} }`);
  return path;
}

const CAPTURE = sample("nagus-plain.pcap");

describe("--dissector", () => {
  it("is refused with the module's name and the reason, and exit code 1", async () => {
    const { code, stdout, stderr } = await run([CAPTURE, "--dissector", "./nothing-here.js"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "moul-dissect: the dissector ./nothing-here.js cannot be used: there is no such file, and no package of this name is installed\n",
    );
    expect((await run(["fields", "--dissector", "./nothing-here.js"])).code).toBe(1);
    expect((await run(["decode", "plUoid", "00", "--dissector", "./nothing-here.js"])).code).toBe(1);
  });

  it("accepts each name once", async () => {
    const path = await module("twice", "");
    const { code, stderr } = await run([CAPTURE, "--dissector", path, "--dissector", path]);
    expect(code).toBe(1);
    expect(stderr).toContain('there is already a dissector named "twice"');
  });

  it("may declare types without fields, which decode can show", async () => {
    const types = "const types = { volume: u16, label: text(rest), levels: array(u8, rest) };";
    const path = outsideDissector(folder, "plain", types, "next: () => ({ step: 'wait' })");
    const shown = async (type: string, hex: string) => {
      const { stdout, stderr } = await run(["decode", type, hex, "--dissector", path]);
      return stdout + stderr;
    };
    expect(await shown("volume", "6400")).toBe("volume (2 bytes)\n          0..2   u16le: 100\n\n");
    expect(await shown("label", "6162")).toBe('label (2 bytes)\n          0..2   text: "ab"\n\n');
    expect(await shown("levels", "0102")).toContain("          1..2   [1]: 2\n");
  });

  it("does not change what others recognise", async () => {
    const path = await module("idle", "");
    const without = await run([CAPTURE, "--format", "summary"]);
    expect(await run([CAPTURE, "--format", "summary", "--dissector", path])).toEqual(without);
  });

  it("names a dissector that fails, goes on without it, and ends with exit code 70", async () => {
    const path = await module("bad", 'recognise() { throw new Error("boom") }');
    // Its reconnect ports are not known beforehand, so the loaded dissector is asked first.
    const capture = sample("bz107c-relay.pcap");
    const without = await run([capture, "--format", "summary"]);
    const { code, stdout, stderr } = await run([capture, "--format", "summary", "--dissector", path]);
    expect(stdout).toBe(without.stdout);
    expect(code).toBe(70);
    expect(stderr).toMatch(/^moul-dissect: the dissector "bad" failed in stream 1, c2s, offset 0:\n {2}Error: boom\n/);
    expect(stderr.match(/boom/g)).toHaveLength(1);
    expect(stderr).not.toContain("please report");
  });
});

describe("--decode-as", () => {
  it("is refused with the known protocols, and exit code 1", async () => {
    const { code, stderr } = await run([CAPTURE, "-d", "tcp.port==5000,moul.gam"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "moul.gam is not a known protocol; the known ones are moul.gatekeeper, moul.auth, moul.file, moul.game",
    );
    expect(stderr).toContain("bzflag.107e");
    expect((await run([CAPTURE, "-d", "5000"])).code).toBe(1);
  });

  it("makes a conversation be read as declared", async () => {
    const list = sample("bz107e-listserver.pcap");
    const { stdout } = await run([
      list,
      "-d",
      "tcp.port==5156,bzflag.0221",
      "--json",
      "-Y",
      "protocol == bzflag.0221",
      "-c",
      "1",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ protocol: "bzflag.0221", destination: "127.0.0.1:5156" });
  });

  it("reads a version as declared", async () => {
    const { stdout } = await run([
      sample("bz107e-relay.pcap"),
      "-d",
      "tcp.port==5156,bzflag.107c",
      "--json",
      "-Y",
      'message == "Msg_id"',
    ]);
    const messages = jsonLines(stdout);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(message).toMatchObject({ protocol: "bzflag.107c", status: "unknown" });
  });
});
