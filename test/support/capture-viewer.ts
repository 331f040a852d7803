import { spawnSync } from "node:child_process";
import { endpointText, normalAddress } from "../../src/network/address.js";
import { Sharkd, type SharkdFrame } from "../foreign/sharkd.js";
import { type CaptureView, type Sent, tsharkView } from "./tshark.js";

const isInstalled = spawnSync("sharkd", ["--version"]).status === 0;

/**
 * tshark for many captures, one after the other: as one process where sharkd, which comes with it, is installed; else
 * as a process for each.
 */
export class CaptureViewer {
  readonly #sharkd = isInstalled ? new Sharkd() : undefined;

  /** As `tsharkView`. */
  async view(path: string, tcp: number, udp: number): Promise<CaptureView> {
    const sharkd = this.#sharkd;
    if (sharkd === undefined) return tsharkView(path, tcp, udp);
    if (!(await sharkd.load(path))) throw new Error(`${path} is no capture`);
    const frames = await sharkd.frames(["tcp.stream", "udp.stream"]);
    const inTcp = frames.flatMap((frame) => streamOf(frame, 0) ?? []);
    const inUdp = frames.flatMap((frame) => (streamOf(frame, 0) === undefined ? (streamOf(frame, 1) ?? []) : []));
    return {
      packets: frames.length,
      inTcp: inTcp.length,
      inUdp: inUdp.length,
      tcp: await sentIn(sharkd, "tcp", inTcp),
      udp: await sentIn(sharkd, "udp", inUdp),
    };
  }

  stop(): void {
    this.#sharkd?.stop();
  }
}

/** The number in a field of a packet: in tunnels, that of the innermost conversation. */
function streamOf({ fields }: SharkdFrame, index: number): number | undefined {
  const innermost = fields[index]?.at(-1);
  return innermost === undefined ? undefined : Number(innermost);
}

async function sentIn(sharkd: Sharkd, transport: "tcp" | "udp", streams: readonly number[]): Promise<Sent[]> {
  const all: Sent[] = [];
  for (const stream of [...new Set(streams)].sort((a, b) => a - b)) {
    const followed = await sharkd.follow(stream, transport);
    const sent: Record<string, string> = {};
    for (const { fromServer, bytes } of followed?.parts ?? []) {
      const { address, port } = (fromServer ? followed?.server : followed?.client) ?? { address: "", port: 0 };
      const end = endpointText({ address: normalAddress(address) ?? address, port });
      if (bytes.length > 0) sent[end] = (sent[end] ?? "") + bytes.toString("hex");
    }
    all.push(sent);
  }
  return all;
}
