import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DissectedMessage, displayFilter, dissect, vocabulary } from "../../src/index.js";
import { PcapngWriter } from "../support/captures.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { concat } from "../support/packets.js";
import { projectPath } from "../support/project-path.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { exceptions } from "./compare.js";
import type { ShownField } from "./pdml.js";
import { columnsOf, factOf, hasTshark, WithPlugin } from "./with-plugin.js";

/** The names of all fields of a message. */
function namesIn({ fields }: ShownField): string[] {
  return fields.flatMap((field) => [field.name, ...namesIn(field)]);
}

describe.skipIf(!hasTshark)("in Wireshark, with the plugin (skipped without tshark)", () => {
  let plugin: WithPlugin;

  beforeAll(() => {
    plugin = new WithPlugin();
  });
  afterAll(() => plugin.close());

  /** The key log of a sample, which opens it without the keys of the shard. */
  async function keyLog(name: string, keys: string): Promise<string> {
    return plugin.file(`${name}.keylog`, (await uncheckedRun(["keys", sample(name), "--keys", keys])).stdout);
  }

  test.each([
    ["dirtsand-session.pcap", "dirtsand-session.keys"],
    ["nagus-session.pcap", "nagus-session.keys"],
  ])("every field of %s is the same as here", async (name, keys) => {
    const log = await keyLog(name, sample(keys));
    await plugin.expectSame(sample(name), "moul", { tshark: ["-o", `moul.keylog:${log}`] });
  });

  test.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("every field of %s is the same as here", (name) =>
    plugin.expectSame(sample(name), "moul"),
  );

  test.each([
    ["dirtsand-session.pcap", "dirtsand-session.keys"],
    ["nagus-session.pcapng", "nagus-session.keys"],
  ])("%s with its keys in it is decrypted as here, without a key log", async (name, keys) => {
    const shared = join(plugin.folder, `${name}.shared.pcapng`);
    await uncheckedRun(["keys", sample(name), "--keys", sample(keys), "--embed", shared]);
    const own = jsonLines((await uncheckedRun([shared, "--json"])).stdout);
    expect(plugin.named(shared, "moul", ["-2"])).toEqual(own.map(({ message, status }) => ({ message, status })));
    expect(own.filter(({ status }) => status === "ok").length).toBeGreaterThan(100);
  });

  test("keys in a custom block are used, of either byte order", async () => {
    const log = (
      await uncheckedRun(["keys", sample("dirtsand-session.pcap"), "--keys", sample("dirtsand-session.keys")])
    ).stdout;
    const packets = await packetsOf("dirtsand-session.pcap");
    for (const little of [true, false]) {
      const write = new PcapngWriter(little);
      const blocks = packets.map(({ data }, index) => write.enhanced({ data }, BigInt(index)));
      const capture = concat(write.section(), write.interface({}), write.custom(Buffer.from(log)), ...blocks);
      const path = plugin.file(`custom-${little}.pcapng`, capture);
      const shown = plugin.named(path, "moul");
      expect(shown.length).toBeGreaterThan(400);
      expect(shown.filter(({ status }) => status === "encrypted")).toEqual([]);
    }
  }, 120_000);

  test("every field and summary of messages of games is the same as here", async () => {
    const capture = projectPath("test/fixtures/captures/moss-games.pcap");
    const keys = ["auth_key.der", "game_key.der"].flatMap((name) => [
      "--keys",
      projectPath(`test/fixtures/keys/moss-recorded/${name}`),
    ]);
    const log = plugin.file("moss.keylog", (await uncheckedRun(["keys", capture, ...keys])).stdout);
    await plugin.expectSame(capture, "moul", { tshark: ["-o", `moul.keylog:${log}`], own: ["--keys", log] });
  }, 120_000);

  const classic = "c-relay d-relay e-ctf e-listserver e-ping e-reject e-relay e-udp".split(" ");

  test.each([...classic.map((session) => `bz107${session}.pcap`), "bz0221-glclient.pcap"])(
    "every field and summary of %s is the same as here",
    (name) => plugin.expectSame(sample(name), "bzflag"),
    120_000,
  );

  test.each([
    ["dirtsand-session.pcap", "moul"],
    ["bz107e-relay.pcap", "bzflag"],
    ["bz107e-udp.pcap", "bzflag"],
  ])("with two passes, of which the first has no fields as there is no filter: %s", async (name, protocol) => {
    const log = protocol === "moul" ? ["-o", `moul.keylog:${await keyLog(name, sample("dirtsand-session.keys"))}`] : [];
    await plugin.expectSame(sample(name), protocol, { tshark: log, filter: [] });
  });

  test("with two passes and no filter, a reply that ends with its connection is whole; what is over HTTP is Wireshark's", () => {
    const [one = [], two = []] = [[], ["-2"]].map((passes) =>
      plugin
        .shown(sample("bz107e-listserver.pcap"), "bzflag", passes, [])
        .map((shown) => ["message", "status", "summary"].map((fact) => factOf(shown, "bzflag", fact)).join(" ")),
    );
    expect(two.join("\n")).toContain("ListServerEntries ok");
    expect(one.filter((line) => !two.includes(line)).map((line) => line.split(" ")[0])).toEqual([
      "ListServerGet",
      "ListServerHttpReply",
    ]);
    expect(one.length).toBe(two.length + 2);
  });

  test("with moul.only, the columns that it names are the same, and nothing else is shown", () => {
    const only = ["-o", "moul.only:playerId,class,summary,names.name,plNetMsgGameMessage"];
    const columns = ["frame.number", "moul.playerId", "moul.class", "moul.summary", "moul.names.name"];
    const args = ["-Y", "moul.plNetMsgGameMessage", "-T", "fields", ...columns.flatMap((column) => ["-e", column])];
    const all = plugin.tshark(sample("dirtsand-plain.pcap"), args);
    expect(all.split("\n").length).toBeGreaterThan(20);
    expect(plugin.tshark(sample("dirtsand-plain.pcap"), [...only, ...args])).toBe(all);
    const fields = JSON.stringify(plugin.shown(sample("dirtsand-plain.pcap"), "moul", only));
    expect(fields).toContain("moul.playerId");
    expect(fields).not.toContain("moul.transactionId");
  });

  test.each([
    [
      "dirtsand-plain.pcap",
      [
        "playerId,class,plNetMsgGameMessage",
        "status,number,transactionId,result",
        "objectName,descriptorName,undissected",
        "answers,answers.milliseconds,number",
      ],
    ],
    ["nagus-plain.pcap", ["class,sequenceNumber,message", "sender,nodeId,receiverCount"]],
    ["dirtsand-session.pcap", ["playerId,class,plNetMsgGameMessage", "objectName,message"]],
  ])("with moul.only, what is left out changes nothing of the rest: %s", async (name, sets) => {
    const fields = [...new Set(sets.flatMap((set) => set.split(",")))];
    const log = ["-o", `moul.keylog:${await keyLog(name, sample(name.replace(".pcap", ".keys")))}`];
    const all = plugin.columns(sample(name), "moul", fields, log);
    for (const set of sets) {
      const only = set.split(",");
      const expected = columnsOf(all, fields, only);
      expect(expected.filter(([, ...values]) => values.some((value) => value !== "")).length, set).toBeGreaterThan(20);
      const options = ["-o", `moul.only:${set}`, ...log];
      expect(plugin.columns(sample(name), "moul", only, options), set).toEqual(expected);
      expect(plugin.columns(sample(name), "moul", only, ["-2", "-Y", "frame", ...options]), set).toEqual(expected);
    }
  });

  test.each([
    ["dirtsand-plain.pcap", "moul", "MOUL"],
    ["bz107e-relay.pcap", "bzflag", "BZFlag"],
  ])("the column of the protocol has a short name: %s", (name, protocol, column) => {
    const lines = plugin.tshark(sample(name), ["-Y", protocol]).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => line.split(/ +/).filter((word) => word !== "")[5] !== column)).toEqual([]);
  });

  test("classes without a name, such as variables of SDL records, are no class", () => {
    const args = ["-Y", "moul.record && moul.class", "-T", "fields", "-e", "moul.class"];
    const lines = plugin.tshark(sample("dirtsand-plain.pcap"), args).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.flatMap((line) => line.split(",")).filter((name) => name === "")).toEqual([]);
  });

  test.each([
    ["dirtsand-plain.pcap", "moul", ["plNetMsgGameMessage", "plNetMessage", "plMessage", "plUoid"]],
    ["nagus-plain.pcap", "moul", ["plNetMsgGameMessage", "plKey"]],
    ["bz107e-relay.pcap", "bzflag", ["MsgMessage"]],
  ])("a class is found as here, also by what it is derived from: %s", async (name, protocol, classes) => {
    const own: DissectedMessage[] = [];
    for await (const message of dissect(sample(name))) own.push(message);
    const named = plugin.shown(sample(name), protocol, ["-2"]).map((message) => new Set(namesIn(message)));
    const known = new Set(plugin.fields());
    // Where a field has the name, too, it is another one there.
    const words = vocabulary().filter(({ name: word, kind }) => {
      return kind === "class" && known.has(`${protocol}.${word}`) && !known.has(`${protocol}.${word}.class`);
    });
    expect(words.length).toBeGreaterThan(50);
    for (const { name: word } of words) {
      const passes = await displayFilter(word);
      const there = named.map((names) => names.has(`${protocol}.${word}`));
      expect(there, word).toEqual(own.map(passes));
    }
    const fields = classes.map((word) => `${protocol}.${word}`);
    const lines = (options: readonly string[], filter: string, columns: readonly string[] = []) => {
      const args = [...options, "-Y", filter, ...["frame.number", ...columns].flatMap((column) => ["-e", column])];
      return plugin.tshark(sample(name), [...args, "-T", "fields"]).split("\n");
    };
    const all = lines([], fields.join(" || "), fields).map((line) => line.split("\t"));
    for (const [index, field] of fields.entries()) {
      const frames = all.flatMap(([frame = "", ...values]) => (values[index] ? [frame] : []));
      expect(frames.length, field).toBeGreaterThan(20);
      expect(lines(["-o", `${protocol}.only:${classes[index]}`], field), field).toEqual([...frames, ""]);
    }
  });

  test.each([
    ["dirtsand-plain.pcap", "moul.playerId == 10124"],
    ["dirtsand-plain.pcap", 'moul.class == "plNetMsgSDLStateBCast" || moul.result > 0'],
    ["dirtsand-plain.pcap", "moul.names.name && !moul.Auth2Cli_VaultNodeFetched"],
    ["dirtsand-plain.pcap", "moul.answers.milliseconds < 1 || moul.note.warning"],
    ["nagus-plain.pcap", 'moul.summary contains "plLoad" || moul.direction == "c2s"'],
    ["nagus-plain.pcap", "moul.receiverCount == 1 && moul.sender"],
    ["bz107e-relay.pcap", "bzflag.MsgShotBegin || bzflag.MsgMessage"],
    ["bz0221-glclient.pcap", 'bzflag.status != "ok" || bzflag.MsgMessage'],
  ])(
    "a filter finds the same, whether the fields of messages are shown or only the list of packets: %s, %s",
    (name, filter) => {
      const shown = plugin.tshark(sample(name), ["-Y", filter, "-T", "fields", "-e", "frame.number"]);
      const listed = plugin.tshark(sample(name), ["-Y", filter]);
      const frames = (lines: string) => lines.split("\n").flatMap((line) => /^ *\d+/.exec(line)?.[0].trim() ?? []);
      expect(frames(shown).length).toBeGreaterThan(3);
      expect(frames(listed)).toEqual(frames(shown));
    },
  );

  test("with --sdl, records of an age's own descriptors are dissected, too; names of fields are the same", async () => {
    const sdl = ["--sdl", sample("sdl")];
    const made = new WithPlugin((await uncheckedRun(["wireshark", ...sdl])).stdout);
    try {
      await made.expectSame(sample("dirtsand-plain.pcap"), "moul", { own: sdl });
      expect(made.tshark(sample("dirtsand-plain.pcap"), ["-Y", "moul.record"])).toContain("xStateToggler");
      expect(plugin.fields().length).toBeGreaterThan(900);
      expect(made.fields()).toEqual(plugin.fields());
    } finally {
      made.close();
    }
  });

  test("little is different for a reason", () => {
    expect(exceptions).toEqual({
      undissected: expect.any(Number),
      afterLength: expect.any(Number),
      otherTrue: expect.any(Number),
    });
    expect(exceptions.undissected).toBeGreaterThan(0);
  });
});
