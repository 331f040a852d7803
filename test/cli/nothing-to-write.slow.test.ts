import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { TcpTalk } from "../support/packets.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);
const capture = (packets: readonly Uint8Array[]) =>
  pcapFile(
    packets.map((data) => ({ data })),
    { linkType: RAW },
  );

/** Captures with nothing to write, by what is in them. */
const captures = {
  "no packets": capture([]),
  "no known protocol": readFileSync(sample("example-dissector/parley.pcap")),
};

describe.each(["decrypt", "scrub"])("%s with nothing to write", (command) => {
  it.each(Object.entries(captures))(
    "leaves no file for %s, and says so even if it is to be quiet",
    async (_, bytes) => {
      const path = file("in.pcap", bytes);
      const out = join(folder, `none.${command}.pcapng`);
      const { code, stdout, stderr } = await run([command, path, "-q", "-o", out]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
      expect(stderr).toMatch(/^moul-dissect: there is nothing to write: .*; .*none\..*\.pcapng is not written\n$/);
      expect(existsSync(out)).toBe(false);
    },
  );

  it("leaves an existing file as it was, even with --force", async () => {
    const path = file("in.pcap", captures["no known protocol"]);
    const out = file("old.pcapng", "of another run");
    expect(await run([command, path, "--force", "-o", out])).toMatchObject({ code: 0 });
    expect(readFileSync(out, "utf8")).toBe("of another run");
  });

  it.runIf(isPosix)("ends what the reader of a pipe waits for: a capture without packets", async () => {
    const pipe = join(folder, `${command}.pipe`);
    spawnSync("mkfifo", [pipe]);
    const read = buffer(createReadStream(pipe));
    const path = file("in.pcap", captures["no known protocol"]);
    expect(await run([command, path, "-o", pipe])).toMatchObject({ code: 0 });
    const copy = file("copy.pcapng", await read);
    expect(await run([copy])).toMatchObject({ code: 0 });
  });
});

describe("keys without a session key", () => {
  it("leaves no file, and says so even if it is to be quiet", async () => {
    const out = join(folder, "none.keys");
    const { code, stderr } = await run(["keys", file("in.pcap", captures["no known protocol"]), "-q", "-o", out]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^moul-dissect: there is nothing to write: no session key was found; .*none\.keys is not/);
    expect(existsSync(out)).toBe(false);
  });

  it("leaves an existing file as it was, even with --force", async () => {
    const out = file("old.keys", "of another run");
    const path = file("in.pcap", captures["no packets"]);
    expect(await run(["keys", path, "--force", "-o", out])).toMatchObject({ code: 0 });
    expect(readFileSync(out, "utf8")).toBe("of another run");
  });
});

it("decrypt does not say of what it recognised and cannot decrypt that it was not recognised", async () => {
  const tcp = new TcpTalk(["10.0.0.1", 50_000], ["10.0.0.2", 14_617], [1, 1]);
  // The beginning, where the key is agreed on, was not captured.
  tcp.handshake();
  const sides = [0, 1] as const;
  const bytes = Uint8Array.from({ length: 64 }, (_, index) => 0x80 ^ (index * 37));
  const path = file("secret.pcap", capture(sides.map((side) => tcp.send(side, bytes))));
  const out = join(folder, "secret.pdus.pcapng");
  const { code, stderr } = await run(["decrypt", path, "--exported-pdu", "-o", out]);
  expect(code).toBe(0);
  expect(stderr).toContain("there is nothing to write: nothing could be decrypted; ");
  expect(existsSync(out)).toBe(false);
});

it("decrypt writes a capture without packets to standard output, as a reader waits for one", async () => {
  const { code, stdout, stderr } = await run(["decrypt", file("in.pcap", captures["no packets"]), "-o", "-"]);
  expect(code).toBe(0);
  expect(stdout.slice(0, 4)).toBe("\n\r\r\n");
  expect(stderr).toBe("moul-dissect: there is nothing to write: no conversation was recognised\n");
});

it("scrub leaves no file if nothing can be decrypted", async () => {
  const talk = new MoulTalk("auth").opens();
  const secret = packetsOf(talk.says("Cli2Auth_ClientRegisterRequest", { buildId: 918 }));
  const out = join(folder, "secret.out.pcapng");
  const { code, stderr } = await run(["scrub", file("secret.pcap", capture(secret)), "-o", out]);
  expect(code).toBe(0);
  expect(stderr).toContain("1 conversation left out: not decrypted\n");
  expect(existsSync(out)).toBe(false);
});
