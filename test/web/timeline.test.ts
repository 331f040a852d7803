import { describe, expect, it } from "vitest";
import type { Status } from "../../src/dissect/message.js";
import { dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import type { Conversation } from "../../src/network/conversation.js";
import { type MessageHead, MessageStore } from "../../src/store/message-store.js";
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
