import { expect, it } from "vitest";
import { dissectPackets } from "../../../support/dissecting.js";
import { keyFiles, MoulTalk, packetsOf, ping } from "../../../support/moul-session.js";

/** Places among the packets of a connection. */
const Place = { connect: 3, y: 4, seed: 5, request: 6 } as const;

it("a key exchange is whole though it waits beyond its connection's end, for a packet of another connection", () => {
  const keys = { "dirtsand.ini": keyFiles.dirtsand() };
  const alone = dissectPackets(packetsOf(ping(new MoulTalk("auth").opens())), { keys });

  const slow = packetsOf(ping(ping(new MoulTalk("auth").opens()), 2), { noFin: true });
  const late = slow.splice(Place.request, 1);
  // A recorder with several queues has mixed up the packets: what the client asks comes before the server's half.
  const quick = packetsOf(ping(new MoulTalk("auth").opens()), { client: ["192.0.2.1", 50_001] });
  const order = [...quick.keys()];
  order.splice(Place.connect, 4, Place.y, Place.request, Place.connect, Place.seed);
  const mixed = order.flatMap((place) => quick.slice(place, place + 1));
  const run = dissectPackets([...slow, ...mixed, ...late], { keys, seconds: Array(100).fill(0) });
  for (const direction of ["c2s", "s2c"] as const) {
    expect(run.direction(direction, 1)).toEqual(alone.direction(direction));
  }
});
