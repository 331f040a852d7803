import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { dissectCaptures } from "../../../src/index.js";
import { hex } from "../../../src/schema/tree/leaf.js";
import { parseDecodeAs } from "../../../src/session/decode-as.js";
import { Random } from "../../support/random.js";
import { SESSIONS, sample } from "../../support/samples.js";
import { linesOf, type Said, Talks } from "../../support/talk.js";
import { ascii, concat, f32, msg, pid, SERVER, u8, u16 } from "./bytes.js";

/** What each TCP connection of a sample says, one entry per packet, and the bytes of all messages. */
async function recorded(name: string) {
  const said = new Map<number, Said[]>();
  const messages = new Set<string>();
  await dissectCaptures(
    [sample(name)],
    {
      network: {
        opened: ({ stream }) => ({
          bytes: (direction, bytes) => {
            const entry: Said = [direction === "c2s" ? "c" : "s", bytes.slice()];
            said.set(stream, [...(said.get(stream) ?? []), entry]);
          },
        }),
      },
    },
    ({ name, nodes }) => void (nodes && messages.add(`${name} ${hex(nodes.bytes(0))}`)),
  );
  return { connections: [...said.values()], messages };
}

/** What follows the first packets, minus the first bytes of both sides. */
function fromInside(said: readonly Said[], first: number, cut: number): Said[] {
  const left = said.slice(first);
  for (const side of ["c", "s"] as const) {
    const index = left.findIndex(([who]) => who === side);
    const [, bytes] = left[index] ?? [];
    if (bytes !== undefined) left[index] = [side, bytes.subarray(Math.min(cut, bytes.length - 1))];
  }
  return left;
}

const from = (said: readonly Said[], port: number) => {
  const run = new Talks([bzflag]).tcp([SERVER, port], said, { handshake: false, fin: false });
  const messages = run.end();
  expect(run.errors).toEqual([]);
  return messages;
};

describe.each([
  ["bz0221-glclient.pcap", 5154],
  ["bz107c-relay.pcap", 5155],
  ["bz107d-relay.pcap", 5155],
  ["bz107e-relay.pcap", 5156],
  ["bz107e-udp.pcap", 5156],
])("connections of %s that begin inside messages", (capture, port) => {
  it("are recognised, and show only real messages", async () => {
    const { connections, messages } = await recorded(capture);
    const long = connections.filter((said) => said.length > 60);
    expect(long.length).toBeGreaterThan(0);
    for (const said of long) {
      for (const cut of [1, 2, 3, 4, 7, 12, 25]) {
        const found = from(fromInside(said, cut + 10, cut), port);
        const strangers = found.filter(
          ({ name, nodes, status }) =>
            status !== "truncated" && !(nodes && messages.has(`${name} ${hex(nodes.bytes(0))}`)),
        );
        expect(strangers.map(({ name, status }) => `${cut} ${name} ${status}`)).toEqual([]);
        // The cut removes the beginning of one or two messages of each side.
        const whole = from(fromInside(said, cut + 10, 0), port).length;
        expect(found.filter(({ status }) => status === "ok").length).toBeGreaterThan(whole - 6);
        expect(whole).toBeGreaterThan(40);
      }
    }
  });
});

it.each(["107e", "0221"])("a connection declared to be of %s may also begin inside a message", (version) => {
  const rules = [parseDecodeAs(`tcp.port==31337,bzflag.${version}`, [bzflag])];
  const alive =
    version === "0221"
      ? msg("al", u8(1), f32(0, 0, 0, 0))
      : msg("al", pid([192, 0, 2, 2], 6000), f32(1, 0, 0, 0, 0, 0));
  const lines = (said: readonly Said[]) =>
    linesOf(new Talks([bzflag], rules).tcp([SERVER, 31337], said, { handshake: false }).end());
  const three = new Array(3).fill(`bzflag.${version} s2c MsgAlive ok`);
  const messages: Said = ["s", concat(alive, alive, alive)];
  expect(lines([messages])).toEqual(three);
  expect(lines([["s", ascii("of it")], messages])).toEqual([`bzflag.${version} s2c skipped truncated`, ...three]);
  expect(lines([["s", ascii("o")], messages])).toEqual([`bzflag.${version} s2c skipped truncated`, ...three]);
});

describe("another protocol that begins inside a message, on a BZFlag server port", () => {
  const PORTS = [5154, 5155, 5156];

  it.each(SESSIONS.filter((name) => !name.startsWith("bz")))("is not taken for BZFlag: %s", async (name) => {
    const { connections } = await recorded(name);
    expect(connections.length).toBeGreaterThan(5);
    for (const said of connections) {
      for (const cut of [0, 1, 3, 10]) {
        for (const port of PORTS) expect(linesOf(from(fromInside(said, cut, cut), port))).toEqual([]);
      }
    }
  });

  const random = new Random(7);
  const noise = (length: number, most: number) => Uint8Array.from({ length }, () => random.below(most));
  const line = "GET /list?of=games HTTP/1.1\r\nHost: example.org\r\nAccept: text/html, */*;q=0.8\r\n\r\n";

  it.each<[string, () => Uint8Array]>([
    ["random bytes", () => noise(400, 256)],
    ["small numbers", () => noise(400, 4)],
    ["zeros with other bytes between them", () => noise(400, 256).map((byte, index) => (index % 5 === 0 ? byte : 0))],
    ["requests over HTTP", () => ascii(line.slice(random.below(40)))],
    ["UTF-16", () => Buffer.from(line.slice(random.below(40)), "utf16le")],
  ])("is not taken for BZFlag: %s", (_what, piece) => {
    for (let round = 0; round < 50; round++) {
      const said = Array.from({ length: 12 }, (_, index): Said => [index % 3 === 0 ? "c" : "s", piece()]);
      for (const port of PORTS) expect(linesOf(from(said, port))).toEqual([]);
    }
  });

  it("is not taken for BZFlag if it has only a few messages", () => {
    const update = msg("pu", pid([192, 0, 2, 2], 6000), u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));
    const said = (count: number): Said[] => [["s", concat(ascii("not a head"), ...new Array(count).fill(update))]];
    expect(linesOf(from(said(2), 5156))).toEqual([]);
    expect(linesOf(from(said(5), 5156))).toEqual([
      "bzflag.107x s2c skipped truncated",
      ...new Array(5).fill("bzflag.107x s2c MsgPlayerUpdate ok"),
    ]);
    // Something else is between them, and more than a message can hold is before them.
    expect(linesOf(from([...said(2), ["s", u8(1, 2, 3)], ...said(2)], 5156))).toEqual([]);
    expect(linesOf(from([["s", ascii("?".repeat(1100))], ...said(5)], 5156))).toEqual([]);
  });
});
