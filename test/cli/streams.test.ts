import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { pcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { keyFiles, MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { ethernet, Flag, TcpTalk, text, udpPacket } from "../support/packets.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

function capture(name: string, packets: readonly Uint8Array[], linkType = RAW, snapLength = 65_535): string {
  const records = packets.map((data, index) => ({
    data: data.subarray(0, snapLength),
    originalLength: data.length,
    time: 1_795_150_492_000_000_000n + BigInt(index) * 1_500_000n,
  }));
  return file(name, pcapFile(records, { linkType }));
}

const sha256 = (words: string): string => createHash("sha256").update(words).digest("hex");

const GAME = ping(new MoulTalk("game").opens());
const KEYS = file("dirtsand.ini", keyFiles.dirtsand());

/** A connection of something else, with an acknowledged loss, inside one of MOUL. */
function mixed(): Uint8Array[] {
  const tcp = new TcpTalk(["192.0.2.9", 1234], ["192.0.2.2", 80], [7, 7]);
  const open = [...tcp.handshake(), tcp.send(0, "GET / HTTP/1.0\r\n\r\n"), tcp.ack(1), tcp.send(1, "HTTP/1.0 ")];
  tcp.send(1, "lost ");
  const rest = [tcp.send(1, "OK"), tcp.ack(0), tcp.fin(1), tcp.fin(0), tcp.ack(1)];
  const game = packetsOf(GAME);
  return [...game.slice(0, 3), ...open, ...rest, ...game.slice(3)];
}

describe("streams --json", () => {
  test("knows that a connection is not encrypted from what both sides agree on, before any message", async () => {
    const talk = () => new MoulTalk("gatekeeper", { encryption: "none" });
    // The server's half may come first in a capture.
    for (const agreed of [talk().opens(), talk().connect().sendsSeed().sendsY()]) {
      const { stdout } = await run(["streams", capture("agreed.pcap", packetsOf(agreed)), "--json"]);
      expect(jsonLines(stdout)[0]).toMatchObject({ encryption: "none", key: "not-needed", keySource: "" });
    }
  });

  test("shows which side ended a connection, and how", async () => {
    const ended = async (...ends: readonly ((tcp: TcpTalk) => Uint8Array)[]) => {
      const tcp = new TcpTalk(["192.0.2.9", 1234], ["192.0.2.2", 80], [7, 7]);
      const packets = [...tcp.handshake(), tcp.send(0, "GET"), ...ends.map((end) => end(tcp))];
      const path = capture("ended.pcap", packets);
      const { closed, closedBy } = jsonLines((await run(["streams", path, "--json"])).stdout)[0] ?? {};
      const [titles = "", line = ""] = (await run(["streams", path])).stdout.split("\n");
      const at = titles.indexOf("ended by");
      return [closed, closedBy, line.slice(at).split("  ")[0]];
    };
    expect(await ended()).toEqual(["capture-end", null, "open"]);
    expect(await ended((tcp) => tcp.fin(1))).toEqual(["capture-end", "server", "server, half"]);
    expect(
      await ended(
        (tcp) => tcp.fin(1),
        (tcp) => tcp.fin(0),
      ),
    ).toEqual(["fin", "server", "server"]);
    expect(await ended((tcp) => tcp.rst(0))).toEqual(["rst", "client", "client, reset"]);
    // The client's last bytes are not in the capture, and were never acknowledged.
    expect(await ended((tcp) => tcp.raw(0, { flags: Flag.rst, sequence: tcp.next(0) + 10 }))).toEqual([
      "rst",
      "client",
      "client, reset",
    ]);
    // A FIN is repeated from an earlier connection on the same ports.
    expect(
      await ended(
        (tcp) => tcp.raw(1, { flags: Flag.fin | Flag.ack, sequence: tcp.next(1) - 5000 }),
        (tcp) => tcp.fin(0),
        (tcp) => tcp.fin(1),
      ),
    ).toEqual(["fin", "client", "client"]);
    // The server's bytes were lost, as the client was gone.
    expect(
      await ended(
        (tcp) => tcp.fin(0),
        (tcp) => tcp.rst(1),
      ),
    ).toEqual(["rst", "server", "server, reset"]);
  });

  test("lists every conversation, even unrecognised ones", async () => {
    const path = capture("mixed.pcap", mixed());
    const { code, stdout, stderr } = await run(["streams", path, "--json", "--keys", KEYS]);
    expect([code, stderr]).toEqual([0, ""]);
    const [game, other, ...more] = jsonLines(stdout);
    expect(more).toEqual([]);
    const sent = (direction: "c2s" | "s2c") =>
      Buffer.concat(GAME.sent.filter((part) => part.direction === direction).map(({ bytes }) => bytes));
    expect(game).toMatchObject({
      schema: "moul-dissect.stream/1",
      stream: 0,
      transport: "tcp",
      client: "192.0.2.1:50000",
      server: "192.0.2.2:14617",
      protocol: "moul.game",
      encryption: "rc4",
      key: "recovered",
      keySource: expect.stringContaining("dirtsand.ini"),
      start: "2026-11-20T04:54:52.000000Z",
      c2s: { bytes: sent("c2s").length, gaps: [], sha256: createHash("sha256").update(sent("c2s")).digest("hex") },
      s2c: { bytes: sent("s2c").length, gaps: [], sha256: createHash("sha256").update(sent("s2c")).digest("hex") },
    });
    expect(other).toEqual({
      schema: "moul-dissect.stream/1",
      stream: 1,
      transport: "tcp",
      client: "192.0.2.9:1234",
      server: "192.0.2.2:80",
      protocol: null,
      encryption: "unknown",
      key: "not-needed",
      keySource: "",
      start: "2026-11-20T04:54:52.004500Z",
      end: "2026-11-20T04:54:52.019500Z",
      c2s: { packets: 5, bytes: 18, gaps: [], sha256: sha256("GET / HTTP/1.0\r\n\r\n") },
      s2c: { packets: 6, bytes: 11, gaps: [{ offset: 9, length: 5 }], sha256: sha256("HTTP/1.0 OK") },
      closed: "fin",
      closedBy: "server",
    });
    expect(Object.keys(game ?? {})).toEqual(Object.keys(other ?? {}));
  });

  test("says where the key came from", async () => {
    const path = capture("encrypted.pcap", packetsOf(GAME));
    const wrong = file("wrong.ini", keyFiles.dirtsand({ game: "another" }));
    const of = async (...args: readonly string[]) =>
      jsonLines((await run(["streams", path, "--json", ...args])).stdout)[0];
    expect(await of()).toMatchObject({ protocol: "moul.game", encryption: "rc4", key: "missing", keySource: "" });
    expect(await of("--keys", wrong)).toMatchObject({ encryption: "rc4", key: "wrong" });
    const plain = capture("plain.pcap", packetsOf(ping(new MoulTalk("game", { encryption: "none" }).opens())));
    const [clear] = jsonLines((await run(["streams", plain, "--json"])).stdout);
    expect(clear).toMatchObject({ encryption: "none", key: "not-needed" });
  });

  test("gets the client right if only the content shows which side it is", async () => {
    // Without the SYN, and the server is heard first.
    const packets = packetsOf(GAME, { noSyn: true, noFin: true });
    const ack = packets.find((packet) => packet[15] === 2 && packet.length === 40);
    const path = capture("turned.pcap", [...(ack === undefined ? [] : [ack]), ...packets]);
    const [stream] = jsonLines((await run(["streams", path, "--json", "--keys", KEYS])).stdout);
    expect(stream).toMatchObject({ client: "192.0.2.1:50000", protocol: "moul.game" });
    const sent = Buffer.concat(GAME.sent.filter(({ direction }) => direction === "c2s").map(({ bytes }) => bytes));
    expect(stream).toMatchObject({
      c2s: { bytes: sent.length, sha256: createHash("sha256").update(sent).digest("hex") },
    });
  });

  test("counts what the snap length cut as gaps, of TCP and of UDP", async () => {
    const ends = { source: "10.0.0.1", sourcePort: 1, destination: "10.0.0.2", destinationPort: 2 };
    const tcp = new TcpTalk(["10.0.0.1", 3], ["10.0.0.2", 4], [1, 1]);
    const packets = [udpPacket(ends, text("0123456789abcdefgh")), udpPacket(ends, text("0123456789abcdef"))];
    packets.push(...tcp.handshake(), tcp.send(0, "0123456789"), tcp.send(0, "abcdef"));
    const [udp, stream] = jsonLines((await run(["streams", capture("cut.pcap", packets, RAW, 44), "--json"])).stdout);
    expect(udp).toMatchObject({
      transport: "udp",
      c2s: {
        packets: 2,
        bytes: 32,
        gaps: [{ offset: 16, length: 2 }],
        sha256: sha256("0123456789abcdef0123456789abcdef"),
      },
    });
    expect(stream).toMatchObject({
      c2s: {
        bytes: 8,
        gaps: [
          { offset: 4, length: 6 },
          { offset: 14, length: 2 },
        ],
      },
    });
  });

  test("agrees with tshark on a sample", async () => {
    const { stdout } = await run(["streams", sample("nagus-session.pcap"), "--json"]);
    const streams = jsonLines(stdout);
    expect(streams.map(({ stream }) => stream)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // tshark -z follow,tcp,raw,2
    expect(streams[2]).toMatchObject({ s2c: { bytes: 12735, sha256: expect.stringMatching(/^e367b6f2/) } });
    expect(streams.every(({ key }) => key === "recovered")).toBe(true);
  });
});

describe("streams", () => {
  test("is a table with aligned columns", async () => {
    const { code, stdout } = await run(["streams", capture("mixed.pcap", mixed()), "--keys", KEYS]);
    expect(code).toBe(0);
    const [head = "", ...rows] = stdout.trimEnd().split("\n");
    expect(head).toMatch(
      /^stream {2}protocol +client +server +start +seconds +packets c2s +s2c +bytes c2s +s2c +missing +ended by +encry/,
    );
    expect(rows.length).toBe(2);
    expect(rows[0]).toMatch(/^ {5}0 {2}moul\.game {4}192\.0\.2\.1:50000 {2}192\.0\.2\.2:14617 .* rc4 +recovered: /);
    expect(rows[1]).toMatch(
      /^ {5}1 {2}unknown tcp {2}192\.0\.2\.9:1234 {3}192\.0\.2\.2:80 .* 5 {2}server +unknown +not-needed$/,
    );
    expect(rows.map((row) => row.indexOf("192.0.2.2:"))).toEqual([head.indexOf("server"), head.indexOf("server")]);
    expect(stdout).not.toContain("\u001b");
  });

  test("is as wide on a terminal of unknown width as on one of 80 columns", async () => {
    const [unknown, usual] = await Promise.all(
      [0, 80].map(async (columns) => {
        const stdout = new FakeTerminal(columns);
        const args = ["streams", sample("dirtsand-session.pcap")];
        await main(args, { stdout, stderr: new FakeTerminal(), env: {} });
        return stdout.text;
      }),
    );
    expect(unknown).toBe(usual);
    expect(usual).toContain("127.0.0.1:");
  });

  test("shows VLANs and tunnels where there are any", async () => {
    const twins = [packetsOf(GAME), packetsOf(GAME, { initial: [800_000_000, 900_000_000] })];
    const packets = twins.flatMap((twin, index) => twin.map((packet) => ethernet(packet, [0x8100], 0x0800, 1 + index)));
    const { stdout } = await run(["streams", capture("vlans.pcap", packets, 1), "--keys", KEYS]);
    const rows = stdout.trimEnd().split("\n").slice(1);
    expect(rows.map((row) => /moul\.game .* VLAN \d .* recovered/.test(row))).toEqual([true, true]);
  });

  test("writes to a file, but not over its input", async () => {
    const path = capture("file.pcap", packetsOf(GAME));
    const out = join(folder, "streams.txt");
    expect(await run(["streams", path, "-o", out])).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(out, "utf8")).toMatch(/^stream {2}protocol/);
    expect(await run(["streams", path, "-o", path])).toMatchObject({ code: 1, stdout: "" });
  });

  test("shows in its exit code what could not be read", async () => {
    expect(await run(["streams", join(folder, "none.pcap")])).toMatchObject({ code: 2, stdout: "" });
    expect((await run(["streams", "--decode-as", "nonsense", join(folder, "mixed.pcap")])).code).toBe(1);
    const path = capture("cut short.pcap", packetsOf(GAME));
    writeFileSync(path, readFileSync(path).subarray(0, -5));
    const { code, stdout, stderr } = await run(["streams", path]);
    expect([code, stdout.split("\n").length]).toEqual([2, 3]);
    expect(stderr).toContain("the file ends inside frame");
  });
});

describe("streams says of packets that are in no conversation", () => {
  const greedy = packetsOf(GAME)[3]?.slice() ?? text("");
  greedy.set([0xff, 0xff], 2);

  test("why the list is empty, as the list of messages does", async () => {
    const path = capture("radio.pcap", [text("one"), text("two")], 195);
    const why = "in 2 packets (IEEE 802.15.4 (link type 195): 2)";
    expect((await run(["streams", path])).stderr).toBe(`moul-dissect: there are no TCP or UDP conversations ${why}\n`);
    expect((await run([path, "--json"])).stderr).toBe(
      `moul-dissect: no message of a known protocol was found ${why}\n`,
    );
  });

  test("what they are, beside the list", async () => {
    const arp = [1, 2].map(() => ethernet(text("who has it?"), [], 0x0806));
    const path = capture("others.pcap", [...packetsOf(GAME), greedy].map((ip) => ethernet(ip)).concat(arp), 1);
    expect((await run(["streams", path])).stderr).toBe(
      "moul-dissect: 3 packets are in no conversation (ARP: 2, IPv4 length beyond the end of the frame: 1)\n",
    );
  });

  test("only the commonest kinds, and how many more there are", async () => {
    const types = [0x0806, 0x0806, 0x88cc, 0x888e, 0x9999];
    const path = capture(
      "kinds.pcap",
      types.map((type) => ethernet(text("?"), [], type)),
      1,
    );
    expect((await run(["streams", path])).stderr).toBe(
      "moul-dissect: there are no TCP or UDP conversations in 5 packets (ARP: 2, LLDP: 1, EAPOL: 1, 1 more kind)\n",
    );
  });
});
