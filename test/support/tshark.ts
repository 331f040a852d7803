import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** The version line of tshark, or undefined if it is not installed. */
export const tsharkVersion: string | undefined = spawnSync("tshark", ["--version"], { encoding: "utf8" }).stdout?.split(
  "\n",
)[0];

/** The severity of notes, the second lowest, above chat (Wireshark's PI_NOTE). */
const NOTE = 0x400000;

/** Fields that say to which conversations a packet belongs, and what is odd about it. */
const STREAMS = ["tcp.stream", "udp.stream"];
const EXPERTISE = ["frame.number", "_ws.expert.severity", "_ws.expert.message"];
/** Separates several values of a field. */
const SEPARATOR = "|";
/** Stands before and after the bytes of each conversation. */
const PAGE = /^=+$/m;

const CRITICALLY = [
  ...["ip", "tcp", "udp"].flatMap((protocol) => ["-o", `${protocol}.check_checksum:TRUE`]),
  // Claims the payload of any connection in which two bytes happen to fit.
  ...["--disable-protocol", "tcpencap"],
];

/** A conversation: for each sender ("address:port") the bytes that it sent, in hexadecimal. */
export type Sent = Readonly<Record<string, string>>;

/** The contents of a capture. */
export interface CaptureView {
  readonly packets: number;
  /** Packets that belong to a TCP conversation, whatever they contain. */
  readonly inTcp: number;
  readonly inUdp: number;
  /** Conversations in the order of their first packets. */
  readonly tcp: readonly Sent[];
  readonly udp: readonly Sent[];
}

/**
 * What tshark finds in a capture.
 * @param tcp least number of TCP conversations to request, and `udp` of UDP ones: tshark has to know it before it
 * reads.
 */
export async function tsharkView(path: string, tcp: number, udp: number): Promise<CaptureView> {
  const output = await tshark(
    path,
    ...fields("frame.number", ...STREAMS),
    ...follow("tcp", tcp),
    ...follow("udp", udp),
  );
  return viewOf(output, (row) => row.slice(1));
}

/** What tshark finds in a capture, as in `tsharkView`, and what it finds odd, as in `tsharkComplaints`. */
export async function tsharkReport(path: string, tcp: number, udp: number) {
  const followed = [...follow("tcp", tcp), ...follow("udp", udp)];
  const output = await tshark(path, ...CRITICALLY, ...fields(...EXPERTISE, ...STREAMS), ...followed);
  const [table = ""] = output.split(PAGE);
  return { view: viewOf(output, (row) => row.slice(EXPERTISE.length)), complaints: complaintsIn(table) };
}

/** @param streamsOf the numbers of the TCP and UDP streams in a row of the table */
function viewOf(output: string, streamsOf: (row: readonly string[]) => readonly string[]): CaptureView {
  const [table = "", ...pages] = output.split(PAGE);
  // Of tunnels, the innermost conversation.
  const innermost = (numbers: string) => numbers.split(SEPARATOR).at(-1) ?? "";
  const rows = table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => streamsOf(line.split("\t")).map(innermost));
  const inTcp = rows.flatMap(([stream = ""]) => (stream === "" ? [] : [Number(stream)]));
  const inUdp = rows.flatMap(([other = "", stream = ""]) => (other !== "" || stream === "" ? [] : [Number(stream)]));
  const sent = (transport: string, numbers: readonly number[]): Sent[] =>
    [...new Set(numbers)]
      .sort((a, b) => a - b)
      .map((number) => {
        const page = pages.find((candidate) => candidate.includes(`Filter: ${transport}.stream eq ${number}\n`));
        if (page === undefined) throw new Error(`tshark has more conversations: ${transport} ${number}`);
        return sentOf(page);
      });
  return {
    packets: rows.length,
    inTcp: inTcp.length,
    inUdp: inUdp.length,
    tcp: sent("tcp", inTcp),
    udp: sent("udp", inUdp),
  };
}

function fields(...names: readonly string[]): string[] {
  return ["-T", "fields", "-E", `aggregator=${SEPARATOR}`, ...names.flatMap((name) => ["-e", name])];
}

function follow(transport: "tcp" | "udp", count: number): string[] {
  return Array.from({ length: count }, (_, number) => ["-z", `follow,${transport},raw,${number}`]).flat();
}

/** Reads the page of one conversation: what the second end sent is indented. */
function sentOf(page: string): Sent {
  const ends = [...page.matchAll(/^Node [01]: (.*)$/gm)].map((match) => match[1] ?? "");
  const lines = page.split("\n").filter((line) => /^\t?[0-9a-f]+$/.test(line));
  const sent = ends.map((end, index): [string, string] => {
    const own = lines.filter((line) => line.startsWith("\t") === (index === 1));
    return [end, own.map((line) => line.trim()).join("")];
  });
  return Object.fromEntries(sent.filter(([, hex]) => hex !== ""));
}

async function tshark(path: string, ...options: readonly string[]): Promise<string> {
  // Its own configuration only: host names would replace addresses.
  const { stdout } = await promisify(execFile)("tshark", ["-n", "-r", path, ...options], { maxBuffer: 1 << 28 });
  return stdout;
}

/** tshark's remarks on the end of every connection. */
const ORDINARY = /^Connection (finish|reset)|^This frame (initiates|undergoes) the connection closing/;

/**
 * What tshark finds odd in a capture, with checksums verified: "frame: what", from notes up; malformed protocols as
 * well.
 */
export async function tsharkComplaints(path: string): Promise<readonly string[]> {
  return complaintsIn(await tshark(path, ...CRITICALLY, "-Y", "_ws.expert", ...fields(...EXPERTISE)));
}

function complaintsIn(table: string): string[] {
  return table.split("\n").flatMap((line) => {
    const [frame = "", severities = "", messages = ""] = line.split("\t");
    const severity = severities.split(SEPARATOR).map(Number);
    const odd = messages.split(SEPARATOR).filter((text, at) => (severity[at] ?? 0) >= NOTE && !ORDINARY.test(text));
    return odd.map((message) => `${frame}: ${message}`);
  });
}
