import { createReadStream, openAsBlob, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Decompress } from "../../src/engine.js";
import {
  captureOf,
  captureOfPackets,
  decrypt,
  dissect,
  dissectCaptures,
  type Input,
  type InternalError,
  statistics,
} from "../../src/index.js";
import { jsonLine } from "../../src/output/json/json.js";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { uncheckedRun } from "../support/command-line.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { toyDissector } from "../support/toy.js";

/** One of each form of capture, with keys beside it or without, over TCP and UDP. */
const CAPTURES = [
  "nagus-session.pcap",
  "nagus-session.pcapng",
  "nagus-session.any.pcap",
  "dirtsand-session.pcap",
  "bz107e-udp.pcap",
  "bz107e-ctf.pcap",
];

/** The lines of JSON that a program makes of a capture. */
async function linesOf(input: Input, keys: readonly string[]): Promise<string> {
  let lines = "";
  await dissectCaptures(input, { keys }, (message) => {
    lines += jsonLine(message);
  });
  return lines;
}

describe("every form in which a program may have a capture", () => {
  it.each(CAPTURES)("gives the lines of the command line: %s", async (name) => {
    const path = sample(name);
    const { stdout } = await uncheckedRun([path, "--json"]);
    const bytes = readFileSync(path);
    const blob = await openAsBlob(path);
    const forms: Readonly<Record<string, Input>> = {
      path,
      bytes: captureOf(bytes, path),
      "array buffer": captureOf(new Uint8Array(bytes).buffer, path),
      "stream of Node.js": captureOf(createReadStream(path, { highWaterMark: 5000 }), path),
      blob: captureOf(blob, path),
      "web stream": captureOf(blob.stream(), path),
      packets: captureOfPackets(await packetsOf(name), path),
    };
    const keys = await discoverKeys([path], {});
    for (const [form, input] of Object.entries(forms)) expect(await linesOf(input, keys), form).toBe(stdout);
  });

  it("is unpacked by what a program gives for it", async () => {
    const packed = gzipSync(readFileSync(sample("dirtsand-plain.pcap")));
    let calls = 0;
    const gzip: Decompress = async function* () {
      calls++;
      yield readFileSync(sample("bz107e-ping.pcap"));
    };
    const source = { ...captureOf(packed, "packed.pcap.gz"), decompressors: { gzip, zstandard: gzip } };
    const { messages } = await dissectCaptures(source, {}, () => {});
    const { messages: expected } = await dissectCaptures(sample("bz107e-ping.pcap"), {}, () => {});
    expect({ calls, messages }).toEqual({ calls: 1, messages: expected });
  });

  it("is opened again only where its gzip data is damaged, which is no other failure where it refuses that", async () => {
    const packed = gzipSync(readFileSync(sample("bz0221-glclient.pcap")));
    const reading = async (bytes: Uint8Array) => {
      let opened = 0;
      const open = () => {
        if (++opened > 1) throw new Error("opened twice");
        return captureOf(bytes).open();
      };
      const { captures } = await dissectCaptures({ name: "packed.pcap.gz", open }, {}, () => {});
      return { captures, opened };
    };
    expect(await reading(packed)).toEqual({ captures: ["whole"], opened: 1 });
    expect(await reading(packed.fill(0, packed.length - 8))).toEqual({ captures: ["partial"], opened: 2 });
  });

  it("has the name of a file, or one that it is given", async () => {
    const nothing = new Uint8Array(0);
    const named = async (input: Input) => (await dissectCaptures(input, {}, () => {})).remarks.join();
    expect(await named(nothing)).toMatch(/^capture: /);
    expect(await named(new File([nothing], "mine.pcap"))).toMatch(/^mine\.pcap: /);
    expect(await named(captureOf(nothing, "other.pcap"))).toMatch(/^other\.pcap: /);
  });

  it("reports what fails there as a problem of the capture", async () => {
    const failing = Readable.from(
      (async function* () {
        yield readFileSync(sample("dirtsand-plain.pcap")).subarray(0, 50_000);
        throw new Error("the line was cut");
      })(),
    );
    const { captures, remarks, messages } = await dissectCaptures(failing, {}, () => {});
    expect({ captures, isSome: messages > 10 }).toEqual({ captures: ["partial"], isSome: true });
    expect(remarks[0]).toBe("capture: reading it failed: the line was cut (frame 100, offset 50000)");
    const packets = await packetsOf("dirtsand-plain.pcap");
    const interrupted = async function* () {
      yield* packets.slice(0, 100);
      throw new Error("the device is gone");
    };
    const ended = await dissectCaptures(captureOfPackets(interrupted(), "eth0"), {}, () => {});
    expect(ended.captures).toEqual(["partial"]);
    expect(ended.remarks[0]).toMatch(/^eth0: reading it failed: the device is gone /);
    const texts: AsyncIterable<unknown> = Readable.from(["not bytes"]);
    // A program in plain JavaScript.
    const given: Input = Object(texts);
    expect((await dissectCaptures(given, {}, () => {})).remarks[0]).toMatch(/its chunks are not bytes/);
  });
});

describe("a run", () => {
  it("says at its end what could not be read, and why", async () => {
    const run = dissect(sample("dirtsand-session.pcap"), { keys: [] });
    let count = 0;
    for await (const _ of run) count++;
    const { messages, remarks } = await run.end;
    expect(messages).toBe(count);
    const { stderr } = await uncheckedRun([sample("dirtsand-session.pcap"), "--keys", sample("bz107e-ctf.pcap")]);
    const said = stderr.split("\n").map((line) => line.replace(/^moul-dissect: /, ""));
    expect(remarks.length).toBeGreaterThan(0);
    for (const remark of remarks) expect(said).toContain(remark);
  });

  it("says so where there is nothing, and nothing where all is well", async () => {
    const end = async (input: Input) => (await dissectCaptures(input, {}, () => {})).remarks;
    expect(await end(sample("nagus-session.pcap"))).toEqual([]);
    const [first] = await packetsOf("nagus-session.pcap");
    expect(await end(captureOfPackets(first === undefined ? [] : [first]))).toEqual([
      expect.stringMatching(/^no message of a known protocol was found in 1 packet/),
    ]);
  });

  it("counts messages that a filter leaves out, and their problems", async () => {
    const options = { keys: [], filter: "number == 3" };
    const run = dissect(sample("dirtsand-session.pcap"), options);
    const numbers: number[] = [];
    for await (const { number } of run) numbers.push(number);
    expect(numbers).toEqual([3]);
    expect((await run.end).remarks.length).toBeGreaterThan(0);
  });

  it("fails with what its listener or a function given as filter throws, and calls neither again", async () => {
    const error = new Error("a mistake of the program");
    let calls = 0;
    const fail = () => {
      calls++;
      throw error;
    };
    const capture = sample("nagus-session.pcap");
    await expect(dissectCaptures(capture, {}, fail)).rejects.toBe(error);
    await expect(dissectCaptures(capture, { filter: fail }, () => {})).rejects.toBe(error);
    await expect(statistics(capture, { filter: fail })).rejects.toBe(error);
    const run = dissect(capture, { filter: fail });
    await expect(run.next()).rejects.toBe(error);
    await expect(run.end).rejects.toBe(error);
    expect(calls).toBe(4);
  });

  it.each(["recognised", "dissected"])("fails with what an observer throws in %s", async (member) => {
    const error = new Error("a mistake of the program");
    let calls = 0;
    const fail = () => {
      calls++;
      throw error;
    };
    const failures: unknown[] = [];
    const onInternalError = (failure: InternalError) => void failures.push(failure);
    const options = { network: { opened: () => ({ [member]: fail }) }, onInternalError };
    const capture = sample("nagus-session.pcap");
    await expect(dissectCaptures(capture, options, () => {})).rejects.toBe(error);
    const run = dissect(capture, options);
    await expect(
      (async () => {
        for await (const _ of run);
      })(),
    ).rejects.toBe(error);
    expect({ calls, failures }).toEqual({ calls: 2, failures: [] });
  });

  it.each([
    ["nagus-session.pcap", "bytes"],
    ["bz107e-udp.pcap", "datagram"],
  ])("fails with what an observer of the plaintext throws, and does not run forever: %s", async (name, member) => {
    const error = new Error("a mistake of the program");
    let calls = 0;
    const plaintext = {
      bytes: () => {},
      gap: () => {},
      datagram: () => {},
      [member]: () => {
        calls++;
        throw error;
      },
    };
    const options = { network: { opened: () => ({ plaintext }) } };
    await expect(dissectCaptures(sample(name), options, () => {})).rejects.toBe(error);
    expect(calls).toBe(1);
  });

  it("passes an observer all that the network brings, as its own object", async () => {
    const seen: string[] = [];
    class Observer {
      readonly #seen = seen;
      readonly comparesRepeats = true;
      began(): void {
        this.#seen.push("began");
      }
      carries(): void {
        if (this.#seen.length < 2) this.#seen.push("carries");
      }
      opened(): { closed: (reason: string) => void } {
        return { closed: (reason) => void this.#seen.push(reason) };
      }
      ended(): void {
        this.#seen.push("ended");
      }
    }
    await dissectCaptures(sample("dirtsand-plain.pcap"), { network: new Observer() }, () => {});
    expect(seen.slice(0, 2)).toEqual(["began", "carries"]);
    expect(seen.slice(2, -1)).toContain("fin");
    expect(seen.at(-1)).toBe("ended");
  });

  it("says at its end which dissector failed, without what it threw", async () => {
    const failing = toyDissector({
      next: () => {
        throw new RangeError("a secret");
      },
    });
    const options = { dissectors: [failing], decodeAs: ["tcp.port==14617,toy.words"] };
    const failures: unknown[] = [];
    const onInternalError = ({ error }: InternalError) => void failures.push(error);
    const { remarks } = await dissectCaptures(sample("nagus-session.pcap"), { ...options, onInternalError }, () => {});
    expect(remarks[0]).toBe('the dissector "toy" failed in stream 0, c2s, offset 0 (RangeError)');
    expect(remarks.length).toBe(failures.length);
    expect(String(failures[0])).toBe("RangeError: a secret");
  });

  /** A recording that goes on. */
  async function* recording(): AsyncGenerator<Uint8Array> {
    yield readFileSync(sample("nagus-session.pcap"));
    await new Promise(() => {});
  }

  it("ends with the reason of a signal, even while it waits for bytes", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const seen: number[] = [];
    const run = dissect(recording(), { signal: controller.signal });
    const iterate = async () => {
      for await (const { number } of run) {
        seen.push(number);
        if (number === 20) controller.abort(reason);
      }
    };
    await expect(iterate()).rejects.toBe(reason);
    await expect(run.end).rejects.toBe(reason);
    expect(seen.length).toBeGreaterThanOrEqual(20);
    await expect(dissectCaptures(recording(), { signal: controller.signal }, () => {})).rejects.toBe(reason);
  });

  it("says how it ended, also if nobody wanted it before it began, or if it never could", async () => {
    for (const yielded of [dissect, decrypt]) {
      const unwanted = yielded(sample("nagus-session.pcap"));
      await unwanted.return(unwanted.end);
      expect(await unwanted.end).toMatchObject({ captures: [], messages: 0, remarks: [] });
      const error = new Error("thrown in");
      const refused = yielded(sample("nagus-session.pcap"));
      await expect(refused.throw(error)).rejects.toBe(error);
      await expect(refused.end).rejects.toBe(error);
      const nameless = {
        get name(): string {
          throw error;
        },
        open: () => Readable.from([]),
      };
      const impossible = yielded(nameless);
      await expect(impossible.next()).rejects.toBe(error);
      await expect(impossible.end).rejects.toBe(error);
    }
  });

  it("ends where its reader has had enough, even while it waits for bytes", async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(readFileSync(sample("nagus-session.pcap"))),
      cancel: () => {
        isCancelled = true;
      },
    });
    const run = dissect(stream);
    for await (const { number } of run) if (number === 3) break;
    expect((await run.end).captures).toEqual(["stopped"]);
    expect(isCancelled).toBe(true);
  });
});
