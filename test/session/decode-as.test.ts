import { describe, expect, it } from "vitest";
import type { Conversation } from "../../src/network/conversation.js";
import { DecodeAsError, parseDecodeAs, ruleFor } from "../../src/session/decode-as.js";
import { toyDissector } from "../support/toy.js";

const toy = toyDissector();

function rule(text: string) {
  return parseDecodeAs(text, [toy]);
}

/** True if a rule matches a conversation from 192.0.2.1:1111 to a server. */
function fits(text: string, address: string, port: number, transport: "tcp" | "udp" = "tcp", clientIsKnown = true) {
  const origin = { frame: 1, seconds: 0, nanoseconds: 0 };
  const conversation: Conversation = {
    stream: 0,
    transport,
    client: { address: "192.0.2.1", port: 1111 },
    server: { address, port },
    clientIsKnown,
    path: "",
    packets: { c2s: 0, s2c: 0 },
    payloadBytes: { c2s: 0, s2c: 0 },
    missingBytes: { c2s: 0, s2c: 0 },
    unaccepted: { c2s: 0, s2c: 0 },
    first: origin,
    last: origin,
  };
  return ruleFor([rule(text)], conversation);
}

describe("a rule of --decode-as", () => {
  it.each([
    ["tcp.port==5000,toy.words", "192.0.2.2", 5000, "tcp"],
    [" tcp.port == 5000 , toy.words ", "192.0.2.2", 5000, "tcp"],
    ["tcp.port==5000-5010,toy.words", "192.0.2.2", 5010, "tcp"],
    ["tcp.port==5000:11,toy.words", "192.0.2.2", 5010, "tcp"],
    ["udp.port==5000,toy.words", "192.0.2.2", 5000, "udp"],
    ["ip.addr==192.0.2.2,toy.words", "192.0.2.2", 9, "udp"],
    ["ip.addr==2001:DB8:0:0::1,toy.words", "2001:db8::1", 9, "tcp"],
    ["ip.addr==::ffff:192.0.2.2,toy.words", "::ffff:192.0.2.2", 9, "tcp"],
    ["ip.addr==::FFFF:C000:202,toy.words", "::ffff:192.0.2.2", 9, "tcp"],
  ] as const)("%s matches %s:%s over %s", (text, address, port, transport) => {
    expect(fits(text, address, port, transport)).toMatchObject({ serverIsClient: false });
  });

  it.each([
    ["tcp.port==5000,toy.words", "192.0.2.2", 5001, "tcp"],
    ["tcp.port==5000,toy.words", "192.0.2.2", 5000, "udp"],
    ["tcp.port==5000:11,toy.words", "192.0.2.2", 5011, "tcp"],
    ["ip.addr==192.0.2.22,toy.words", "192.0.2.2", 5011, "tcp"],
  ] as const)("%s does not match %s:%s over %s", (text, address, port, transport) => {
    expect(fits(text, address, port, transport)).toBeUndefined();
  });

  it("decides which end is the server, unless that is known", () => {
    expect(fits("tcp.port==1111,toy.words", "192.0.2.2", 5, "tcp", false)).toMatchObject({ serverIsClient: true });
    expect(fits("tcp.port==1111,toy.words", "192.0.2.2", 5, "tcp", true)).toMatchObject({ serverIsClient: false });
  });

  it.each([
    ["nonsense", "is not a rule such as tcp.port==5000,moul.game"],
    ["tcp.port=5000,toy.words", "is not a rule"],
    ["http.port==5000,toy.words", "is not a rule"],
    ["tcp.port==5000", "is not a rule"],
    ["tcp.port==x,toy.words", "x is neither a port nor a range of ports"],
    ["tcp.port==70000,toy.words", "70000 is neither a port"],
    ["tcp.port==10-5,toy.words", "10-5 is neither a port"],
    ["tcp.port==10:0,toy.words", "10:0 is neither a port"],
    ["ip.addr==300.1.1.1,toy.words", "300.1.1.1 is not an IP address"],
    ["ip.addr==example.org,toy.words", "example.org is not an IP address"],
    ["tcp.port==5,toy", "toy is not a known protocol; the known ones are toy.words"],
  ])("%s is rejected", (text, why) => {
    expect(() => rule(text)).toThrow(DecodeAsError);
    expect(() => rule(text)).toThrow(why);
  });
});
