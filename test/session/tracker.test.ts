import { describe, expect, it } from "vitest";
import type { Dissector, Opening } from "../../src/dissector/dissector.js";
import type { Conversation, ConversationListener, Direction } from "../../src/network/conversation.js";
import type { RecognisedSession, SessionListener, SessionReader } from "../../src/session/session.js";
import { Tracker } from "../../src/session/tracker.js";
import { type ToyOptions, toyDissector } from "../support/toy.js";

/** Who is asked about a conversation, when, and what is kept of it. */

/** Records what a tracker passes on. */
class Log implements SessionListener {
  readonly lines: string[] = [];
  readonly sessions: RecognisedSession[] = [];

  recognised(session: RecognisedSession): SessionReader {
    const advanced = (direction: Direction) => {
      const { c2s, s2c } = session.streams;
      const pending = [c2s, s2c].map(({ bytes, start, end }) =>
        Buffer.from(bytes.subarray(start, end)).toString("latin1"),
      );
      this.lines.push(`${session.recognisedBy.name} ${direction} ${pending.join("|")}`);
      this.sessions.push(session);
    };
    const outOfOrder = () => {
      throw new Error("everything is in order in these tests");
    };
    const closed = () => void this.lines.push(`${session.recognisedBy.name} closed`);
    return { advanced, datagram: advanced, outOfOrder, closed };
  }

  ended(): void {
    throw new Error("no recording ends in these tests");
  }
}

/** A conversation whose packets the test makes. */
class MadeConversation {
  readonly conversation: Conversation;
  readonly listener: ConversationListener;
  #frame = 0;

  constructor(tracker: Tracker, clientIsKnown: boolean) {
    let isFlipped = false;
    const ends = [
      { address: "192.0.2.1", port: 1111 },
      { address: "192.0.2.2", port: 2222 },
    ] as const;
    this.conversation = {
      stream: 0,
      transport: "tcp",
      clientIsKnown,
      path: "",
      packets: { c2s: 0, s2c: 0 },
      payloadBytes: { c2s: 0, s2c: 0 },
      missingBytes: { c2s: 0, s2c: 0 },
      unaccepted: { c2s: 0, s2c: 0 },
      first: this.#origin(),
      last: this.#origin(),
      get client() {
        return isFlipped ? ends[1] : ends[0];
      },
      get server() {
        return isFlipped ? ends[0] : ends[1];
      },
    };
    const flip = () => {
      isFlipped = !isFlipped;
      this.listener.flipped();
    };
    this.listener = tracker.opened(this.conversation, this.#origin(), { flip });
  }

  bytes(direction: Direction, text: string): void {
    this.listener.bytes(direction, Buffer.from(text, "latin1"), this.#origin());
  }

  gap(direction: Direction, length: number): void {
    this.listener.gap(direction, length, "lost", this.#origin());
  }

  #origin() {
    this.#frame++;
    return { frame: this.#frame, seconds: this.#frame, nanoseconds: 0 };
  }
}

class Run {
  readonly log = new Log();
  readonly tracker: Tracker;

  constructor(...dissectors: readonly Dissector[]) {
    this.tracker = new Tracker(dissectors, this.log);
  }

  conversation(clientIsKnown = true): MadeConversation {
    return new MadeConversation(this.tracker, clientIsKnown);
  }
}

/** Recognises a conversation by the client's first bytes. */
function beginsWith(name: string, magic: string, more: ToyOptions = {}): Dissector {
  const recognise = ({ c2s }: Opening) => {
    const there = Buffer.from(c2s).toString("latin1");
    if (there.startsWith(magic)) return "yes";
    return magic.startsWith(there) ? "more" : "no";
  };
  return toyDissector({ name, recognise, ...more });
}

describe("recognition", () => {
  it("asks until one says yes, and passes on everything that has arrived", () => {
    const run = new Run(beginsWith("a", "AAA"), beginsWith("b", "BBB"));
    const conversation = run.conversation();
    for (const text of ["B", "B", "B!", "?"]) conversation.bytes("c2s", text);
    conversation.bytes("s2c", "answer");
    conversation.listener.closed("fin");
    expect(run.log.lines).toEqual(["b c2s BBB!|", "b c2s BBB!?|", "b s2c BBB!?|answer", "b closed"]);
  });

  it("says who recognises a conversation and what analyses it, by their old names, too", () => {
    const a = beginsWith("a", "AAA");
    const run = new Run(a);
    run.conversation().bytes("c2s", "AAA");
    const [session] = run.log.sessions;
    expect(session?.recognisedBy).toBe(a);
    expect(session?.analyzer.protocol).toMatch(/^a/);
    expect([session?.dissector, session?.spokenBy]).toEqual([session?.analyzer, session?.recognisedBy]);
  });

  it("drops unknown conversations, and continues to count them", () => {
    const asked: number[] = [];
    const nobody = toyDissector({
      recognise: ({ c2s }) => {
        asked.push(c2s.length);
        return c2s.length < 4 ? "more" : "no";
      },
    });
    const run = new Run(nobody);
    const conversation = run.conversation();
    for (let index = 0; index < 10; index++) conversation.bytes("c2s", "xx");
    conversation.listener.closed("fin");
    expect(asked).toEqual([2, 4]);
    expect(run.log.lines).toEqual([]);
  });

  it.each([
    ["the conversation is over", (conversation: MadeConversation) => conversation.listener.closed("fin")],
    ["the client has finished", (conversation: MadeConversation) => conversation.listener.finished("c2s")],
    ["a gap follows", (conversation: MadeConversation) => conversation.gap("c2s", 5)],
  ])("says that no more will come if %s", (_, end) => {
    const finals: boolean[] = [];
    const careful = toyDissector({
      recognise: ({ final }) => {
        finals.push(final);
        return final ? "yes" : "more";
      },
    });
    const run = new Run(careful);
    const conversation = run.conversation();
    conversation.bytes("c2s", "beg");
    conversation.bytes("s2c", "x");
    end(conversation);
    expect(finals).toEqual([false, false, true]);
    expect(run.log.lines).toHaveLength(1);
  });

  it("swaps the ends of a conversation if the client is not known", () => {
    for (const pieces of [["HELLO"], ["HEL", "LO"]]) {
      const run = new Run(beginsWith("x", "nothing"), beginsWith("hello", "HELLO"));
      const conversation = run.conversation(false);
      for (const piece of pieces) conversation.bytes("s2c", piece);
      expect(run.log.lines).toEqual(["hello c2s HELLO|"]);
      expect(conversation.conversation.client.port).toBe(2222);
      const [session] = run.log.sessions;
      expect(session?.streams.c2s.end).toBe(5);
      expect(session?.streams.s2c.end).toBe(0);
    }
  });

  it("first asks those whose servers listen on the port, on either side if the client is not known", () => {
    const any = (name: string, port: number): Dissector => ({
      ...toyDissector({ name, recognise: () => "yes" }),
      ports: [{ transport: "tcp", port }],
    });
    const asked = (clientIsKnown: boolean, ...ports: readonly number[]) => {
      const run = new Run(...ports.map((port, index) => any(["a", "b", "c"][index] ?? "", port)));
      run.conversation(clientIsKnown).bytes("c2s", "x");
      return run.log.lines[0]?.split(" ")[0];
    };
    expect(asked(true, 3333, 2222, 2222)).toBe("b");
    expect(asked(true, 1111, 3333, 2222)).toBe("c");
    expect(asked(false, 3333, 1111, 2222)).toBe("b");
    expect(asked(true, 3333, 1111)).toBe("a");
  });

  it("does not swap the ends of one whose client is known", () => {
    const run = new Run(beginsWith("hello", "HELLO"));
    const conversation = run.conversation(true);
    conversation.bytes("s2c", "HELLO");
    expect(run.log.lines).toEqual([]);
    expect(conversation.conversation.client.port).toBe(1111);
  });
});

describe("a conversation with only headers captured", () => {
  it("is not asked about for ever", () => {
    let asked = 0;
    const recognise = () => {
      asked++;
      return "more" as const;
    };
    const run = new Run(toyDissector({ recognise }));
    const conversation = run.conversation();
    for (let index = 0; index < 100_000; index++) conversation.gap("c2s", 1000);
    expect(asked).toBe(2);
    asked = 0;
    const both = run.conversation();
    both.gap("c2s", 1000);
    both.gap("s2c", 1000);
    expect(asked).toBe(2);
    // There could have been a beginning after the first gap, but not after the second one.
    for (let index = 0; index < 10; index++) both.gap("c2s", 1000);
    expect(asked).toBe(3);
  });
});
