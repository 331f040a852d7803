import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SharkdStream } from "./sharkd.js";

/**
 * Follows many TCP streams of a capture in one pass: sharkd takes a pass for each.
 * @returns the streams in the order of their numbers; undefined if tshark's answer is not understood.
 */
export async function followAll(path: string, streams: readonly number[]): Promise<SharkdStream[] | undefined> {
  const taps = streams.flatMap((stream) => ["-z", `follow,tcp,yaml,${stream}`]);
  const env = { ...process.env, WIRESHARK_CONFIG_DIR: "/nonexistent" };
  const { stdout } = await promisify(execFile)("tshark", ["-n", "-q", "-r", path, ...taps], {
    env,
    maxBuffer: 1 << 30,
    timeout: 300_000,
  });
  // The last one requested is the first one answered.
  const pages = stdout
    .split(/^peers:\n/m)
    .slice(1)
    .reverse();
  return pages.length === streams.length ? pages.map(streamIn) : undefined;
}

function streamIn(page: string): SharkdStream {
  const hosts = [...page.matchAll(/^ {4}host: (.*)\n {4}port: (\d+)$/gm)];
  const [client, server] = [0, 1].map((peer) => ({
    address: hosts[peer]?.[1] ?? "",
    port: Number(hosts[peer]?.[2] ?? 0),
  }));
  const packets = page.split(/^ {2}- packet: /m).slice(1);
  const nobody = { address: "", port: 0 };
  return {
    client: client ?? nobody,
    server: server ?? nobody,
    parts: packets.map((text) => ({
      frame: Number.parseInt(text, 10),
      fromServer: /^ {4}peer: 1$/m.test(text),
      bytes: Buffer.from(text.slice(text.indexOf("!!binary |") + "!!binary |".length), "base64"),
    })),
  };
}
