import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A path whose names are Latin-1: the byte 0xE9 is no UTF-8. Node.js reads it as U+FFFD, in arguments as well. */
const bytes = (path: string) => Buffer.from(path, "latin1");
const asRead = (path: string) => bytes(path).toString();

const talk = new MoulTalk("auth").opens().says("Cli2Auth_ClientRegisterRequest", { buildId: 918 });
const CAPTURE = pcapFile(
  packetsOf(talk).map((data) => ({ data })),
  { linkType: RAW },
);

// Elsewhere, the system has no such names.
describe.runIf(process.platform === "linux")("a file name that is not UTF-8", () => {
  const root = temporaryFolder();
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(root, "test-"));
  });
  const write = (name: string, content: string | Uint8Array) => writeFileSync(bytes(join(folder, name)), content);
  const path = (name: string) => asRead(join(folder, name));

  it("is that of a capture, of a folder on the way to it, and of the keys beside it", async () => {
    mkdirSync(bytes(join(folder, "donn\u00e9es")));
    write("donn\u00e9es/\u00e9t\u00e9.pcap", CAPTURE);
    write("donn\u00e9es/\u00e9t\u00e9.pcap.keys", talk.keyLog.rc4);
    const { code, stdout, stderr } = await run([path("donn\u00e9es/\u00e9t\u00e9.pcap"), "--format", "summary"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Cli2Auth_ClientRegisterRequest");
  });

  it("is that of key files and of files in a folder of definitions", async () => {
    write("plain.pcap", CAPTURE);
    write("cl\u00e9s", talk.keyLog.rc4);
    mkdirSync(bytes(join(folder, "d\u00e9finitions")));
    write("d\u00e9finitions/\u00e9.sdl", "STATEDESC Thing\n{\n  VERSION 2\n  VAR INT number[1]\n}\n");
    const args = ["--keys", path("cl\u00e9s"), "--sdl", path("d\u00e9finitions"), "--format", "summary"];
    expect(await run([path("plain.pcap"), ...args])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is that of a recording in a folder that is checked, and of its expectation", async () => {
    write("\u00e9.pcap", CAPTURE);
    write("\u00e9.pcap.keys", talk.keyLog.rc4);
    expect(await run(["check", folder, "--expect", path("\u00e9.pcap")])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is that of a capture that is exported", async () => {
    write("\u00e9.pcap", CAPTURE);
    const { code, stderr } = await run(["export", path("\u00e9.pcap"), "-o", join(folder, "tables")]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/: [1-9]\d* messages exported\n$/);
  });

  it("is that of an existing file that is overwritten, or of a new file's folder, but not of a new file", async () => {
    write("plain.pcap", CAPTURE);
    write("r\u00e9sultat", "old");
    mkdirSync(bytes(join(folder, "dossi\u00e9")));
    const to = (name: string, ...args: string[]) => run(["stats", path("plain.pcap"), "-o", path(name), ...args]);
    expect(await to("r\u00e9sultat")).toMatchObject({ code: 1 });
    expect(await to("r\u00e9sultat", "--force")).toMatchObject({ code: 0 });
    expect(readFileSync(bytes(join(folder, "r\u00e9sultat")), "utf8")).toContain("Protocols");
    expect(await to("dossi\u00e9/new")).toMatchObject({ code: 0 });
    expect(readdirSync(bytes(join(folder, "dossi\u00e9")))).toEqual(["new"]);
    const refused = await to("nouv\u00e9");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("this name is not UTF-8; name a file that can be written\n");
    expect(readdirSync(folder, "buffer").map((name) => name.toString("latin1"))).toEqual([
      "dossi\u00e9",
      "plain.pcap",
      "r\u00e9sultat",
    ]);
  });

  it("does not let the input be overwritten", async () => {
    write("\u00e9.pcap", CAPTURE);
    const refused = await run(["stats", path("\u00e9.pcap"), "-o", path("\u00e9.pcap"), "--force"]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("this is the input");
  });

  it("is refused if those of several files read the same", async () => {
    write("\u00e9.pcap", CAPTURE);
    write("\u00e8.pcap", CAPTURE);
    const { code, stderr } = await run(["stats", path("\u00e9.pcap")]);
    expect(code).toBe(2);
    expect(stderr).toContain("the names of several files read like this one, which is not UTF-8; rename it\n");
  });

  it("does not hide a file whose name has the replacement character itself", async () => {
    writeFileSync(join(folder, "\ufffd.pcap"), CAPTURE);
    expect(await run(["streams", join(folder, "\ufffd.pcap")])).toMatchObject({ code: 0 });
  });
});
