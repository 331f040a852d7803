import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as zlib from "node:zlib";
import { type EncoderOptions, encode } from "lz4-browser";
import { describe, expect, test, vi } from "vitest";
import { unpacked } from "../../src/capture/compression/compression.js";
import type { Decompressors } from "../../src/capture/compression/decompressors.js";
import { portableDecompressors } from "../../src/capture/compression/portable.js";
import { decompressorsOf } from "../../src/platform/node/decompressors.js";
import { chunks, pcapFile } from "../support/captures.js";
import { concat, text } from "../support/packets.js";
import { projectPath } from "../support/project-path.js";
import { readLog } from "../support/recording.js";

/** Returned as a plain array: readers overwrite their chunks, and the `slice` of a Buffer does not copy. */
function gzip(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(zlib.gzipSync(bytes));
}

function lz4(bytes: Uint8Array, options: EncoderOptions = {}): Uint8Array {
  return new Uint8Array(encode(Buffer.from(bytes), options));
}

/** 210 kB in packets that repeat each other at a distance, a third of which no compression can shrink. */
function sample(): Uint8Array {
  let state = 1;
  const noise = Uint8Array.from({ length: 1400 }, () => {
    state = (state * 48271) % 0x7fffffff;
    return state & 0xff;
  });
  const data = Array.from({ length: 150 }, (_, index) => concat(text(`packet ${index} `), noise.subarray(index)));
  return pcapFile(data.map((packet, index) => ({ data: packet, time: BigInt(index) * 1_000_000n })));
}

const SAMPLE = sample();
/** The sample as compressed by the program lz4 with -BD -B4 -BX --content-size: linked blocks, every checksum. */
const LINKED = new Uint8Array(readFileSync(new URL("../fixtures/captures/linked-blocks.pcap.lz4", import.meta.url)));
const INDEPENDENT = lz4(SAMPLE, { blockMaxSize: 64 << 10, blockChecksum: true });
const SKIPPABLE = concat(Uint8Array.of(0x5f, 0x2a, 0x4d, 0x18, 5, 0, 0, 0), text("hello"));

/** Those of Node.js, without a file to read again. */
const decompressors = decompressorsOf(async () => () => inPieces(new Uint8Array(0), 1));

/** What decompresses. */
const EVERYWHERE: readonly (readonly [where: string, decompressors: Decompressors])[] = [
  ["in Node.js", decompressors],
  ["elsewhere", portableDecompressors],
];

const COMPRESSED: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ["gzip", gzip(SAMPLE)],
  ["gzip in two members", concat(gzip(SAMPLE.subarray(0, 5000)), gzip(SAMPLE.subarray(5000)))],
  ["an LZ4 frame with independent blocks", INDEPENDENT],
  ["an LZ4 frame with linked blocks", LINKED],
  ["LZ4 frames with one to be skipped", concat(lz4(SAMPLE.subarray(0, 77)), SKIPPABLE, lz4(SAMPLE.subarray(77)))],
];

describe("a compressed capture", () => {
  test.each(
    COMPRESSED.flatMap(([name, bytes]) =>
      EVERYWHERE.map(([where, decompressors]) => ({ name, where, bytes, decompressors })),
    ),
  )("is read from $name $where", async ({ bytes, decompressors }) => {
    const plain = await readLog([SAMPLE]);
    for (const length of [1000, 1 << 20]) {
      let seen = 0;
      const between = (compressed: number) => {
        seen = compressed;
        return undefined;
      };
      const { log, result } = await readLog(chunks(bytes, length), { between, decompressors });
      expect(log).toEqual(plain.log);
      expect(result).toEqual(plain.result);
      // There may be a checksum after the last packet.
      expect(bytes.length - seen).toBeLessThan(10);
    }
  });

  test.each(EVERYWHERE)(
    "of gzip goes on %s where a member ends with a chunk, up to padding",
    async (_where, decompressors) => {
      const [first, second] = [gzip(SAMPLE.subarray(0, 5000)), gzip(SAMPLE.subarray(5000))];
      const { log } = await readLog([first, second, new Uint8Array(512), gzip(SAMPLE)], { decompressors });
      expect(log).toEqual((await readLog([SAMPLE])).log);
    },
  );

  test("is recognised even if it arrives byte by byte", async () => {
    const small = pcapFile([{ data: text("small") }]);
    for (const bytes of [gzip(small), lz4(small)]) {
      const { log } = await readLog(chunks(bytes, 1));
      expect(log.packets.map((packet) => packet.data)).toEqual([Buffer.from("small").toString("hex")]);
      expect(log.problems).toEqual([]);
    }
  });

  test.each([
    ["gzip", gzip(SAMPLE), "the gzip data ends too early", decompressors],
    ["gzip", gzip(SAMPLE), "the gzip data ends too early", portableDecompressors],
    ["LZ4", INDEPENDENT, "the LZ4 data ends too early", decompressors],
    ["LZ4", LINKED, "the LZ4 data ends too early", decompressors],
  ])("that ends too early yields the packets before its end: %s", async (_name, bytes, sentence, decompressors) => {
    for (const end of [bytes.length - 1, bytes.length - 2000]) {
      const { log, result } = await readLog(chunks(bytes.subarray(0, end), 700), { decompressors });
      expect(log.packets.length).toBeGreaterThan(20);
      expect(log.problems.map((problem) => problem.text)).toEqual([sentence]);
      expect(result.outcome).toBe("partial");
    }
  });

  test.each([
    ["gzip", gzip(SAMPLE), 3000, /^the gzip data is damaged: /],
    ["gzip, checksum", gzip(SAMPLE), -8, /^the gzip data is damaged: incorrect data check/],
    ["gzip, in Node.js", gzip(SAMPLE), 3000, /^the gzip data is damaged: /, decompressors],
    ["gzip, checksum, in Node.js", gzip(SAMPLE), -8, /^the gzip data is damaged: incorrect data check/, decompressors],
    ["LZ4, header", INDEPENDENT, 5, /^the LZ4 data is damaged: the checksum of its header is wrong/],
    ["LZ4, block", INDEPENDENT, 3000, /^the LZ4 data is damaged: the checksum of a block is wrong/],
    ["LZ4, content", INDEPENDENT, -4, /^the LZ4 data is damaged: the checksum of its content is wrong/],
    ["LZ4, linked blocks", LINKED, 4000, /^the LZ4 data is damaged: the checksum of a block is wrong/],
  ])("that is damaged is reported: %s", async (_name, bytes, at, sentence, decompressors = portableDecompressors) => {
    const damaged = new Uint8Array(bytes);
    const place = at < 0 ? damaged.length + at : at;
    damaged[place] = (damaged[place] ?? 0) ^ 0x10;
    const { log } = await readLog(chunks(damaged, 5000), { decompressors });
    expect(log.problems.at(-1)?.text).toMatch(sentence);
  });

  /** Blocks of deflate that become 48 KiB each, so that damage is behind much that is sound. */
  const LARGE = gzip(concat(SAMPLE, new Uint8Array(48 << 10), SAMPLE));
  test.each([
    ["with a wrong checksum", LARGE.with(-5, (LARGE.at(-5) ?? 0) ^ 1), "incorrect data check"],
    ["followed by other data", concat(LARGE, text("more")), "incorrect header check"],
    ["damaged near its end", LARGE.with(-300, (LARGE.at(-300) ?? 0) ^ 0x55), ""],
    ["damaged near its beginning", LARGE.with(900, (LARGE[900] ?? 0) ^ 0x55), ""],
  ])("gives in Node.js all that can be unpacked of gzip data %s", async (_name, file, why) => {
    const again = decompressorsOf(async () => () => inPieces(file, 5000));
    const once = decompressorsOf(async () => undefined);
    for (const length of [file.length, 700]) {
      const [elsewhere = "", ...inNode] = await Promise.all(
        [portableDecompressors, again, once].map((decompressors) =>
          unpackedUntil(inPieces(file, length), decompressors),
        ),
      );
      expect(elsewhere).toMatch(/^[1-9]/);
      expect(elsewhere).toContain(`the gzip data is damaged: ${why}`);
      expect(inNode).toEqual([elsewhere, elsewhere]);
    }
  });

  test.each([
    ["of another version", [0x80, 0x40], "the LZ4 data is of an unknown version (2)"],
    ["of no block size", [0x40, 0x30], "the LZ4 data is damaged: 3 is not a valid block size"],
    ["with a dictionary", [0x41, 0x40, 1, 0, 0, 0], "the LZ4 data needs a dictionary"],
  ])("that is not understood is reported: LZ4 %s", async (_name, header, sentence) => {
    const { log, result } = await readLog([Uint8Array.of(0x04, 0x22, 0x4d, 0x18, ...header, 0, 0)]);
    expect(log.problems.map((problem) => problem.text)).toEqual([sentence]);
    expect(result.outcome).toBe("unreadable");
  });

  test("with a block that claims more than its frame allows is rejected", async () => {
    const frame = lz4(SAMPLE, { blockMaxSize: 64 << 10 });
    const damaged = new Uint8Array(frame);
    new DataView(damaged.buffer).setUint32(7, 0x7fff_ffff, true);
    const { log } = await readLog([damaged]);
    expect(log.problems.map((problem) => problem.text)).toEqual([
      "the LZ4 data is damaged: a block claims 2147483647 bytes",
    ]);
  });

  test("that is compressed twice is reported as such", async () => {
    const { log } = await readLog([gzip(gzip(SAMPLE))]);
    expect(log.problems[0]?.text).toMatch(/this is gzip data inside other compressed data/);
  });

  test.each([new Error("broken"), Object.assign(new Error("broken"), { code: "EIO" })])(
    "passes on an error of its source",
    async (error) => {
      async function* source(): AsyncGenerator<Uint8Array> {
        yield gzip(SAMPLE).subarray(0, 5000);
        throw error;
      }
      await expect(unpackedBytes(source())).rejects.toBe(error);
    },
  );

  test("releases its source when the caller has enough", async () => {
    let returned = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield LINKED;
      } finally {
        returned = true;
      }
    }
    for await (const _piece of unpacked(source(), "endless.lz4")) break;
    expect(returned).toBe(true);
  });
});

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  yield* chunks(bytes, length);
}

async function unpackedBytes(
  source: AsyncIterable<Uint8Array>,
  decompressors: Decompressors = portableDecompressors,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of unpacked(source, "", decompressors)) pieces.push(Uint8Array.from(piece));
  return concat(...pieces);
}

/** How much could be unpacked, its hash, and why it was no more. */
async function unpackedUntil(source: AsyncIterable<Uint8Array>, decompressors: Decompressors): Promise<string> {
  const hash = createHash("sha256");
  let length = 0;
  try {
    for await (const piece of unpacked(source, "", decompressors)) {
      hash.update(piece);
      length += piece.length;
    }
  } catch (error) {
    return `${length} bytes, ${hash.digest("hex")}, ${String(error)}`;
  }
  return "all";
}

describe("an LZ4 frame", () => {
  const END = Uint8Array.of(0, 0, 0, 0);
  const LINKED_HEADER = Buffer.from("04224d184040c0", "hex");
  const INDEPENDENT_HEADER = Buffer.from("04224d18604082", "hex");
  /** Bytes that a block may have in these frames. */
  const LONGEST = 64 << 10;
  const CANNOT_BE_DECOMPRESSED = "the LZ4 data is damaged: a block cannot be decompressed";

  function block(bytes: Uint8Array, { isCompressed = true } = {}): Uint8Array {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length | (isCompressed ? 0 : 0x8000_0000), true);
    return concat(length, bytes);
  }

  /** A block of literals, 8 bytes from `distance` bytes back, and "tail!". */
  function sequences(literals: string, distance: number): Uint8Array {
    const { length } = literals;
    const head =
      length < 15 ? [(length << 4) | 4] : [0xf4, ...Array<number>(Math.floor((length - 15) / 255)).fill(255)];
    if (length >= 15) head.push((length - 15) % 255);
    return concat(
      Uint8Array.from(head),
      text(literals),
      Uint8Array.of(distance & 255, distance >> 8, 0x50),
      text("tail!"),
    );
  }

  test.each([
    ["few bytes", "12345678", "ab"],
    ["15 literals", "12345678", "a".repeat(15)],
    ["many literals", "12345678", "a".repeat(15 + 255 + 255)],
    ["a long history", "12345678".repeat(600), "a".repeat(300)],
  ])("has blocks that refer to one before them, uncompressed or not: %s", async (_name, first, literals) => {
    const second = block(sequences(literals, literals.length + first.length));
    const third = block(sequences("", 5 + 8 + literals.length + 8));
    const frame = concat(LINKED_HEADER, block(text(first), { isCompressed: false }), second, third, END);
    const expected = `${first}${literals}12345678tail!12345678tail!`;
    expect(Buffer.from(await unpackedBytes(inPieces(frame, 100))).toString()).toBe(expected);
  });

  test("has a checksum, however long its blocks are", async () => {
    const content = text("0123456789".repeat(12));
    const checksum = lz4(content, { streamChecksum: true }).subarray(-4);
    const ends = [0, 5, 9, 17, 50, 51, content.length];
    const blocks = ends
      .slice(1)
      .map((end, index) => block(content.subarray(ends[index], end), { isCompressed: false }));
    const frame = concat(Buffer.from("04224d186440a7", "hex"), ...blocks, END, checksum);
    expect(await unpackedBytes(inPieces(frame, 30))).toEqual(content);
  });

  /** A block of the letter a and copies of it, `length` bytes in all; the length of the copy takes several bytes. */
  function letters(length: number): Uint8Array {
    const copied = length - 1 - 4 - 15;
    const more = [...Array<number>(Math.floor(copied / 255)).fill(255), copied % 255];
    return concat(Uint8Array.of(0x1f), text("a"), Uint8Array.of(1, 0), Uint8Array.from(more));
  }

  test("has blocks as long as it says, but no longer ones", async () => {
    const independent = concat(INDEPENDENT_HEADER, block(letters(LONGEST)), block(letters(2000)), END);
    expect(Buffer.from(await unpackedBytes(inPieces(independent, 100))).equals(Buffer.alloc(LONGEST + 2000, "a"))).toBe(
      true,
    );
    const linked = concat(LINKED_HEADER, block(letters(LONGEST)), block(letters(LONGEST)), END);
    expect((await unpackedBytes(inPieces(linked, 100))).length).toBe(2 * LONGEST);
    for (const header of [INDEPENDENT_HEADER, LINKED_HEADER]) {
      const tooLong = concat(header, block(letters(2000)), block(letters(LONGEST + 1)), END);
      await expect(unpackedBytes(inPieces(tooLong, 100))).rejects.toThrow(CANNOT_BE_DECOMPRESSED);
    }
  });

  test.each([
    ["copies", concat(Uint8Array.of(0x1f), text("a"), Uint8Array.of(1, 0))],
    ["literals", Uint8Array.of(0xf0)],
  ])("takes no more work than its length allows, whatever length its %s claim", async (_name, start) => {
    const claims = concat(start, new Uint8Array(LONGEST - start.length - 1).fill(255), new Uint8Array(1));
    const allocate = Buffer.alloc.bind(Buffer);
    let writes = 0;
    vi.spyOn(Buffer, "alloc").mockImplementation((length, content) => {
      return new Proxy(allocate(length, content), {
        set: (bytes, name, value) => {
          writes++;
          return Reflect.set(bytes, name, value);
        },
      });
    });
    try {
      const frame = concat(INDEPENDENT_HEADER, block(claims), END);
      await expect(unpackedBytes(inPieces(frame, frame.length))).rejects.toThrow(CANNOT_BE_DECOMPRESSED);
    } finally {
      vi.restoreAllMocks();
    }
    expect(writes).toBeLessThanOrEqual(LONGEST);
  });

  test("takes memory for its blocks once, however many empty frames it has", async () => {
    const allocate = vi.spyOn(Buffer, "alloc");
    try {
      // Blocks may have 4 MiB.
      const empty = lz4(new Uint8Array(0), { blockMaxSize: 4 << 20 });
      await unpackedBytes(inPieces(concat(...Array<Uint8Array>(1000).fill(empty), lz4(SAMPLE)), 1 << 20));
      const lengths = allocate.mock.calls.map(([length]) => length).filter((length) => length >= 4 << 20);
      expect(lengths.length).toBeLessThan(10);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test("that is to be skipped may be cut off", async () => {
    const cut = concat(lz4(SAMPLE), SKIPPABLE.subarray(0, -1));
    await expect(unpackedBytes(inPieces(cut, 1 << 20))).rejects.toThrow("the LZ4 data ends too early");
  });
});

describe("Zstandard", () => {
  // A single frame with one uncompressed block (RFC 8878, section 3.1.1).
  const frameOf = (bytes: Uint8Array) =>
    concat(
      Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length, (bytes.length << 3) | 1, bytes.length >> 5, 0),
      bytes,
    );
  const small = pcapFile([{ data: text("small") }]);
  const frame = frameOf(small);

  test.each(EVERYWHERE)("is read %s, also in several frames", async (_where, decompressors) => {
    for (const file of [frame, concat(frameOf(small.subarray(0, 30)), frameOf(small.subarray(30)))]) {
      const { log } = await readLog(chunks(file, 9), { decompressors });
      expect(log.packets.map((packet) => packet.data)).toEqual([Buffer.from("small").toString("hex")]);
      expect(log.problems).toEqual([]);
    }
  });

  test.each(EVERYWHERE)("that ends too early or is damaged is reported %s", async (_where, decompressors) => {
    const problems = async (file: Uint8Array) => (await readLog([file], { decompressors })).log.problems;
    expect((await problems(frame.subarray(0, 30))).length).toBe(1);
    // A block of a kind that does not exist.
    const [problem] = await problems(frame.with(6, (small.length << 3) | 7));
    expect(problem?.text).toMatch(/^the Zstandard data is damaged/);
  });

  test.each([
    ["window", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x98), 2 ** 29],
    ["content", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0x7f), 2 ** 31 - 1],
  ])("that claims to need much memory for its %s is refused before any is taken", async (_what, header, window) => {
    // Behind a frame that is skipped, and one that is sound.
    const file = concat(frame, Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3), header, new Uint8Array(20));
    const before = process.memoryUsage().arrayBuffers;
    const { log } = await readLog(chunks(file, 7), { decompressors: portableDecompressors });
    expect(log.problems.map((problem) => problem.text)).toEqual([
      `the Zstandard data needs a window of ${window} bytes, more than the 8388608 that can be unpacked here; unpack it first with unzstd`,
    ]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
  });

  /** The start of a frame with the largest window, and a block that becomes 128 KiB. */
  const LARGE = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 13 << 3);
  const RUN = Uint8Array.of(0x02, 0x00, 0x10, 0x41);
  const LAST = Uint8Array.of(1, 0, 0);

  test("with a large window in every few bytes is refused before it takes much memory", async () => {
    const frames = Array<Uint8Array>(2000).fill(concat(LARGE, LAST));
    const { log } = await readLog([concat(frame, ...frames)], { decompressors: portableDecompressors });
    expect(log.problems.map((problem) => problem.text)).toEqual([
      expect.stringMatching(/needs windows of \d+ bytes in all, more than the 268435456 that can be unpacked here/),
    ]);
  });

  test("in many frames is read as long as they are not all window", async () => {
    const few = concat(frame, ...Array<Uint8Array>(30).fill(concat(LARGE, LAST)));
    const { log } = await readLog([few], { decompressors: portableDecompressors });
    expect(log.problems).toEqual([]);
  });

  test("that becomes much longer is never held as a whole", async () => {
    const file = concat(LARGE, ...Array<Uint8Array>(1000).fill(RUN), LAST);
    const before = process.memoryUsage().arrayBuffers;
    let length = 0;
    let most = 0;
    for await (const piece of unpacked(inPieces(file, file.length), "bomb", portableDecompressors)) {
      if (length === 0) most = process.memoryUsage().arrayBuffers - before;
      length += piece.length;
    }
    expect(length).toBe(1000 << 17);
    expect(most).toBeLessThan(32 << 20);
  });

  test.each(EVERYWHERE)("whose content is not that of its checksum is reported %s", async (_where, decompressors) => {
    const packed = new Uint8Array(readFileSync(projectPath("test/fixtures/captures/bz0221-glclient.pcap.zst")));
    const at = packed.length - 4;
    const file = concat(packed, packed.with(at, (packed[at] ?? 0) ^ 1));
    for (const length of [file.length, 5000, 1]) {
      const pieces = unpackedBytes(inPieces(file, length), decompressors);
      await expect(pieces).rejects.toThrow(/the Zstandard data is damaged: .*checksum/);
    }
  });

  test.each(EVERYWHERE)("is unpacked %s as the program zstd packs it", async (_where, decompressors) => {
    const [packed, sample] = ["test/fixtures/captures/bz0221-glclient.pcap.zst", "samples/bz0221-glclient.pcap"].map(
      (path) => new Uint8Array(readFileSync(projectPath(path))),
    );
    const { log } = await readLog(chunks(packed ?? new Uint8Array(0), 5000), { decompressors });
    expect(log).toEqual((await readLog([sample ?? new Uint8Array(0)])).log);
  });
});
