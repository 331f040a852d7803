import { describe, expect, it } from "vitest";
import type { Status } from "../../src/dissect/message.js";
import { dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import type { Conversation } from "../../src/network/conversation.js";
import { type MessageHead, MessageStore } from "../../src/store/message-store.js";
import { cellText, columnOf, messageIn, moved, type Place } from "../../src/web/page/views/timeline-cells.js";
import { Timeline } from "../../src/web/worker/timeline.js";

const START = { frame: 1, seconds: 1000, nanoseconds: 0 };

function conversationOf(stream: number): Conversation {
  const none = { c2s: 0, s2c: 0 };
  const [client, server] = [1, 2].map((port) => ({ address: "10.0.0.1", port }));
  if (client === undefined || server === undefined) throw new Error("there are two ends");
  return {
    stream,
    transport: "tcp",
    client,
    server,
    clientIsKnown: true,
    path: "",
    packets: none,
    payloadBytes: none,
    missingBytes: none,
    unaccepted: none,
    first: START,
    last: START,
  };
}

interface Said {
  readonly seconds: number;
  readonly conversation: Conversation;
  readonly name?: string;
  readonly status?: Status;
  readonly error?: string;
  /** Milliseconds since the request that it answers. */
  readonly wait?: number;
  readonly isFirst?: boolean;
}

function timelineOf(messages: readonly Said[]): Timeline {
  const timeline = new Timeline(new MessageStore(dissectors, defaultLimits));
  for (const [
    index,
    { seconds, conversation, name = "Reply", status = "ok", error, wait, isFirst },
  ] of messages.entries()) {
    const answers =
      wait === undefined
        ? undefined
        : { number: 1, name: "Request", milliseconds: wait, isFirst: isFirst ?? true, isPing: false };
    const head: MessageHead = {
      number: index + 1,
      origin: { ...START, seconds: START.seconds + Math.floor(seconds), nanoseconds: Math.round((seconds % 1) * 1e9) },
      conversation,
      direction: "s2c",
      protocol: "moul.auth",
      name,
      status,
      length: 1,
      context: { error, answers },
    };
    timeline.take(head, undefined, START);
  }
  return timeline;
}

describe("a time line", () => {
  const [one, other] = [conversationOf(0), conversationOf(1)];

  it("has what happens in each lane and in all, with the worst and where it is", () => {
    const timeline = timelineOf([
      { seconds: 0, conversation: one },
      { seconds: 0.1, conversation: one, error: "kNetErrFileNotFound" },
      { seconds: 0.2, conversation: other, status: "malformed" },
      { seconds: 3, conversation: other, name: "gap" },
      { seconds: 4, conversation: one },
    ]);
    const { counts, worst, firsts, worstFirsts, lanes } = timeline.view(4, undefined, undefined);
    expect([...counts]).toEqual([3, 0, 0, 2, 2, 0, 0, 1, 1, 0, 0, 1]);
    expect([...worst]).toEqual([3, 0, 0, 4, 2, 0, 0, 1, 3, 0, 0, 4]);
    expect([...firsts]).toEqual([1, 0, 0, 4, 1, 0, 0, 5, 3, 0, 0, 4]);
    expect([...worstFirsts]).toEqual([3, 0, 0, 4, 2, 0, 0, 5, 3, 0, 0, 4]);
    expect(lanes.map(({ stream, failed, odd }) => [stream, failed, odd])).toEqual([
      [0, 1, 0],
      [1, 0, 1],
    ]);
  });

  it("has how long first replies were waited for, from a millisecond to minutes", () => {
    const waits = [1, 30, 450, 1500, 20_000, 100_000];
    const timeline = timelineOf([
      ...waits.map((wait, seconds) => ({ seconds, conversation: one, wait })),
      // What follows a first reply was not waited for.
      { seconds: 6, conversation: other, wait: 9000, isFirst: false },
    ]);
    const view = timeline.view(7, undefined, undefined);
    for (const [column, wait] of waits.entries()) {
      for (const row of [0, 1]) expect((view.waits[row * 7 + column] ?? 0) / wait).toBeCloseTo(1, 1);
    }
    expect([...view.waits.subarray(14)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(view.waits[6]).toBe(0);
    expect(view.lanes.map(({ slowest }) => slowest)).toEqual([100_000, 0]);
  });
});

describe("the cells of a time line, by keys", () => {
  const [one, other] = [conversationOf(0), conversationOf(1)];
  const view = timelineOf([
    { seconds: 0, conversation: one },
    { seconds: 0.1, conversation: one, error: "kNetErrFileNotFound" },
    { seconds: 3, conversation: one, wait: 2500 },
    { seconds: 3, conversation: other, name: "gap" },
    { seconds: 8, conversation: other, status: "malformed" },
  ]).view(8, undefined, undefined);
  const pressed = (place: Place, ...keys: readonly string[]) =>
    keys.reduce((at, key) => moved(view, at, key.replace("Ctrl+", ""), key.startsWith("Ctrl+")) ?? at, place);
  const at = (place: Place) => [place.row, columnOf(view, place)];
  const begin = { row: 0, seconds: 0 };

  it("are those in which something happens", () => {
    expect(at(begin)).toEqual([0, 0]);
    expect(at(pressed(begin, "ArrowRight"))).toEqual([0, 3]);
    expect(at(pressed(begin, "ArrowRight", "ArrowRight"))).toEqual([0, 7]);
    expect(at(pressed(begin, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"))).toEqual([0, 3]);
    expect(at(pressed(begin, "ArrowLeft"))).toEqual([0, 0]);
  });

  it("are, in another lane, those of nearly the same time", () => {
    expect(at(pressed(begin, "ArrowDown", "ArrowDown"))).toEqual([2, 3]);
    // The time is remembered, so that the way back leads to the same cell.
    expect(at(pressed(begin, "ArrowDown", "ArrowDown", "ArrowUp"))).toEqual([1, 0]);
    expect(at(pressed(begin, "PageDown"))).toEqual([2, 3]);
    expect(at(pressed(begin, "PageDown", "ArrowDown", "Ctrl+Home", "ArrowUp"))).toEqual([0, 0]);
    expect(at(pressed(begin, "End", "Ctrl+End", "Home"))).toEqual([2, 3]);
    expect(moved(view, begin, "x", false)).toBeUndefined();
  });

  it("say what is in them", () => {
    expect(cellText(view, 0, 0)).toBe("All conversations, 0.000 s, 2 messages, a failed request");
    expect(cellText(view, 1, 3)).toBe("Stream 0 moul.auth, 3.000 s, 1 message, a reply after 2.5 s");
    expect(cellText(view, 2, 3)).toBe("Stream 1 moul.auth, 3.000 s, 1 message, missing bytes");
    expect(cellText(view, 2, 5)).toBe("Stream 1 moul.auth, 5.000 s, 0 messages");
    expect([messageIn(view, 0, 0), messageIn(view, 1, 3), messageIn(view, 2, 0)]).toEqual([2, 3, undefined]);
  });

  it("are there where nothing happens at all", () => {
    const empty = timelineOf([]).view(5, undefined, undefined);
    expect(columnOf(empty, { row: 0, seconds: 3 })).toBeLessThan(5);
    expect(moved(empty, begin, "ArrowRight", false)).toEqual(begin);
  });
});
