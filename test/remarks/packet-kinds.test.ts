import { describe, expect, it } from "vitest";
import type { PacketCounts } from "../../src/network/network.js";
import { nothingFound } from "../../src/remarks/packet-kinds.js";
import { TestNetwork } from "../support/network.js";
import { tcpPacket, text, udpPacket } from "../support/packets.js";
import { V4 } from "../support/tunnelled.js";

function countsOf(...packets: readonly Uint8Array[]): PacketCounts {
  return new TestNetwork().feed(...packets).network.counts;
}

describe("why nothing was found", () => {
  it("is no late start where all there is may be in a tunnel that is not followed", () => {
    expect(nothingFound(countsOf(udpPacket(V4, text("Foo over UDP"))))).toBe(
      "no message of a known protocol was found in 1 packet; none of it is TCP: a tunnel over UDP is followed only at its registered port, and -d names the protocol of other datagrams",
    );
  });

  it("may be a late start where there is a connection", () => {
    const counts = countsOf(udpPacket(V4, text("x")), tcpPacket(V4, { payload: text("x") }));
    expect(nothingFound(counts)).toBe(
      "no message of a known protocol was found in 2 packets; a connection is recognised by its first bytes, so the recording must begin before it does, unless -d names its protocol",
    );
  });
});
