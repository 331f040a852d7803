import { expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { Network } from "../../src/network/network.js";
import { captureName, openCapture } from "../../src/platform/node/capture-file.js";
import { StreamHashes } from "../support/recording.js";
import { sample } from "../support/samples.js";

/** The content of a sample: packets, streams, and for each direction the number of bytes and their hash. */
async function read(name: string): Promise<{ hashes: StreamHashes; network: Network }> {
  const path = sample(name);
  const hashes = new StreamHashes();
  const network = new Network(hashes);
  const result = await readCapture(openCapture(path), captureName(path), {
    packet: (packet) => network.packet(packet),
    problem: (problem) => expect(problem).toBeUndefined(),
  });
  network.end();
  expect(result.outcome).toBe("whole");
  return { hashes, network };
}

test("one session recorded in three ways is the same", async () => {
  const [pcap, cooked, pcapng] = await Promise.all([
    read("nagus-session.pcap"),
    read("nagus-session.any.pcap"),
    read("nagus-session.pcapng"),
  ]);
  expect(pcap.network.counts).toMatchObject({ packets: 575, tcp: 575, udp: 0, others: new Map() });
  expect(pcap.hashes.summary.size).toBe(18);
  expect(pcap.hashes.gaps).toBe(0);
  for (const other of [cooked, pcapng]) {
    expect(other.network.counts).toEqual(pcap.network.counts);
    expect(other.hashes.summary).toEqual(pcap.hashes.summary);
    expect(other.hashes.gaps).toBe(0);
  }
  // As in tshark -z follow,tcp,raw.
  const game = pcap.hashes.summary.get("2 127.0.0.1:44110 127.0.0.1:14617 s2c");
  expect(game).toMatch(/^12735 e367b6f2/);
});
