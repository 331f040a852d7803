import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlaintextCapture } from "../../src/export/plaintext-capture.js";
import { at, captured, conversation, IPV6, understood } from "../support/made-captures.js";
import { text } from "../support/packets.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { tsharkComplaints, tsharkReport, tsharkVersion } from "../support/tshark.js";

const folder = temporaryFolder();

function twoTalks(capture: PlaintextCapture): void {
  const [one, two] = [capture.conversation(conversation(0)), capture.conversation(conversation(1, IPV6))];
  one.payload("c2s", at(1), text("hello"));
  two.payload("s2c", at(2, 5), text("odd"));
  one.payload("s2c", at(3), text("good day"));
  one.payload("s2c", at(4), text("!"));
  one.close(at(5), "fin");
  two.payload("c2s", at(6), text("even"));
  two.close(at(7), "rst");
}

describe("a regenerated capture", () => {
  test("contains each conversation with its beginning, its bytes and its end", async () => {
    const { bytes } = captured(twoTalks);
    expect((await understood(bytes)).lines).toEqual([
      "0 opened tcp 192.0.2.1:50000 > 198.51.100.2:14617 #1",
      "0 c2s hello #4",
      "1 opened tcp [2001:db8::1]:40000 > [2001:db8:0:1::ffff]:14617 #5",
      "1 s2c odd #8",
      "0 s2c good day #9",
      "0 s2c ! #10",
      "0 c2s finished",
      "0 s2c finished",
      "0 closed fin",
      "1 c2s even #14",
      "1 closed rst",
    ]);
  });

  test("keeps times, except that they never go back", async () => {
    const { bytes } = captured((capture) => {
      const talk = capture.conversation(conversation(0, { clientIsKnown: false }));
      talk.payload("c2s", at(10, 999_999_999), text("a"));
      talk.payload("c2s", at(10, 5), text("b"));
      talk.payload("c2s", at(9, 0), text("c"));
      talk.payload("c2s", at(11, 1), text("d"));
    });
    const late = "10.999999999";
    expect((await understood(bytes)).times).toEqual([late, late, late, "11.000000001"]);
  });

  test("counts packets whose time changed, but not the ones it added", () => {
    captured((capture) => {
      const [one, two] = [
        capture.conversation(conversation(0)),
        capture.conversation(conversation(1, { transport: "udp" })),
      ];
      one.payload("c2s", at(10), text("a"));
      one.payload("s2c", at(9), text("b"));
      one.gap("s2c", at(9), 5);
      two.datagram("c2s", at(9), text("c"), 0);
      two.datagram("c2s", at(11), text("d"), 0);
      expect(capture.delayed).toBe(2);
    });
  });

  test("shows no beginning if none was captured, and no end if none was seen", async () => {
    const { bytes, packets } = captured((capture) => {
      const talk = capture.conversation(conversation(0, { clientIsKnown: false }));
      talk.payload("s2c", at(1), text("middle"));
      talk.close(at(2), "capture-end");
    });
    expect(packets).toBe(1);
    // The side that speaks first is taken for the client, as in any such capture.
    const opened = "0 opened tcp 198.51.100.2:14617? > 192.0.2.1:50000 #1";
    expect((await understood(bytes)).lines).toEqual([opened, "0 c2s middle #1", "0 closed capture-end"]);
  });

  test("has gaps where bytes are missing, even at the beginning and the end", async () => {
    const { bytes } = captured((capture) => {
      const talk = capture.conversation(conversation(0));
      talk.gap("c2s", at(1), 3);
      talk.payload("c2s", at(1), text("four"));
      talk.payload("s2c", at(2), text("one"));
      talk.gap("s2c", at(2), 100_000);
      talk.payload("s2c", at(3), text("two"));
      talk.gap("s2c", at(3), 70_000, "cut");
      talk.payload("s2c", at(3), text("three"));
      talk.gap("c2s", at(3), 7);
      talk.close(at(4), "fin");
    });
    const { lines } = await understood(bytes);
    expect(lines.map((line) => line.replace(/ #\d+$/, "")).filter((line) => /c2s (gap|four)/.test(line))).toEqual([
      "0 c2s gap 3 lost",
      "0 c2s four",
      "0 c2s gap 7 lost",
    ]);
    expect(
      lines.map((line) => line.replace(/ #\d+$/, "")).filter((line) => /s2c (gap|one|two|three)/.test(line)),
    ).toEqual([
      "0 s2c one",
      "0 s2c gap 100000 lost",
      "0 s2c two",
      "0 s2c gap 65475 cut",
      "0 s2c gap 4525 cut",
      "0 s2c three",
    ]);
  });

  test("has the original datagrams, with cut ones as cut", async () => {
    const { bytes } = captured((capture) => {
      const talk = capture.conversation(conversation(0, { transport: "udp" }));
      talk.datagram("c2s", at(1), text("ping"), 0);
      talk.datagram("s2c", at(2), new Uint8Array(0), 0);
      talk.datagram("s2c", at(3), text("po"), 2);
      const other = capture.conversation(conversation(1, { ...IPV6, transport: "udp" }));
      other.datagram("c2s", at(4), text("x".repeat(65_507)), 0);
      talk.close(at(5), "fin");
    });
    expect((await understood(bytes)).lines.slice(0, 6)).toEqual([
      "0 opened udp 192.0.2.1:50000? > 198.51.100.2:14617 #1",
      "0 c2s datagram ping #1",
      "0 s2c datagram  #2",
      "0 s2c datagram po -2 #3",
      "1 opened udp [2001:db8::1]:40000? > [2001:db8:0:1::ffff]:14617 #4",
      `1 c2s datagram ${"x".repeat(65_507)} #4`,
    ]);
  });

  test("divides what is too long for a packet, even where sequence numbers wrap around", async () => {
    const long = text("0123456789".repeat(30_000));
    const { bytes, packets } = captured((capture) => {
      // The server's sequence numbers in this conversation begin 188,026 below the wrap.
      const talk = capture.conversation(conversation(39_602, { client: IPV6.client, server: IPV6.server }));
      talk.payload("c2s", at(1), text("a"));
      talk.payload("s2c", at(1), long);
    });
    expect(packets).toBe(3 + 1 + 5);
    const { lines } = await understood(bytes);
    const said = lines.flatMap((line) => /^0 s2c (\d+) #/.exec(line)?.[1] ?? []);
    expect(said.join("")).toBe(Buffer.from(long).toString());
    expect(lines.join("\n")).not.toContain("gap");
  });

  test("separates conversations that differ only in their tunnel", async () => {
    const { bytes } = captured((capture) => {
      const [one, two] = [
        capture.conversation(conversation(0)),
        capture.conversation(conversation(1, { path: "VLAN 5" })),
      ];
      const three = capture.conversation(conversation(2, { path: "VLAN 7" }));
      one.payload("c2s", at(1), text("one"));
      two.payload("c2s", at(2), text("two"));
      three.payload("c2s", at(3), text("three"));
      one.payload("c2s", at(4), text("four"));
    });
    const { lines } = await understood(bytes);
    expect(lines.filter((line) => line.includes(" c2s "))).toEqual([
      "0 c2s one #4",
      "1 c2s two #8",
      "2 c2s three #12",
      "0 c2s four #13",
    ]);
  });

  test("has other endpoints on request", async () => {
    const { bytes } = captured(twoTalks, {
      endpoint: ({ address, port }) => ({ address: address.includes(":") ? "fd00::7" : "10.0.0.7", port: port + 1 }),
    });
    const { lines } = await understood(bytes);
    expect(lines.filter((line) => line.includes("opened"))).toEqual([
      "0 opened tcp 10.0.0.7:50001 > 10.0.0.7:14618 #1",
      "1 opened tcp [fd00::7]:40001 > [fd00::7]:14618 #5",
    ]);
  });
});

describe.skipIf(tsharkVersion === undefined)("a regenerated capture, for tshark", () => {
  test("gives no cause for complaint, and has the same bytes", async () => {
    const path = join(folder, "talks.pcapng");
    const long = text("0123456789".repeat(30_000));
    const { bytes, packets } = captured((capture) => {
      twoTalks(capture);
      const talk = capture.conversation(conversation(2));
      for (let second = 8; second < 28; second++) talk.payload("s2c", at(second), long);
      talk.payload("c2s", at(30), text("enough"));
      talk.close(at(31), "fin");
      const datagrams = capture.conversation(conversation(3, { ...IPV6, transport: "udp" }));
      for (let length = 0; length < 9; length++) {
        datagrams.datagram("c2s", at(32), new Uint8Array(length).fill(0xff), 0);
      }
    });
    writeFileSync(path, bytes);
    const { view, complaints } = await tsharkReport(path, 3, 1);
    expect(complaints).toEqual([]);
    expect(view.packets).toBe(packets);
    const hex = (value: string) => Buffer.from(value).toString("hex");
    expect(view.tcp[0]).toEqual({ "192.0.2.1:50000": hex("hello"), "198.51.100.2:14617": hex("good day!") });
    expect(Object.values(view.tcp[1] ?? {}).sort()).toEqual([hex("even"), hex("odd")].sort());
    expect(view.tcp[2]?.["198.51.100.2:14617"]).toBe(hex("0123456789".repeat(600_000)));
  });

  test("lacks only what is reported as missing", async () => {
    const path = join(folder, "gap.pcapng");
    const { bytes } = captured((capture) => {
      const talk = capture.conversation(conversation(0));
      talk.payload("c2s", at(1), text("one"));
      talk.gap("c2s", at(2), 500);
      talk.payload("c2s", at(3), text("two"));
      talk.close(at(4), "fin");
    });
    writeFileSync(path, bytes);
    expect(await tsharkComplaints(path)).toEqual([
      expect.stringMatching(/^5: ACKed segment that wasn't captured/),
      expect.stringMatching(/^6: Previous segment\(s\) not captured/),
      expect.stringMatching(/^8: ACKed segment that wasn't captured/),
    ]);
  });
});
