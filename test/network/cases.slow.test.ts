import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { dissectCaptures, type RunResult } from "../../src/index.js";
import type { Conversation } from "../../src/network/conversation.js";
import { pcapFile } from "../support/captures.js";
import { inFile } from "../support/in-file.js";
import { concat, numbers } from "../support/packets.js";
import { openSample, sample } from "../support/samples.js";

/** Captures that once went wrong, and what is right. */

const FOLDER = join(import.meta.dirname, "../fixtures/cases");

interface Seen {
  readonly messages: readonly string[];
  readonly conversations: number;
  readonly missing: number;
  readonly unanswered: number;
  readonly run: RunResult;
}

async function seen(path: string, keys: readonly string[] = []): Promise<Seen> {
  const messages: string[] = [];
  const conversations = new Set<Conversation>();
  let missing = 0;
  let unanswered = 0;
  const network = {
    opened: (conversation: Conversation) => void conversations.add(conversation),
    gap: (_conversation: Conversation, _direction: string, length: number) => {
      missing += length;
    },
  };
  const run = await dissectCaptures([path], { keys, network }, ({ name, nodes }) => {
    messages.push(name);
    if (nodes?.context?.asks !== undefined) unanswered++;
    if (nodes?.context?.answers !== undefined) unanswered--;
  });
  return { messages, conversations: conversations.size, missing, unanswered, run };
}

const GATEKEEPER = [
  "Cli2GateKeeper_Connect",
  "Cli2Srv_Connect",
  "Srv2Cli_Encrypt",
  "Cli2GateKeeper_PingRequest",
  "GateKeeper2Cli_PingReply",
  "Cli2GateKeeper_FileSrvIpAddressRequest",
  "GateKeeper2Cli_FileSrvIpAddressReply",
  "Cli2GateKeeper_FileSrvIpAddressRequest",
  "GateKeeper2Cli_FileSrvIpAddressReply",
  "Cli2GateKeeper_AuthSrvIpAddressRequest",
  "GateKeeper2Cli_AuthSrvIpAddressReply",
];

test.each([
  "v1_synack2.pcap",
  "v1_synack2_enc.pcap",
  "x1_syn_mid.pcap",
  "x1_syn_mid_enc.pcap",
  "u2_rst_ignored_s.pcap",
  "u3_fin_ignored.pcap",
  "r1_reply_first.pcap",
  "b4_tzsp.pcap",
  "a5_unpadded_total.pcapng",
])("%s has all eleven messages in one conversation, each request with its reply", async (name) => {
  const keys = name.includes("_enc") ? [sample("keys/dirtsand/dirtsand.ini")] : [];
  const { messages, conversations, missing, unanswered, run } = await seen(join(FOLDER, name), keys);
  expect(messages).toEqual(GATEKEEPER);
  expect({ conversations, missing, unanswered, unaccepted: run.packets.unaccepted.bytes }).toEqual({
    conversations: 1,
    missing: 0,
    unanswered: 0,
    unaccepted: 0,
  });
});

/** The frames of a recorded session, which are Ethernet, with their times. */
async function framesOf(name: string) {
  const records: { data: Uint8Array; time: bigint }[] = [];
  await readCapture(openSample(name), name, {
    packet: ({ data, seconds, nanoseconds }) =>
      records.push({ data: data.slice(), time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) }),
    problem: () => {},
  });
  return records;
}

type Frame = Awaited<ReturnType<typeof framesOf>>[number];

const SERVER_PORT = 14617;
const view = ({ data }: Frame) => new DataView(data.buffer, data.byteOffset, data.byteLength);
const isFromServer = (frame: Frame) => view(frame).getUint16(34) === SERVER_PORT;

/** Before the first SYN-ACK, an RST that claims to refuse the SYN. */
function forgedReset(frames: readonly Frame[]): Frame[] {
  const at = frames.findIndex((frame) => frame.data[47] === 0x12);
  const synAck = frames[at];
  if (synAck === undefined) throw new Error("there is no SYN-ACK");
  const rst = { ...synAck, data: synAck.data.slice() };
  view(rst).setUint32(38, 0);
  rst.data[47] = 0x14;
  return frames.toSpliced(at, 0, rst);
}

function tagged(frame: Frame): Frame {
  const { data } = frame;
  return { ...frame, data: concat(data.subarray(0, 12), numbers([2, 0x8100], [2, 5]), data.subarray(12)) };
}

/** In PPPoE, with padding behind that the inner length does not tell. */
function inPppoe(frame: Frame): Frame {
  const ip = frame.data.subarray(14);
  const header = numbers([2, 0x8864], [1, 0x11], [1, 0], [2, 7], [2, ip.length + 2], [2, 0x0021]);
  return { ...frame, data: concat(frame.data.subarray(0, 12), header, ip, new Uint8Array(6)) };
}

describe.each(["dirtsand-session", "nagus-session"])("%s.pcap", (name) => {
  const keys = [sample(`${name}.keys`)];

  test.each<readonly [string, (frames: readonly Frame[]) => Frame[]]>([
    ["with a forged RST before a SYN-ACK", forgedReset],
    [
      "with a VLAN tag in one direction",
      (frames) => frames.map((frame) => (isFromServer(frame) ? tagged(frame) : frame)),
    ],
    ["in PPPoE with padding", (frames) => frames.map(inPppoe)],
    ["recorded on a tagged interface and its parent", (frames) => frames.flatMap((frame) => [tagged(frame), frame])],
  ])("has all its messages %s", async (_title, change) => {
    const whole = await seen(sample(`${name}.pcap`), keys);
    const file = pcapFile(change(await framesOf(`${name}.pcap`)), { linkType: 1, nanoseconds: true });
    const changed = await inFile(file, (path) => seen(path, keys));
    expect(changed.messages).toEqual(whole.messages);
    expect(changed).toMatchObject({ conversations: whole.conversations, missing: whole.missing });
  });
});

test("datagrams of a session that were recorded twice are counted once", async () => {
  const frames = await framesOf("bz107e-udp.pcap");
  const file = pcapFile(
    frames.flatMap((frame) => [frame, { ...frame, time: frame.time + 15_000n }]),
    { linkType: 1, nanoseconds: true },
  );
  const whole = await seen(sample("bz107e-udp.pcap"));
  const twice = await inFile(file, (path) => seen(path));
  expect(twice.messages).toEqual(whole.messages);
  expect(twice.run.packets.others.get("UDP datagram recorded twice")).toBe(whole.run.packets.udp);
});
