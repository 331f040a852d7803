import { describe, expect, it } from "vitest";
import { compileFilter, Vocabulary } from "../../src/filter/index.js";
import { dissectors } from "../../src/index.js";
import { columnOf } from "../../src/output/tables/field-columns.js";
import { run } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";

interface Line {
  readonly protocol: string;
  readonly message?: string;
  readonly class?: string;
  readonly directions?: readonly string[];
  readonly path: string;
  readonly inJson?: string;
  readonly kind: string;
  readonly meaning?: string;
  readonly doc?: string;
}

const listOf = oncePerName(async (name): Promise<readonly Line[]> => {
  const { code, stdout, stderr } = await run(["fields", "--json", ...(name === "" ? [] : [name])]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const START = '{"schema":"moul-dissect.field/1",';
  const printed = stdout.trim().split("\n");
  expect(printed.filter((line) => !line.startsWith(START))).toEqual([]);
  return printed.map((line): Line => JSON.parse(`{${line.slice(START.length)}`));
});

/** What is listed for a name, or without one. */
const lines = (name = "") => listOf(name);

function succeeds(use: () => unknown): boolean {
  try {
    use();
    return true;
  } catch {
    return false;
  }
}

describe("fields", () => {
  it("lists a message with its fields, their kinds and meanings", async () => {
    const all = await lines("bzflag");
    const own = all.filter(({ message, directions }) => message === "MsgKilled" && directions?.includes("s2c"));
    expect(own.filter(({ protocol }) => protocol === "bzflag.107x")).toEqual([
      { protocol: "bzflag.107x", message: "MsgKilled", directions: ["s2c"], path: "", kind: "struct", tag: 0x6b6c },
      expect.objectContaining({ path: "len", kind: "u16be", doc: "Bytes after the header." }),
      expect.objectContaining({ path: "code", kind: "u16be" }),
      expect.objectContaining({ path: "victim", kind: "PlayerId", meaning: "refers to player" }),
      expect.objectContaining({ path: "victim.host", kind: "u32be", meaning: "shown as text" }),
      expect.objectContaining({ path: "victim.port", kind: "u16be" }),
      expect.objectContaining({ path: "victim.number", kind: "u16be" }),
      expect.objectContaining({ path: "killer", kind: "PlayerId" }),
      expect.objectContaining({ path: "killer.host" }),
      expect.objectContaining({ path: "killer.port" }),
      expect.objectContaining({ path: "killer.number" }),
      expect.objectContaining({ path: "shotId", kind: "i16be" }),
    ]);
    expect(own.some(({ protocol }) => protocol === "bzflag.0221")).toBe(true);
  });

  it("gives the meanings of numbers", async () => {
    const all = await lines("bzflag.107e");
    const of = (message: string, path: string) =>
      all.find((line) => line.message === message && line.path === path)?.meaning;
    expect(of("MsgEnter", "type")).toBe("0 = TankPlayer, 1 = JAFOPlayer, 2 = ComputerPlayer");
    expect(of("MsgAcquireRadio", "flags")).toBe("0x1 = ToAll");
    const whole = all.filter(({ message }) => message !== undefined);
    expect(new Set(whole.map(({ protocol }) => protocol))).toEqual(new Set(["bzflag.107e"]));
  });

  it("lists the classes that messages of a protocol can hold, and no others", async () => {
    const classesOf = async (protocol: string) => new Set((await lines(protocol)).map((line) => line.class));
    const game = await classesOf("moul.game");
    for (const name of ["plNetMsgVoice", "plSwimMsg", "plAvBrainSwim", "proPickedEventData"])
      expect(game).toContain(name);
    expect(game).not.toContain("NetVaultNode");
    expect([...(await classesOf("moul.file"))]).toEqual([undefined]);
  });

  it("descends into arrays and choices", async () => {
    const all = await lines("bzflag.0221");
    const flag = all.filter(({ message, path }) => message === "MsgFlagUpdate" && path.startsWith("flags"));
    expect(flag[0]).toMatchObject({ path: "flags", kind: "array of struct" });
    expect(flag.map(({ path }) => path)).toContain("flags.position.x");
    const game = await lines("moul.game");
    const paths = game.filter(({ message }) => message === "Cli2Game_GameMgrMsg").map(({ path }) => path);
    expect(paths).toContain("buffer.body.gameTypeId");
  });

  it("lists every declared message and class once, wherever it occurs", async () => {
    for (const { name, types } of dissectors) {
      const all = await lines(name);
      const heads = all.filter(({ path }) => path === "");
      const names = new Set(heads.map((line) => line.message ?? line.class));
      for (const { descriptor } of types.values()) {
        const struct = descriptor.struct ?? descriptor.base;
        if (struct !== undefined) expect(names).toContain(struct.name);
      }
      const seen = new Set<string>();
      const twice = heads.map((line) => JSON.stringify(line)).filter((key) => seen.size === seen.add(key).size);
      // Only the two forms of MsgAddPlayer, of ping replies and of the list's answers share their names.
      expect(twice.filter((key) => !/ListServer|MsgAddPlayer|PingCodeReply/.test(key))).toEqual([]);
    }
  });

  it("lists everything without a protocol, including the fields of every message", async () => {
    const all = await lines();
    expect(all[0]).toEqual({ protocol: "*", path: "number", kind: "number", doc: expect.any(String) });
    const protocols = new Set(all.map(({ protocol }) => protocol));
    for (const protocol of ["moul", "moul.game", "bzflag", "bzflag.107x", "bzflag.0221", "bzflag.list"]) {
      expect(protocols).toContain(protocol);
    }
  });

  it("tells what has a value of a name, with its number", async () => {
    expect((await run(["fields", "kFlagZipped"])).stdout).toBe(
      "moul splitFlags\n  flags  derived  The bits that are set in the number that both halves make.\n" +
        "      0x8 = kFlagZipped\n\n",
    );
    const holders = (await lines("kNetErrOldBuildId")).filter(({ path }) => path !== "");
    expect(new Set(holders.map(({ path }) => path))).toEqual(new Set(["result", "reason", "errorCode"]));
    const mistyped = await run(["fields", "kNetErrOldBuildID"]);
    expect(mistyped).toMatchObject({ code: 1, stderr: expect.stringContaining("did you mean kNetErrOldBuildId?") });
  });

  it("tells which bit vectors have a bit of a name, and what a bit vector of classes consists of", async () => {
    for (const [name, classes] of [
      ["kAddCallbacks", ["plAnimCmdMsg"]],
      ["kDisable", ["plEnableMsg"]],
      ["kSetLoopCount", ["plMultistageModMsg"]],
      ["kLinkingMgrArgs", ["plLinkingMgrMsg"]],
      ["kHasCameraStack", ["plSpawnPointInfo"]],
      ["kCapsGameMgrHeek", ["Auth2Cli_ServerCaps"]],
      ["plAudioInterface", ["plEnableMsg"]],
    ] as const) {
      const { stdout } = await run(["fields", name]);
      for (const holder of classes) expect(stdout).toMatch(new RegExp(`${holder}[^]*= ${name}\n`));
    }
    const { stdout } = await run(["fields", "plEnableMsg"]);
    expect(stdout).toContain("  commands        hsBitVector\n      0 = kDisable\n      1 = kEnable\n");
    expect(stdout).toMatch(/ {2}types .* 0 = plSceneNode, 1 = plSceneObject, .*class indices/);
    expect(stdout.split("\n").length).toBeLessThan(50);
  });

  it("prints aligned text", async () => {
    const { stdout } = await run(["fields", "moul.game"]);
    expect(stdout).toContain(
      [
        "moul.game Game2Cli_JoinAgeReply (1) s2c",
        "  messageType    u16le",
        "  transactionId  u32le",
        expect.any(String),
      ]
        .slice(0, 3)
        .join("\n"),
    );
  });

  it("prints a page about a class: its own fields, with all names of their values", async () => {
    const { stdout } = await run(["fields", "plNetMsgStreamHelper"]);
    expect(stdout).toContain(
      [
        "moul plNetMsgStreamHelper",
        "  uncompressedLength  u32le",
        "  compressionType     u8",
        "      0 = kCompressionNone",
        "      1 = kCompressionFailed",
        "      2 = kCompressionZlib",
        "      3 = kCompressionDont",
        "  streamLength        u32le",
        "  data                plMessage  streamLength bytes; zlib if compressionType == kCompressionZlib",
        "  decodedLength       derived    Length in bytes of the content, after inflating.",
        "",
      ].join("\n"),
    );
    const voice = (await run(["fields", "plNetMsgVoice"])).stdout;
    expect(voice).toMatch(/^moul plNetMsgVoice \(633\) : plNetMessage/);
    expect(voice).toMatch(/^ {2}receivers .* receiverCount elements/m);
    expect(voice).toMatch(/^ {2}timeSent +plUnifiedTime +if flags & kHasTimeSent$/m);
    expect(voice).not.toContain("timeSent.seconds");
  });

  it("also takes the name of a message, a family, or a part", async () => {
    const named = async (name: string) => {
      const heads = (await lines(name)).filter(({ path }) => path === "");
      return heads.map((line) => line.message ?? line.class);
    };
    expect(await named("Cli2Auth_AgeRequest")).toEqual(["Cli2Auth_AgeRequest"]);
    expect(await named("proEventData")).toContain("proPickedEventData");
    expect(await named("plNetMessage")).toEqual(["plNetMessage"]);
    expect(new Set(await named("plNetMsgStreamHelper"))).toEqual(new Set(["plNetMsgStreamHelper"]));
    expect(new Set(await named("MsgKilled"))).toEqual(new Set(["MsgKilled"]));
    expect(await named("0221.MsgKilled.s2c")).toEqual(["MsgKilled"]);
  });

  it("names a direction once, however many of its lists have the message", async () => {
    const [head] = (await lines("MsgPlayerUpdate")).filter(({ protocol }) => protocol === "bzflag.107x");
    expect(head).toMatchObject({ message: "MsgPlayerUpdate", directions: ["c2s", "s2c"] });
  });

  it("takes the name of a base that is not a message itself", async () => {
    const heads = (await lines("plNetMsgRoomsList")).filter(({ path }) => path === "");
    expect(heads).toEqual([expect.objectContaining({ class: "plNetMsgRoomsList", base: "plNetMessage", tag: 0x263 })]);
  });

  it("takes the name of a field, and lists its places, including bases and groups", async () => {
    const told = async (name: string) => (await lines(name)).map((line) => [line.class ?? line.message, line.path]);
    expect(await told("majorVersion")).toEqual([
      ["plNetMessage", ""],
      ["plNetMessage", "protocolVersion.majorVersion"],
    ]);
    const clocks = await told("timeSent");
    expect(clocks).toContainEqual(["plNetMessage", "timeSent"]);
    expect(clocks.flat()).not.toContain("plNetMsgVoice");
    expect(await told("decodedLength")).toContainEqual(["plNetMsgStreamHelper", "decodedLength"]);
    const { stdout } = await run(["fields", "stream"]);
    expect(stdout).toMatch(
      /\n\nmoul plNetMsgStream .*\n {2}stream {2}plNetMsgStreamHelper\n\nmoul plNetMsgStreamedObject /,
    );
  });

  it("knows the names that fields have in JSON", async () => {
    const listed = (await lines("receiverKiNumbers")).filter(({ path }) => path !== "");
    expect(listed.map(({ path, inJson }) => [path, inJson])).toContainEqual(["receivers", "receiverKiNumbers"]);
    expect((await run(["fields", "updates"])).stdout).toContain("in JSON: updates");
  });

  it("lists fields that every message has first", async () => {
    expect((await lines("length"))[0]).toMatchObject({ protocol: "*", path: "length" });
    expect((await lines("notes.path")).map(({ path }) => path)).toEqual(["notes.path"]);
    const { stdout } = await run(["fields", "direction"]);
    expect(stdout).toMatch(/^any message\n {2}direction .*\n\nmoul plAvBrainGenericMsg /);
    // The name of a class is looked up as that first.
    expect((await lines("plNetMessage"))[0]).toMatchObject({ class: "plNetMessage" });
  });

  it("describes the names that no dissector declares", async () => {
    expect((await run(["fields", "gap"])).stdout).toMatch(/^instead of messages\n {2}gap {2}range {2}Bytes .*\n\n$/);
    expect((await run(["fields", "class"])).stdout).toMatch(/^any message\n {2}class {2}text {2}\S.*\n\n$/);
    for (const name of ["skipped", "encrypted", "summary", "gap", "class", "undissected"]) {
      expect(await lines(name)).toEqual([
        { protocol: "*", path: name, kind: expect.any(String), doc: expect.stringMatching(/\.$/) },
      ]);
    }
    const { stdout } = await run(["fields"]);
    expect(stdout).toMatch(/^any message\n(?: {2}.*\n)+\ninstead of messages\n(?: {2}.*\n)+\nmoul/);
  });

  it("lists names for everything that can be used in a filter or as a column", async () => {
    const everywhere = (await lines()).filter(({ protocol }) => protocol === "*").map(({ path }) => path);
    expect(everywhere).toEqual(expect.arrayContaining(["class", "summary", "gap", "skipped", "encrypted", "status"]));
    const vocabulary = Vocabulary.of(dissectors);
    for (const name of everywhere) {
      const uses = [() => compileFilter(name, vocabulary), () => columnOf(name, vocabulary)];
      expect(uses.some(succeeds), name).toBe(true);
    }
  });

  it("refuses an unknown name", async () => {
    const { code, stderr } = await run(["fields", "nosuch"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing named nosuch is declared; known names are moul, moul.gatekeeper");
    expect((await run(["fields", "plNotfyMsg"])).stderr).toContain("did you mean plNotifyMsg?");
    expect((await run(["fields", "objectNmae"])).stderr).toContain("did you mean objectName?");
    expect((await run(["fields", "sumary"])).stderr).toContain("did you mean summary?");
    expect((await run(["fields", "encypted"])).stderr).toContain("did you mean encrypted?");
    // As in a script whose variable is empty; groups of fields have no name.
    const empty = await run(["fields", ""]);
    expect(empty).toMatchObject({ code: 1, stdout: "" });
    expect(empty.stderr).not.toContain("did you mean");
  });
});
