import { describe, expect, it } from "vitest";
import { jsonLines, run } from "../../support/command-line.js";
import { sample } from "../../support/samples.js";

async function lines(...args: readonly string[]) {
  return jsonLines((await run(args)).stdout);
}

describe("what was said in a game", () => {
  it.each(["bz107c-relay.pcap", "bz107e-relay.pcap", "bz107e-udp.pcap", "bz0221-glclient.pcap"])(
    "is what clients sent, each once, and what the server itself says: %s",
    async (name) => {
      const chat = await lines("chat", sample(name), "--json");
      const sent = await lines(sample(name), "--json", "-Y", "MsgMessage and direction == c2s");
      const texts = sent.map(({ fields }) => Object(fields).text);
      expect(chat.filter(({ relayed }) => relayed === false).map(({ text }) => text)).toEqual(texts);
      expect(texts.length).toBeGreaterThan(0);
      // A server speaks in the name of whom it speaks to, until 2.0.
      for (const { relayed, from, to } of chat) {
        if (relayed === true) expect([Object(to)[0].name, "server"]).toContain(Object(from).name);
      }
    },
  );

  it("is said to everybody, to a team, or to one player", async () => {
    const chat = await lines("chat", sample("bz107c-relay.pcap"), "--json");
    const said = chat.map(({ from, to, channel }) => [Object(from).name, channel, Object(to)[0]?.name]);
    expect(said).toEqual([
      ["old alpha", "all players", undefined],
      ["old alpha", "RedTeam", undefined],
      ["old bravo", "private", "old alpha"],
      ["old bravo", "all players", undefined],
      ["old alpha", "all players", undefined],
    ]);
  });

  it("may be nothing, which is said", async () => {
    const { stdout, stderr } = await run(["chat", sample("regression/login.pcap")]);
    expect([stdout, stderr]).toEqual(["", "moul-dissect: nobody said anything\n"]);
    const filtered = await run(["chat", sample("bz107c-relay.pcap"), "-Y", "MsgEnter"]);
    expect([filtered.stdout, filtered.stderr]).toEqual([
      "",
      "moul-dissect: nobody said anything in messages that pass the filter\n",
    ]);
  });
});

describe("players of a game", () => {
  const steps = async (name: string) =>
    (await lines("players", sample(name), "--json")).flatMap(({ player, conversations }) =>
      Object(conversations).flatMap(({ steps: all }: { steps: readonly Record<string, unknown>[] }) =>
        all.map(({ step, outcome, error }) => [Object(player).name ?? "nobody", step, outcome, error]),
      ),
    );

  it("join, or are refused with a reason", async () => {
    const joined = (await steps("bz107e-reject.pcap")).filter(([, step]) => step === "join the game");
    expect(joined).toContainEqual(["first", "join the game", "done", null]);
    expect(joined).toContainEqual(["rogue", "join the game", "failed", "RejectNoRogues"]);
    expect(joined).toContainEqual(["redfull", "join the game", "failed", "RejectTeamFull"]);
  });

  it("are not let in by a server without a place, and have to leave one that ends", async () => {
    const all = await steps("bz107e-relay.pcap");
    expect(all).toContainEqual(["nobody", "connect", "failed", "refused"]);
    expect(all).toContainEqual(["bravo", "stay connected", "failed", ""]);
    // Links over UDP are accepted with the same message.
    expect(all.filter(([name, step]) => name === "bravo" && step === "join the game")).toHaveLength(1);
  });

  it("are told of the others, not of themselves", async () => {
    const sessions = await lines("players", sample("bz0221-glclient.pcap"), "--json", "--player", "realtank");
    expect(sessions).toHaveLength(1);
    const told = Object(sessions[0]?.["others"]);
    expect(told.map(({ player, there }: { player: { name: string }; there: boolean }) => [player.name, there])).toEqual(
      [
        ["realtank00", true],
        ["realtank01", true],
        ["realtank02", true],
        ["realtank00", false],
        ["realtank01", false],
        ["realtank02", false],
      ],
    );
  });
});
