import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { CaptureError } from "../../src/capture/source.js";
import { captureName, openCapture } from "../../src/platform/node/capture-file.js";
import { chunks, PcapngWriter, pcapFile } from "../support/captures.js";
import { concat, text } from "../support/packets.js";
import { fleeting, PacketLog, readLog } from "../support/recording.js";

const SMALL = pcapFile([{ data: text("one") }, { data: text("two") }]);

describe("a file that is not a capture", () => {
  test.each([
    ["an empty file", new Uint8Array(0), "the file is empty"],
    ["text", text("Once upon a time"), "this is not a capture in pcap or pcapng format: this is text"],
    [
      "a capture rewritten by Windows PowerShell",
      Uint8Array.of(0xff, 0xfe, 0x0a, 0, 0x0d, 0),
      "this is not a capture in pcap or pcapng format: this is UTF-16 text, as Windows PowerShell's > " +
        "writes it; use -o to write captures",
    ],
    ["two letters", text("ab"), "this is not a capture in pcap or pcapng format: this is text"],
    [
      "xz data",
      Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a),
      "this is not a capture in pcap or pcapng format: this is xz data; unpack it first, for example with unxz",
    ],
    [
      "something else",
      Uint8Array.of(0xca, 0xfe, 0xba, 0xbe, 0),
      "this is not a capture in pcap or pcapng format: it begins with the bytes cafebabe",
    ],
  ])("is named for what it is: %s", async (_name, bytes, sentence) => {
    for (const length of [1, 1000]) {
      const { log, result } = await readLog(chunks(bytes, length));
      expect(log.problems).toEqual([{ file: "test.pcap", frame: 0, offset: 0, text: sentence }]);
      expect(result.outcome).toBe("unreadable");
    }
  });

  test("is not given a name by chance", async () => {
    const named: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 600, maxLength: 2000, size: "max" }), async (bytes) => {
        // Bytes above 0x7f: these begin like nothing else that is known.
        const { log } = await readLog([concat(Uint8Array.of(0xfe, 0xdc, 0xba, 0x98), bytes)]);
        named.push(...log.problems.map(({ text: problem }) => problem.replace(/.*: /, "")));
      }),
      { numRuns: 300 },
    );
    // About one in 200,000 looks like a single ERF record that is as long as the file.
    const others = named.filter((name) => name !== "it begins with the bytes fedcba98");
    expect(named).toHaveLength(300);
    expect(others.length, others.join(", ")).toBeLessThanOrEqual(1);
  });

  const hex = (digits: string) => Uint8Array.from(Buffer.from(digits, "hex"));
  /** An ERF record of Ethernet, without a packet. */
  const erf = (type: string) => hex(`00000000ce8eff6a${type}04001800000040${"00".repeat(8)}`);

  const date = [0xe7, 0x07, 11, 14, 22, 13, 20, 0, 0, 0, 0];
  const commView = () => [2, 0, 2, 0, 0, ...date, ...Array<number>(8).fill(0), 1, 2];
  const commViewNcfx = () => [2, 0, 0, 0, ...date, ...Array<number>(5).fill(0), 1, 2];
  const packetLogger = hex("0000000b655000000000000501aabb");
  const hcidump = hex("020001000000505500000000aabb");

  test.each<[what: string, bytes: Uint8Array]>([
    ["an ERF capture; convert it with editcap -F pcap", concat(erf("02"), erf("02"))],
    ["a CommView capture; convert it with editcap -F pcap", Uint8Array.from([0, 1].flatMap(commView))],
    ["a CommView capture; convert it with editcap -F pcap", Uint8Array.from([0, 1].flatMap(commViewNcfx))],
    ["a PacketLogger capture of Bluetooth; convert it with editcap -F pcap", concat(packetLogger, packetLogger)],
    ["an hcidump capture of Bluetooth; convert it with editcap -F pcap", concat(hcidump, hcidump, hcidump)],
    ["a log of Process Monitor; convert it with editcap -F pcap", text("PML_\x09\0")],
    ["RTP packets of rtpdump; convert it with editcap -F pcap", text("#!rtpplay1.0 10.0.0.1/5004\n\0\0")],
    ["a candump log; convert it with editcap -F pcap", text("(1436509052.249713) vcan0 044#2A366C2BBA\n")],
    ["a NetScreen trace; convert it with editcap -F pcap", text("12345.0: 0(i):000000000001->000000000002/0800\n")],
    ["a trace of a Toshiba router; convert it with editcap -F pcap", text("\n\nT O S H I B A  ISDN Router\n")],
    ["a trace of a VMS system; convert it with editcap -F pcap", text("   TCPIPtrace RCV packet 1 at 23-JAN-2003\n")],
    ["a PEAK-System trace; convert it with editcap -F pcap", text(";$FILEVERSION=1.1\n")],
    ["a pcap file of a variant that nobody documents", hex("4d3c2ba102000400")],
    ["a pcap file that was converted like text; copy it as binary data", hex("c394c383c2b2c2a1020004")],
    ["a Microsoft Network Monitor 1 capture; convert it with editcap -F pcap", hex("5254535301010100")],
    ["a Microsoft Network Monitor 2 capture; convert it with editcap -F pcap", hex("474d425500020100")],
    ["a btsnoop log of Bluetooth; convert it with editcap -F pcap", text("btsnoop\0\0\0\0\x01")],
    ["an AIX iptrace capture; convert it with editcap -F pcap", text("iptrace 2.0\0\0")],
    ["an HP-UX nettl trace; convert it with editcap -F pcap", hex("5452006400000000")],
    ["a Sniffer (DOS) capture; convert it with editcap -F pcap", text("TRSNIFF data    \x1a")],
    ["a Sniffer (Windows) or NetXRay capture; convert it with editcap -F pcap", text("XCP\x00002.001")],
    ["a Novell LANalyzer capture; convert it with editcap -F pcap", hex("01104c0001055472616365")],
    ["a K12 text file; convert it with editcap -F pcap", text("+---------+---------------+----------+\r\n")],
    ["a Tektronix K12 capture (.rf5); convert it with editcap -F pcap", hex("0000020012050010ff")],
    ["a Catapult DCT2000 trace; convert it with editcap -F pcap", text("Session Transcript\n")],
    [
      "a Windows event trace (.etl), as netsh and pktmon write it; convert it with etl2pcapng",
      concat(hex("00000100"), new Uint8Array(68), hex("020002c03a010000")),
    ],
    [
      "a Windows cabinet (.cab), as netsh writes beside its .etl; unpack it first, for example with cabextract or expand",
      text("MSCF\0\0\0\0"),
    ],
    ["a tar archive; unpack it first, for example with tar -xf", concat(new Uint8Array(257), text("ustar\x0000"))],
    ["a ZIP archive; unpack it first, for example with unzip", text("PK\x03\x04\x14\0")],
    ["a RAR archive; unpack it first, for example with unrar x", text("Rar!\x1a\x07\x01\0")],
    ["bzip2 data; unpack it first, for example with bunzip2", text("BZh91AY")],
    ["a hex dump; convert it with text2pcap", text("00000000: 4500 003c 1c46 4000  E..<.F@.\n")],
    ["a hex dump; convert it with text2pcap", text("0000  45 00 00 3c\n")],
    ["a hex dump; convert it with text2pcap", text("10:00:00.1 IP a.1 > b.2: UDP\n\t0x0000:  4500 003c\n")],
    ["text with a byte order mark", hex("efbbbf68656c6c6f")],
    ["UTF-16 text (big-endian)", hex("feff0068")],
    [
      "a pointer of Git LFS in place of the file; fetch the file with git lfs pull",
      text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
    ],
    ["a web page (HTML), perhaps in place of a download that failed", text("<!DOCTYPE html>\n<html>")],
    ["JSON, not a capture", text('{"message": "Not Found"}')],
    ["JSON, not a capture", text('[\n  {\n    "_index": "packets"')],
    ["text", text("10 green bottles\n")],
  ])("is %s", async (what, bytes) => {
    for (const length of [1, 1000]) {
      const { log } = await readLog(chunks(bytes, length));
      expect(log.problems.map((problem) => problem.text)).toEqual([
        `this is not a capture in pcap or pcapng format: this is ${what}`,
      ]);
    }
  });

  test("is known by its name where its format has no beginning of its own", async () => {
    const log = new PacketLog();
    await readCapture(fleeting([hex("0102030405060708")]), "Trace.ETL", log);
    expect(log.problems.map((problem) => problem.text)).toEqual([
      "this is not a capture in pcap or pcapng format: " +
        "this is a Windows event trace (.etl) by its name; convert it with etl2pcapng",
    ]);
  });
});

describe("several files", () => {
  test("have their frames numbered consecutively", async () => {
    const first = await readLog([SMALL]);
    const write = new PcapngWriter();
    const second = concat(write.section(), write.interface(), write.enhanced({ data: text("three") }, 0n));
    const { log, result } = await readLog([second], { lastFrame: first.result.lastFrame });
    expect(log.packets.map((packet) => packet.frame)).toEqual([3]);
    expect(result.lastFrame).toBe(3);
  });
});

describe("a caller", () => {
  test("holds the reading back between chunks", async () => {
    const log = new PacketLog();
    const seen: number[] = [];
    const between = async (bytes: number): Promise<undefined> => {
      const { length } = log.packets;
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(log.packets.length).toBe(length);
      seen.push(bytes);
    };
    await readCapture(fleeting(chunks(SMALL, 30)), "test.pcap", log, { between });
    expect(seen).toEqual([30, 60, SMALL.length]);
    expect(log.packets.length).toBe(2);
  });

  test("without room for more has each packet wait, and what comes after it, without a difference", async () => {
    const write = new PcapngWriter();
    const packet = (word: string) => write.enhanced({ data: text(word) }, 0n);
    const blocks = [packet("one"), write.secrets(text("a")), packet("two"), packet("three"), write.secrets(text("b"))];
    const capture = concat(write.section(), write.interface(), ...blocks, packet("cut").slice(0, 10));
    const whole = await readLog([capture]);
    for (const size of [7, 64, capture.length]) {
      const log = new PacketLog();
      let room = 0;
      let waits = 0;
      const between = (): undefined => {
        room = log.packets.length + 1;
        waits++;
      };
      const isFull = () => log.packets.length >= room;
      const result = await readCapture(fleeting(chunks(capture, size)), "test.pcap", log, { between, isFull });
      expect([log, result]).toEqual([whole.log, whole.result]);
      expect(waits).toBeGreaterThan(3);
    }
  });

  test("can stop early", async () => {
    const { log, result } = await readLog(chunks(SMALL, 50), { between: () => false });
    expect(log.packets.length).toBe(1);
    expect(log.problems).toEqual([]);
    expect(result).toMatchObject({ outcome: "stopped", lastFrame: 1 });
    const waiting = await readLog([SMALL], { isFull: () => true, between: () => false });
    expect(waiting.log.packets).toEqual([]);
    expect(waiting.result.outcome).toBe("stopped");
    // A problem that waits with it has not been reported.
    const damaged = await readLog([SMALL.slice(0, -1)], { isFull: () => true, between: () => false });
    expect([damaged.log.problems, damaged.result.outcome]).toEqual([[], "stopped"]);
  });
});

describe("opening a capture", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  async function read(path: string): Promise<PacketLog> {
    const log = new PacketLog();
    await readCapture(openCapture(path), captureName(path), log);
    return log;
  }

  test("reads a file of many blocks", async () => {
    const path = join(folder, "large.pcap");
    const data = new Uint8Array(60_000);
    await writeFile(path, pcapFile(Array.from({ length: 20 }, () => ({ data }))));
    const log = await read(path);
    expect(log.problems).toEqual([]);
    expect(log.packets.map((packet) => packet.data.length)).toEqual(new Array(20).fill(120_000));
  });

  test("says what is wrong with a path", async () => {
    const missing = join(folder, "missing.pcap");
    expect((await read(missing)).problems).toEqual([
      { file: missing, frame: 0, offset: 0, text: "there is no such file" },
    ]);
    expect((await read(folder)).problems[0]?.text).toBe("this is a folder, not a capture file");
  });

  test("throws a CaptureError at whoever reads the bytes", async () => {
    const path = join(folder, "missing.pcap");
    const iterate = async (): Promise<void> => {
      for await (const _chunk of openCapture(path));
    };
    const error = await iterate().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CaptureError);
    expect(error).toMatchObject({ file: path, message: `${path}: there is no such file` });
  });

  test("takes standard input for -", async () => {
    const log = new PacketLog();
    await readCapture(openCapture("-", undefined, fleeting(chunks(SMALL, 9))), captureName("-"), log);
    expect(log.packets.length).toBe(2);
    expect(captureName("-")).toBe("standard input");
  });

  test("passes on what came before reading failed", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield SMALL.subarray(0, SMALL.length - 2);
      throw Object.assign(new Error("input/output error"), { code: "EIO" });
    }
    const log = new PacketLog();
    const result = await readCapture(openCapture("-", undefined, failing()), captureName("-"), log);
    expect(result.outcome).toBe("partial");
    expect(log.packets.length).toBe(1);
    expect(log.problems).toEqual([
      {
        file: "standard input",
        frame: 1,
        offset: SMALL.length - 2,
        text: "the disk or device failed",
      },
    ]);
  });

  test("passes through errors that are not about the file", async () => {
    const log = new PacketLog();
    log.packet = () => {
      throw new RangeError("a mistake of the program");
    };
    await expect(readCapture(fleeting([SMALL]), "test.pcap", log)).rejects.toThrow(RangeError);
  });
});
