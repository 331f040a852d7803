import { describe, expect, test } from "vitest";
import { PacketOrder } from "../../src/export/packet-order.js";
import type { Conversation } from "../../src/network/conversation.js";
import { captured, conversation, understood } from "../support/made-captures.js";
import { text } from "../support/packets.js";

/** Conversations whose packets come one after the other, and whose plaintext is settled when the test says so. */
class Play {
  readonly slow = conversation(0, { clientIsKnown: false });
  readonly quick = conversation(1, { clientIsKnown: false });
  #frame = 0;

  constructor(readonly order: PacketOrder) {}

  /** Something comes that is not settled. */
  comes(talk: Conversation, said: string, seconds: number): () => void {
    const origin = { frame: ++this.#frame, seconds, nanoseconds: 0 };
    const bytes = text(said);
    this.order.network.bytes(talk, "c2s", bytes, origin);
    return () => {
      // Valid only during the call.
      const fleeting = bytes.slice();
      this.order.plaintext.bytes(talk, "c2s", fleeting, origin);
      fleeting.fill(0);
    };
  }

  /** Something comes that is settled at once. */
  goes(talk: Conversation, said: string, seconds: number): void {
    this.comes(talk, said, seconds)();
  }
}

async function written(play: (play: Play) => void): Promise<readonly string[]> {
  let unknown = 0;
  const { bytes } = captured((capture) => {
    const order = new PacketOrder(capture);
    play(new Play(order));
    unknown = order.unknown;
  });
  const { lines, times } = await understood(bytes);
  const said = lines.flatMap((line) => / c2s (.+) #(\d+)$/.exec(line)?.slice(1, 3).join(" ") ?? []);
  return [...said.map((line) => line.replace(/\d+$/, (frame) => times[Number(frame) - 1] ?? "")), `unknown ${unknown}`];
}

describe("plaintext that is settled late", () => {
  test("stands where its packets were, and those of others behind it wait", async () => {
    const lines = await written((play) => {
      const one = play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      const three = play.comes(play.slow, "three", 3);
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
      "unknown 0",
    ]);
  });

  test("is left behind when the others have waited for ten seconds", async () => {
    const lines = await written((play) => {
      const one = play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 11);
      play.goes(play.quick, "three", 12);
      const four = play.comes(play.slow, "four", 13);
      one();
      four();
      play.goes(play.quick, "five", 14);
    });
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["two", "three", "one", "four", "five", "unknown"]);
  });

  test("is left behind when too many bytes wait", async () => {
    const long = "x".repeat(4 * 1024 * 1024);
    const lines = await written((play) => {
      const one = play.comes(play.slow, "one", 1);
      for (let index = 0; index < 8; index++) play.goes(play.quick, long, 1);
      one();
    });
    expect(lines.filter((line) => !line.startsWith("x"))).toEqual(["one 1.000000000", "unknown 0"]);
    expect(lines.at(-2)).toMatch(/^one/);
  });

  test("is left behind by datagrams, too", async () => {
    const { packets } = captured((capture) => {
      const order = new PacketOrder(capture);
      const play = new Play(order);
      const talk = conversation(2, { transport: "udp" });
      play.comes(play.slow, "never settled", 1);
      for (let seconds = 1; seconds < 30; seconds++) {
        order.plaintext.datagram(talk, "c2s", text("ping"), 0, { frame: seconds + 1, seconds, nanoseconds: 0 });
      }
      expect(capture.packets).toBe(29);
    });
    expect(packets).toBe(29);
  });

  test("is not waited for once nobody knows what is spoken", async () => {
    const lines = await written((play) => {
      play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      play.order.plaintext.forgotten?.(play.slow);
      play.comes(play.slow, "three", 3);
      play.goes(play.quick, "four", 4);
      play.order.plaintext.closed(play.slow, "capture-end");
    });
    expect(lines).toEqual(["two 2.000000000", "four 4.000000000", "unknown 1"]);
  });

  test("is not waited for behind the end of its conversation", async () => {
    const lines = await written((play) => {
      play.comes(play.slow, "one", 1);
      play.goes(play.quick, "two", 2);
      play.order.plaintext.closed(play.slow, "idle");
      play.order.plaintext.closed(play.quick, "capture-end");
    });
    expect(lines).toEqual(["two 2.000000000", "unknown 1"]);
  });

  test("keeps its order over thousands of packets", async () => {
    const lines = await written((play) => {
      for (let index = 0; index < 5000; index++) play.goes(play.quick, String(index), 1);
    });
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      ...Array.from({ length: 5000 }, (_, at) => `${at}`),
      "unknown",
    ]);
  });
});
