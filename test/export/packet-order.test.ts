import { describe, expect, test } from "vitest";
import { PacketNames } from "../../src/export/packet-names.js";
import { PacketOrder } from "../../src/export/packet-order.js";
import { defaultLimits } from "../../src/limits.js";
import { captured, conversation } from "../support/made-captures.js";
import { Play, written } from "../support/order-play.js";
import { text } from "../support/packets.js";

describe("plaintext that is settled late", () => {
  test.each([
    ["what is settled late", "comes"],
    ["what the network holds back", "isHeld"],
  ] as const)("takes the place of its packets, while later packets of others wait: %s", async (_what, how) => {
    const lines = await written((play) => {
      const one = play[how](play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      const three = play[how](play.slow, "three", 3);
      play.goes(play.quick, "four", 4);
      one();
      three();
      play.goes(play.slow, "five", 5);
    });
    expect(lines).toEqual([
      "one 1.000000000",
      "two 2.000000000",
      "three 3.000000000",
      "four 4.000000000",
      "five 5.000000000",
      "late 0",
    ]);
  });

  test("is overtaken when the others have waited for ten seconds", async () => {
    const lines = await written((play) => {
      const one = play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 11);
      play.goes(play.quick, "three", 12);
      const four = play.comes(play.slow, "four", 13);
      one();
      four();
      play.goes(play.quick, "five", 14);
    });
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["two", "three", "one", "four", "five", "late"]);
    expect(lines.at(-1)).toBe("late 1");
  });

  test("is overtaken when too many bytes wait", async () => {
    const long = "x".repeat(4 * 1024);
    const lines = await written(
      (play) => {
        const one = play.comes(play.slow, "one", 1);
        for (let index = 0; index < 8; index++) play.goes(play.quick, long, 1);
        one();
      },
      { orderBytes: 32 * 1024 },
    );
    expect(lines.filter((line) => !line.startsWith("x"))).toEqual(["one 1.000000000", "late 1"]);
    expect(lines.at(-2)).toMatch(/^one/);
  });

  test("is overtaken by datagrams, too", async () => {
    const { packets } = captured((capture) => {
      const order = new PacketOrder(capture, new PacketNames(), defaultLimits);
      const play = new Play(order);
      const talk = order.opened(conversation(2, { transport: "udp" }));
      play.comes(play.slow, "never settled", 1);
      for (let seconds = 1; seconds < 30; seconds++) {
        const origin = { frame: seconds + 1, seconds, nanoseconds: 0 };
        talk.datagram("c2s", text("ping"), 0, origin);
        talk.plaintext.datagram("c2s", text("ping"), 0, origin);
      }
      expect(capture.packets).toBe(29);
    });
    expect(packets).toBe(29);
  });

  test("is waited for if it is a datagram, unless it is given up", async () => {
    const lines = await written((play) => {
      const talk = play.order.opened(conversation(2, { transport: "udp" }));
      const origins = [1, 2].map((seconds) => ({ frame: seconds, seconds, nanoseconds: 0 }));
      for (const origin of origins) talk.datagram("c2s", text("datagram"), 0, origin);
      play.goes(play.quick, "three", 3);
      talk.dropped("c2s");
      for (const origin of origins.slice(1)) talk.plaintext.datagram("c2s", text("two"), 0, origin);
      play.goes(play.quick, "four", 4);
    });
    expect(lines).toEqual(["datagram two 2.000000000", "three 3.000000000", "four 4.000000000", "late 0"]);
  });

  test("is not waited for once the protocol turns out to be unknown", async () => {
    const lines = await written((play) => {
      play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      play.slow.forgotten();
      play.comes(play.slow, "three", 3);
      play.goes(play.quick, "four", 4);
      play.slow.closed("capture-end");
    });
    expect(lines).toEqual(["two 2.000000000", "four 4.000000000", "late 0"]);
  });

  test("is not held back for others, nor are they for it, once its protocol turns out to be unknown", () => {
    captured((capture) => {
      const play = new Play(new PacketOrder(capture, new PacketNames(), defaultLimits));
      play.comes(play.slow, "one", 1);
      play.slow.forgotten();
      play.isHeld(play.slow, "held", 2);
      play.goes(play.quick, "three", 3);
      expect(capture.packets).toBe(1);
    });
  });

  test("is not waited for after the end of its conversation", async () => {
    const lines = await written((play) => {
      play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      play.slow.closed("idle");
      play.quick.closed("capture-end");
    });
    expect(lines).toEqual(["two 2.000000000", "late 0"]);
  });

  test("keeps its place when client and server turn out to be the other way round", async () => {
    const lines = await written((play) => {
      play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      play.slow.flipped();
      play.slow.plaintext.bytes("s2c", text("one"), { frame: 1, seconds: 1, nanoseconds: 0 });
    });
    expect(lines).toEqual(["one 1.000000000", "two 2.000000000", "late 0"]);
  });

  test("stays in order over thousands of packets", async () => {
    const lines = await written((play) => {
      for (let index = 0; index < 2000; index++) play.goes(play.quick, String(index), 1);
    });
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      ...Array.from({ length: 2000 }, (_, at) => `${at}`),
      "late",
    ]);
  });
});

describe("what the network holds back", () => {
  test("follows what precedes it in the stream, though it arrived earlier", async () => {
    const lines = await written((play) => {
      const second = play.isHeld(play.slow, "second", 1);
      const first = play.isHeld(play.slow, "first", 2);
      play.goes(play.quick, "other", 3);
      first();
      second();
    });
    expect(lines).toEqual(["first 2.000000000", "second 2.000000000", "other 3.000000000", "late 0"]);
  });

  test("follows what arrived last, if it waited for that", async () => {
    const lines = await written((play) => {
      const second = play.isHeld(play.slow, "second", 1);
      play.goes(play.quick, "other", 2);
      play.goes(play.slow, "first", 3);
      second();
      play.goes(play.quick, "more", 4);
    });
    expect(lines).toEqual([
      "other 2.000000000",
      "first 3.000000000",
      "second 3.000000000",
      "more 4.000000000",
      "late 0",
    ]);
  });

  test("is not waited for after the end of its conversation, or for more than ten seconds", async () => {
    const lines = await written((play) => {
      play.isHeld(play.slow, "never", 1);
      play.goes(play.quick, "two", 2);
      play.slow.closed("idle");
      const three = play.isHeld(play.quick, "three", 3);
      play.goes(play.slow, "fourteen", 14);
      three();
    });
    expect(lines).toEqual(["two 2.000000000", "fourteen 14.000000000", "three 14.000000000", "late 1"]);
  });
});
