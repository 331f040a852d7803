import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ExportedPdus } from "../../src/export/exported-pdus.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { conversation } from "../support/made-captures.js";
import { concat } from "../support/packets.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { tsharkVersion } from "../support/tshark.js";

const folder = temporaryFolder();

const COLUMNS = ["_ws.col.Protocol", "frame.comment", "exported_pdu.p2p_dir", "exported_pdu.port_type", "data.len"];

/** What a Wireshark without plugin shows of each packet. */
function shown(path: string, columns: readonly string[] = COLUMNS): string[][] {
  const args = ["-r", path, "-T", "fields", ...columns.flatMap((column) => ["-e", column])];
  const { stdout } = spawnSync("tshark", args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t"));
}

describe.skipIf(tsharkVersion === undefined)("--exported-pdu (skipped without tshark)", () => {
  test.each([
    ["dirtsand-session.pcap", "dirtsand-session.keys"],
    ["nagus-session.pcap", "nagus-session.keys"],
    ["bz107e-udp.pcap", undefined],
    ["bz0221-glclient.pcap", undefined],
  ])("decrypt writes each message of %s as a packet, which is called by its name", async (name, keys) => {
    const path = join(folder, `${name}.pdus.pcapng`);
    const given = keys === undefined ? [] : ["--keys", sample(keys)];
    const { code } = await uncheckedRun(["decrypt", sample(name), ...given, "--exported-pdu", "-o", path]);
    expect(code).toBe(0);
    const own = jsonLines((await uncheckedRun([sample(name), "--json", ...given])).stdout);
    // A world that others bring has no bytes of its own.
    const messages = own.filter(({ message }) => message !== "World");
    expect(messages.length).toBeGreaterThan(100);
    const said = shown(path);
    expect(said.map(([title, , , type, length]) => [title, type, Number(length)])).toEqual(
      messages.map(({ message, transport, length }) => [message, transport === "tcp" ? "2" : "3", length]),
    );
    expect(said.map(([, , way]) => way)).toEqual(messages.map(({ direction }) => (direction === "c2s" ? "0" : "1")));
    for (const [title = "", comment = ""] of said) expect(comment.startsWith(title)).toBe(true);
  });

  test("scrub writes nothing of what is private, not even in what is said about a message", async () => {
    const path = join(folder, "scrubbed.pcapng");
    const keys = ["--keys", sample("dirtsand-session.keys")];
    const { code } = await uncheckedRun([
      ...["scrub", sample("dirtsand-session.pcap"), ...keys, "--seed", "test", "--exported-pdu", "-o", path],
    ]);
    expect(code).toBe(0);
    const said = shown(path, [...COLUMNS, "exported_pdu.unknown_tag.val", "data.data", "exported_pdu.ipv4_src"]);
    expect(said.length).toBeGreaterThan(400);
    const everything = JSON.stringify(said);
    for (const name of ["Alice of D'ni", "Böb"]) {
      expect(everything).not.toContain(name);
      for (const encoding of ["utf8", "utf16le"] as const) {
        expect(everything).not.toContain(Buffer.from(name, encoding).toString("hex"));
      }
    }
    expect(said.every(([, , , , , , , address]) => address !== "127.0.0.1")).toBe(true);
  });
});

test("a message that is longer than Wireshark reads is cut", () => {
  const pieces: Uint8Array[] = [];
  const pdus = new ExportedPdus((bytes) => pieces.push(bytes.slice()), { application: "test", comment: "" });
  const place = { conversation: conversation(0), direction: "c2s", origin: conversation(0).first } as const;
  pdus.message({ ...place, name: "x".repeat(5000), info: "ö".repeat(5000), comment: "" }, new Uint8Array(300_000));
  pdus.flush();
  const file = concat(...pieces);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let at = 0;
  while (view.getUint32(at, true) !== 6) at += view.getUint32(at + 4, true);
  expect(view.getUint32(at + 20, true)).toBe(262_144);
  expect(view.getUint32(at + 24, true)).toBeGreaterThan(300_000);
  expect(view.getUint32(at + 24, true)).toBeLessThan(304_000);
});
