import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { CaptureError, captureName, openCapture } from "../../src/capture/source.js";
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
