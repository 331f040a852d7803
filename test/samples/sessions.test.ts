import { describe, expect, it } from "vitest";
import { dissectCaptures, type Message } from "../../src/index.js";
import { Type } from "../../src/schema/index.js";
import { Opcode } from "../../src/schema/language/opcode.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { expectRoundTrip } from "../support/check.js";
import { sample } from "../support/samples.js";
import { expectTiling } from "../support/tiling.js";
import { recordsOf } from "../support/truth.js";

/** A message as logged by the client that took part in the recorded session. */
interface Truth {
  readonly rec: string;
  readonly conn: number;
  readonly local_port?: number;
  readonly dir: "c2s" | "s2c";
  readonly type: number;
  readonly name?: string;
  readonly stream_off: number;
  readonly size: number;
  readonly wire?: string;
  readonly wire_head?: string;
}

const SESSIONS = [
  ["nagus-session.pcap", "nagus-session", "nagus/nagus_config.ini"],
  ["nagus-session.pcapng", "nagus-session", "nagus/nagus_config.ini"],
  ["nagus-session.any.pcap", "nagus-session", "nagus/nagus_config.ini"],
  ["nagus-plain.pcap", "nagus-plain", undefined],
  ["dirtsand-session.pcap", "dirtsand-session", "dirtsand/dirtsand.ini"],
  ["dirtsand-plain.pcap", "dirtsand-plain", undefined],
] as const;

/** Messages that set up a connection; the client's log begins after them. */
const SETUP = /_Connect$|^Srv2Cli_Encrypt$/;

/** What is compared of a message: its place in its stream, and all of its bytes. */
interface Seen {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly bytes: string;
}

function seen({ name, offset, length, nodes }: Message): Seen {
  return { name, offset, length, bytes: nodes === undefined ? "" : hex(nodes.bytes(0)) };
}

/** What the log says; what it omits (names of file messages, the rest of long ones) is taken from what was found. */
function logged({ name, stream_off, size, wire, wire_head = "" }: Truth, found: Seen | undefined): Seen {
  const bytes = wire ?? (found?.bytes.startsWith(wire_head) ? found.bytes : wire_head);
  return { name: name ?? found?.name ?? "", offset: stream_off, length: size, bytes };
}

describe.each(SESSIONS)("%s", (capture, session, keyFile) => {
  const found = new Map<string, Seen[]>();
  const reached = new Map<string, number>();
  const oddities: string[] = [];
  const listener = (message: Message) => {
    const { conversation, direction, nodes } = message;
    const stream = `${conversation.client.port} ${direction}`;
    if (message.offset !== (reached.get(stream) ?? 0)) oddities.push(`${stream}: a hole before ${message.number}`);
    reached.set(stream, message.offset + message.length);
    if (!SETUP.test(message.name)) found.set(stream, [...(found.get(stream) ?? []), seen(message)]);
    // Without its descriptor an SDL record is one unknown leaf; everything else has to be known.
    const sdl = message.notes.every(({ path }) => /(?:stream\.data|sdlBlob)\.record$/.test(path));
    if (message.status !== "ok" && !(message.status === "unknown" && sdl)) {
      oddities.push(`${message.number} ${message.name}: ${message.status} ${message.notes[0]?.text}`);
    }
    if (nodes === undefined) return;
    expectTiling(nodes);
    const struct = nodes.field(0).struct;
    if (struct === undefined) oddities.push(`${message.number} is no struct`);
    else expectRoundTrip(new Type({ opcode: Opcode.Struct, kind: "struct", width: 0, struct }), nodes);
  };
  const run = dissectCaptures(
    [sample(capture)],
    {
      keys: keyFile === undefined ? [] : [sample(`keys/${keyFile}`)],
      onInternalError: ({ error }) => oddities.push(String(error)),
    },
    listener,
  );

  it("is read completely", async () => {
    expect((await run).captures).toEqual(["whole"]);
  });

  it("shows every message of the client's log, in order, with all of its bytes", async () => {
    await run;
    const ports = new Map<number, number>();
    const expected = new Map<string, Seen[]>();
    for (const record of recordsOf<Truth>(session)) {
      if (record.rec === "conn") ports.set(record.conn, record.local_port ?? 0);
      if (record.rec !== "msg") continue;
      const stream = `${ports.get(record.conn)} ${record.dir}`;
      const list = expected.get(stream) ?? [];
      list.push(logged(record, found.get(stream)?.[list.length]));
      expected.set(stream, list);
    }
    expect(expected.size).toBeGreaterThan(10);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it("leaves no byte unexplained, and every tree tiles its message and encodes back to it", async () => {
    await run;
    expect(oddities).toEqual([]);
  });
});
