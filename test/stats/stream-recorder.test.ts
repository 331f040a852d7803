import { expect, it } from "vitest";
import { Dissection } from "../../src/dissect/dissection.js";
import { dissectors } from "../../src/index.js";
import { Network } from "../../src/network/network.js";
import { Tracker } from "../../src/session/tracker.js";
import { StreamRecorder } from "../../src/stats/index.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";

it("knows the protocol of each conversation whose messages wait for those of others when it ends", async () => {
  const packets = await packetsOf("dirtsand-plain.pcap");
  for (const [what, disturb] of DISTURBANCES) {
    const expected = new Map<number, string>();
    const dissection = new Dissection(({ conversation, protocol }) => void expected.set(conversation.stream, protocol));
    const recorded = new Map<number, string | undefined>();
    const recorder = new StreamRecorder({ mostGaps: 0 }, ({ conversation, protocol, encryption }) => {
      expect(recorded.has(conversation.stream)).toBe(false);
      recorded.set(conversation.stream, protocol);
      expect(encryption).toBe("none");
    });
    const network = new Network(new Tracker(dissectors, dissection, { observer: recorder }));
    for (const packet of disturb(packets, new Random(5))) network.packet(packet);
    network.end();
    expect(Object.fromEntries(recorded), what).toEqual(Object.fromEntries(expected));
  }
});
