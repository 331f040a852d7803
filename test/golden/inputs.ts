import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { encryptedFile } from "../dissectors/moul/keys/encryption.js";
import { pcapFile } from "../support/captures.js";
import { MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { endsOf, udpPacket } from "../support/packets.js";
import { sample } from "../support/samples.js";

/** 2026-11-20T04:00:00Z, in nanoseconds. */
const BEGIN = 1_795_147_200n * 1_000_000_000n;
const DESCRIPTOR = "STATEDESC Thing\n{\n  VERSION 2\n  VAR INT number[1]\n}\n";
const DROID_KEY = [0x31415926n, 0x53589793n, 0x23846264n, 0x33832795n];
/** Offset of the TCP checksum after an IPv4 header without options. */
const TCP_CHECKSUM = 36;

/** Writes the input of the golden files' command lines into a folder: the README beside this file lists it. */
export function writeInputs(folder: string): void {
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  symlinkSync(sample(), join(folder, "samples"), "junction");
  // Readable only by the owner; the modes of the files in `samples/` depend on the checkout.
  for (const name of ["nagus/nagus_config.ini", "dirtsand/server.ini"]) {
    writeFileSync(join(folder, basename(name)), readFileSync(sample(`keys/${name}`)), { mode: 0o600 });
  }

  const whole = packetsOf(pings());
  write("pings.pcap", capture(whole));
  // A recording that began after the connection was opened.
  write("middle.pcap", capture(whole.slice(6)));
  // Something that is not IP, and somebody else's packet, before the connection is opened.
  const stranger = udpPacket(endsOf(["192.0.2.8", 5353], ["192.0.2.9", 5353]), Uint8Array.of(1, 2, 3));
  write("late.pcap", capture([Uint8Array.of(0), stranger, ...whole]));
  // A datagram that two interfaces have recorded, 15 microseconds apart.
  write(
    "twice.pcap",
    pcapFile([...recordsOf([...whole, stranger]), ...recordsOf([stranger], 13.00015)], { linkType: RAW }),
  );
  write("cut.pcap", capture(whole).subarray(0, -70));
  write("empty.pcap", capture([]));
  // Without the segment that contains the first ping.
  write("gap.pcap", capture(whole.toSpliced(6, 1)));
  const damaged = whole.map((packet) => packet.slice());
  damaged[6]?.set([0x12, 0x34], TCP_CHECKSUM);
  write("damaged.pcap", capture(damaged));
  write("malformed.pcap", capture(packetsOf(gameTalk().plain("c2s", hex("0200 6b020000 06000000 6b0200000000")))));
  write("unknown.pcap", capture(packetsOf(gameTalk().plain("c2s", hex("0200 fe7f0000 04000000 fe7f0000")))));

  const secret = pings("rc4");
  write("secret.pcap", capture(packetsOf(secret)));
  write("client.log", `# Recorded by the client.\n${secret.keyLog.rc4}`);
  mkdirSync(join(folder, "beside"));
  for (const name of ["whole", "part", "shopping"]) write(`beside/${name}.pcap`, capture(packetsOf(secret)));
  write("beside/whole.pcap.keys", secret.keyLog.rc4);
  write("beside/part.keys", secret.keyLog.rc4);
  write("beside/shopping.keys", "milk\n");
  write("shopping.txt", "milk\n");
  write("broken.log", "MOUL_RC4 milk 12\n");

  mkdirSync(join(folder, "recordings"));
  write("recordings/pings.pcap", capture(whole));
  write("recordings/later.pcap", capture(packetsOf(pings("none", 40), { client: ["192.0.2.7", 50_123] })));
  write("recordings/other.pcap", capture(packetsOf(ping(pings()))));

  mkdirSync(join(folder, "sdl"));
  write("sdl/things.sdl", DESCRIPTOR);
  write("sdl/shopping.sdl", "milk\n");
  write("droid.sdl", encryptedFile("notthedroids", DESCRIPTOR, DROID_KEY));
  write("locations.hex", "21 00 01 00 00 00\n\n2100010001ff\nnonsense\n");
  write("nothing.hex", "");
  write(
    "dump.txt",
    "00000000: 2100 0100                                !...\n00000004: 0000                                     ..\n",
  );
}

function pings(encryption: "rc4" | "none" = "none", from = 1): MoulTalk {
  return ping(ping(new MoulTalk("auth", { encryption }).opens(), from), from + 1);
}

function gameTalk(): MoulTalk {
  return new MoulTalk("game", { encryption: "none" }).opens();
}

function hex(digits: string): Uint8Array {
  return Buffer.from(digits.replaceAll(" ", ""), "hex");
}

/** Packets without a link layer as a capture, a tenth of a second between them. */
function capture(packets: readonly Uint8Array[]): Uint8Array {
  return pcapFile(recordsOf(packets), { linkType: RAW });
}

/** @param first tenths of a second before the first one. */
function recordsOf(packets: readonly Uint8Array[], first = 0) {
  return packets.map((data, index) => ({ data, time: BEGIN + BigInt(Math.round((first + index) * 100_000_000)) }));
}
