import { expect, it } from "vitest";
import type { Message, Status } from "../../src/dissect/message.js";
import { defaultLimits } from "../../src/limits.js";
import { statsJson } from "../../src/output/statistics/stats-json.js";
import type { StatsReport } from "../../src/output/statistics/stats-report.js";
import { statsText } from "../../src/output/statistics/stats-text.js";
import { colorless } from "../../src/output/text/palette.js";
import { struct, u8 } from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import type { MessageContext, Referent } from "../../src/schema/language/message-context.js";
import { Statistics, Traffic } from "../../src/stats/index.js";
import { decodeWhole } from "../support/check.js";
import { conversation, recognised } from "../support/made-captures.js";

const origin = { frame: 1, seconds: 0, nanoseconds: 0 };
/** One byte is left over after it. */
const nodes = decodeWhole(struct("Word", { letter: u8 }), Uint8Array.of(1, 2));
const noPackets = {
  packets: 0,
  tcp: 0,
  udp: 0,
  cut: 0,
  others: new Map(),
  checksums: new Map(),
  limits: new Map(),
  unaccepted: { bytes: 0, streams: new Map<number, number>() },
};

const rest = {
  number: 1,
  origin,
  frames: [1],
  conversation: conversation(0),
  direction: "c2s",
  protocol: "toy",
  offset: 0,
  notes: [],
} as const;
const stretch = (name: Message["name"], status: Status) => ({ ...rest, name, status, nodes: undefined });

function textOf(report: Partial<StatsReport>, width = Number.POSITIVE_INFINITY): string {
  const statistics = new Statistics(defaultLimits);
  const traffic = new Traffic(defaultLimits);
  const whole = { statistics, traffic, packets: noPackets, isFiltered: false, isComplete: true, ...report };
  return statsText(whole, colorless, width);
}

function asking(context: MessageContext = {}): FieldTree {
  const nodes = decodeWhole(struct("Ask", { letter: u8 }), Uint8Array.of(1));
  return Object.assign(nodes, { context: { asks: true, ...context } });
}

it("every kind of trouble has a name, its count and its bytes", () => {
  const statistics = new Statistics(defaultLimits);
  const taken = [
    stretch("gap", "truncated"),
    stretch("skipped", "malformed"),
    stretch("encrypted", "encrypted"),
    ...(["truncated", "malformed", "unknown"] as const).map((status) => ({ ...rest, name: "Word", status, nodes })),
  ];
  for (const [index, message] of taken.entries()) statistics.take({ ...message, length: 10 + index });
  const text = textOf({ statistics });
  expect(text.slice(text.indexOf("Trouble"))).toBe(
    [
      "Trouble",
      "what                           count  bytes",
      "gaps                               1     10",
      "ranges skipped                     1     11",
      "ranges not decrypted               1     12",
      "messages cut short                 1     13",
      "malformed messages                 1     14",
      "messages with unknown parts        1     15",
      "undissected parts of messages      3      3",
      "",
    ].join("\n"),
  );
});

it("bytes that are missing where no protocol is known are no trouble of messages, but are mentioned", () => {
  const traffic = new Traffic(defaultLimits);
  traffic.opened(conversation(0, { missingBytes: { c2s: 5, s2c: 0 } })).closed();
  expect(textOf({ traffic }).split("\n").at(-2)).toBe(
    "none in messages; the missing bytes are in conversations whose protocol is not known",
  );
});

it("the absence of trouble is worth something only if there are messages", () => {
  const statistics = new Statistics(defaultLimits);
  const last = (report: Partial<StatsReport>) => textOf(report).split("\n").at(-2);
  expect(last({ statistics })).toBe("none in messages: there is none of a known protocol");
  expect(last({ statistics, isFiltered: true })).toBe("none in messages: there is none that matches the filter");
  statistics.take({ ...rest, name: "Ask", status: "ok", length: 1, nodes: asking() });
  expect(last({ statistics })).toBe("none: no gaps, and nothing that could not be decrypted or dissected");
});

it("packets that belong to no conversation any more have a line of their own", () => {
  const traffic = new Traffic(defaultLimits);
  const ended = conversation(0, { packets: { c2s: 2, s2c: 3 } });
  const counted = traffic.opened(ended);
  counted.dissected(recognised(ended, "toy"));
  counted.closed();
  const text = textOf({ traffic, packets: { ...noPackets, packets: 7, tcp: 7 } });
  expect(text).toMatch(/^ {4}toy +5 +1 .*\n {4}\(after the end of conversations\) +2 *$/m);
});

it("a run that was stopped says so", () => {
  expect(textOf({ isComplete: false })).toContain("Stopped before the end of the input: this covers");
  expect(textOf({})).not.toContain("Stopped");
});

it("the first requests without a reply are listed, followed by dots if there are more", () => {
  const statistics = new Statistics(defaultLimits);
  const nodes = asking();
  for (let number = 1; number <= 6; number++) {
    statistics.take({ ...rest, number, name: "Ask", status: "ok", nodes, length: 1 });
    if (number >= 5) {
      const dots = number === 6 ? " ..." : "";
      expect(textOf({ statistics })).toMatch(new RegExp(`Ask +${number}  #1 #2 #3 #4 #5${dots}\n`));
    }
  }
});

it.each([
  ["gap", "truncated"],
  ["skipped", "malformed"],
  ["encrypted", "encrypted"],
] as const)("replies may be in stretches of the kind %s", (name, status) => {
  const statistics = new Statistics(defaultLimits);
  statistics.take({ ...rest, name: "Ask", status: "ok", nodes: asking(), length: 1 });
  expect(textOf({ statistics })).toContain("\nRequests without a reply\n");
  statistics.take({ ...stretch(name, status), length: 10 });
  const title = "Requests without a reply (some may have one in bytes that are missing or unreadable)";
  expect(textOf({ statistics })).toContain(`\n${title}\n`);
});

it("requests of many kinds that share a struct have a row for each kind that is named", () => {
  const statistics = new Statistics(defaultLimits);
  const take = (number: number, context: MessageContext) => {
    const nodes = asking({ asks: undefined, ...context });
    statistics.take({ ...rest, number, name: "Message", status: "ok", nodes, length: 1 });
  };
  const answers = (number: number, name: string, milliseconds: number) => {
    return { answers: { number, name, milliseconds, isFirst: true, isPing: false } };
  };
  for (const [index, asks] of ["Get", "Put", "Get", "Drop", true].entries()) take(index + 1, { asks });
  take(6, answers(1, "Get", 5));
  take(7, answers(3, "Get", 7));
  take(8, { ...answers(2, "Put", 9), forgets: { name: "Drop", number: 4 } });
  expect(statistics.unanswered).toEqual([{ protocol: "toy", name: "Message", count: 1, numbers: [5] }]);
  expect(statistics.latencies.map(({ name, times }) => [name, times.count])).toEqual([
    ["Get", 2],
    ["Put", 1],
  ]);
  take(9, { asks: "Drop" });
  expect(textOf({ statistics })).toMatch(/^Drop +1 {2}#9$/m);
});

it("a request that was forgotten is not one without a reply", () => {
  const statistics = new Statistics(defaultLimits);
  const ask = (number: number, nodes: FieldTree) => {
    statistics.take({ ...rest, number, name: "Ask", status: "ok", nodes, length: 1 });
  };
  ask(1, asking());
  ask(2, asking({ forgets: { name: "Ask", number: 1 } }));
  expect(statistics.unanswered).toMatchObject([{ name: "Ask", count: 1, numbers: [2] }]);
});

it("requests, pings and errors are counted by protocol, which is shown where names are the same", () => {
  const statistics = new Statistics(defaultLimits);
  let number = 0;
  const take = (protocol: string, context: MessageContext) => {
    const nodes = asking({ asks: undefined, ...context });
    statistics.take({ ...rest, number: ++number, protocol, name: "Ask", status: "ok", nodes, length: 1 });
  };
  const takeAll = (protocol: string) => {
    for (const isPing of [false, true]) {
      take(protocol, { answers: { number: 0, name: "Ask", milliseconds: 5, isFirst: true, isPing } });
    }
    take(protocol, { asks: true });
    take(protocol, { error: "busy" });
    return textOf({ statistics });
  };
  for (const text of [takeAll("toy.1"), takeAll("toy.1")]) expect(text.match(/^ *protocol/gm)).toHaveLength(2);
  const text = takeAll("toy.2");
  expect(text).toMatch(/\nprotocol {2}request +count .*\ntoy\.1 +Ask +2 +5\.000.*\ntoy\.2 +Ask +1 +5\.000/);
  expect(text).toMatch(/\nprotocol {2}ping +count .*\ntoy\.1 +Ask +2 +5\.000.*\ntoy\.2 +Ask +1 +5\.000/);
  expect(text).toMatch(/\nprotocol {2}request +count +message\ntoy\.1 +Ask +2 +#3 #7\ntoy\.2 +Ask +1 +#11\n/);
  expect(text).toMatch(/\nprotocol {2}error +message +count\ntoy\.1 +busy +Ask +2\ntoy\.2 +busy +Ask +1\n/);
});

it("players and ages are told apart by their dissector, their kind and their id", () => {
  const statistics = new Statistics(defaultLimits);
  const take = (protocol: string, kind: string, id: string) => {
    const party = { kind, id };
    const nodes = asking({ asks: undefined, player: party, place: party });
    statistics.take({ ...rest, protocol, name: "Ask", status: "ok", nodes, length: 1 });
    return textOf({ statistics });
  };
  take("toy.lobby", "player", "7");
  expect(take("toy.game", "player", "7")).toMatch(/^ *7 +2 +0 +2 +0$/m);
  expect(take("toy.game", "player", "8")).not.toContain("kind");
  take("toy.game", "nick", "7");
  const text = take("other", "player", "7");
  const rows = ["toy player +7 +2 ", "toy player +8 +1 ", "toy nick +7 +1 ", "other player +7 +1 "];
  const tables = [...text.matchAll(/^(?:Players|Ages)\nkind +(?:.*\n)+?\n/gm)].map(([table]) => table);
  expect(tables).toHaveLength(2);
  for (const table of tables)
    expect(table).toMatch(new RegExp(`.*\n.*\n${rows.map((row) => `${row}.*\n`).join("")}\n`));
});

it.each<[string, ...Pick<Referent, "idTitle">[]]>([
  ["id", {}, {}],
  ["id", { idTitle: "KI number" }, {}],
  ["id", { idTitle: "KI number" }, { idTitle: "number of the node" }],
  ["KI number", { idTitle: "KI number" }, { idTitle: "KI number" }],
])(
  "the numbers of players have the title that their dissector gives, if it is the same for all: %s",
  (title, ...titles) => {
    const statistics = new Statistics(defaultLimits);
    for (const [index, given] of titles.entries()) {
      const nodes = asking({ asks: undefined, player: { kind: "player", id: String(index), ...given } });
      statistics.take({ ...rest, name: "Ask", status: "ok", nodes, length: 1 });
    }
    expect(textOf({ statistics })).toMatch(new RegExp(`^Players\n *${title}  name`, "m"));
  },
);

it("players with the same number on different servers have a row each, which says where", () => {
  const statistics = new Statistics(defaultLimits);
  const player = { kind: "player", id: "7", idTitle: "number" };
  const plays = (scope: string, name: string) => {
    const nodes = Object.assign(asking({ asks: undefined, player }), { names: { scope, get: () => name } });
    statistics.take({ ...rest, name: "Ask", status: "ok", nodes, length: 1 });
  };
  const rows = () => /^Players\n((?:.+\n)+)/m.exec(textOf({ statistics }))?.[1]?.split(/ *\n/) ?? [];
  plays("192.0.2.1:5154", "Atrus");
  expect(rows().map((row) => row.slice(0, 20).trim())).toEqual(["number  name   messa", "7  Atrus", ""]);
  plays("192.0.2.2:5154", "Yeesha");
  plays("192.0.2.1:5154", "Atrus");
  expect(rows().map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
    ["scope", "number", "name", "messages c2s"],
    ["192.0.2.1:5154", "7", "Atrus", "2"],
    ["192.0.2.2:5154", "7", "Yeesha", "1"],
    [""],
  ]);
  const report = { traffic: new Traffic(defaultLimits), packets: noPackets, isFiltered: false, isComplete: true };
  expect(JSON.parse(statsJson({ statistics, ...report }))).toMatchObject({
    players: [
      { id: "7", scope: "192.0.2.1:5154", name: "Atrus" },
      { id: "7", scope: "192.0.2.2:5154", name: "Yeesha" },
    ],
  });
});

it("players beyond the limit share a row without a name, which leaves the title of the numbers to the others", () => {
  const statistics = new Statistics({ ...defaultLimits, countedKeys: 1 });
  for (const [id, name] of [
    ["7", "Atrus"],
    ["8", "Yeesha"],
    ["9", "Achenar"],
  ] as const) {
    const party = { kind: "player", id, idTitle: `number like ${id}` };
    const nodes = asking({ asks: undefined, player: party, place: party });
    const named = Object.assign(nodes, { names: { get: () => name } });
    statistics.take({ ...rest, name: "Ask", status: "ok", nodes: named, length: 1 });
  }
  for (const parties of [statistics.players, statistics.ages]) {
    expect(parties).toMatchObject([
      { id: "7", idTitle: "number like 7", name: "Atrus", c2s: { count: 1 } },
      { id: "(others)", idTitle: "", name: "", c2s: { count: 2 } },
    ]);
  }
  const text = textOf({ statistics });
  expect(text.match(/^kind +number like 7 {2}name /gm)).toHaveLength(2);
  expect(text.match(/^\(others\) \(others\) +\(others\) +2 +0 +2 +0$/gm)).toHaveLength(2);
});

it("the unit of the timeline comes below it if there is no room beside it", () => {
  const statistics = new Statistics(defaultLimits);
  const word = decodeWhole(struct("Word", { letter: u8 }), Uint8Array.of(1));
  for (let seconds = 0; seconds < 10; seconds++) {
    statistics.take({ ...rest, origin: { ...origin, seconds }, name: "Word", status: "ok", nodes: word, length: 1 });
  }
  expect(textOf({ statistics })).toContain("█ messages per column of 0.256 s\n");
  expect(textOf({ statistics }, 60)).toContain("█\nmessages per column of 0.256 s\n");
});
