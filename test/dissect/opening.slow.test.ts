import { describe, expect, it } from "vitest";
import { dissectPackets } from "../support/dissecting.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { dissectPackets as foundIn, packetsOf as packetsOfSample } from "../support/sample-packets.js";

/** The message that opens a conversation is not found again after a loss: other bytes only look like it. */

/** What is said to the game server on a connection of a sample, in the clear. */
async function gameOf(capture: string): Promise<MoulTalk> {
  const found = await foundIn(await packetsOfSample(capture));
  const join = found.find(({ name }) => name === "Cli2Game_JoinAgeRequest");
  const [port = ""] = join?.stream.split(" ") ?? [];
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  for (const { stream, name, bytes } of found) {
    if (!stream.startsWith(`${port} `) || !/^(Cli2Game_(?!Connect)|Game2Cli_)/.test(name)) continue;
    talk.plain(stream.endsWith("c2s") ? "c2s" : "s2c", Buffer.from(bytes.replaceAll(" ", ""), "hex"));
  }
  return talk;
}

describe.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("%s", (capture) => {
  it.each([3, 7, 100])("in packets of up to %i bytes", async (mtu) => {
    const packets = packetsOf(await gameOf(capture), { mtu });
    const first = Math.ceil(packets.length / 60);
    const joins: number[] = [];
    for (let from = first; from < packets.length; from += first) {
      const lost = packets.map((packet, index) => (index >= from && index < from + 20 ? undefined : packet));
      const { messages } = dissectPackets(lost);
      joins.push(messages.filter(({ name }) => name === "Cli2Game_JoinAgeRequest").length);
    }
    expect(Math.max(...joins)).toBe(1);
  });
});
