import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { jsonLines, run, sampleKeys, uncheckedRun } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { sample } from "../support/samples.js";

async function output(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(["stats", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** The statistics of a sample. */
const statsOf = oncePerName(async (name) => JSON.parse(await output(sample(name), "--json")));

/** The milliseconds of the day in a time with microseconds. */
function milliseconds(time: string): number {
  const [, hours, minutes, seconds] = /T(\d\d):(\d\d):(\d\d\.\d+)Z$/.exec(time) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

describe("stats", () => {
  it("agree with the messages", async () => {
    const stats = await statsOf("dirtsand-session.pcap");
    // schema.slow.test.ts holds these lines against their schema.
    const { stdout } = await uncheckedRun([sample("dirtsand-session.pcap"), "--json"]);
    const messages = jsonLines(stdout);
    expect(stats.messages.count).toBe(messages.length);
    const sum = (rows: readonly { readonly count: number }[]) => rows.reduce((total, { count }) => total + count, 0);
    expect(sum(stats.types)).toBe(messages.length);
    expect(stats.timeline.messages.reduce((total: number, count: number) => total + count, 0)).toBe(messages.length);
    const failed = messages.filter(({ fields }) => fields.result !== undefined && fields.result !== "kNetSuccess");
    expect(sum(stats.errors)).toBe(failed.length);
    const unknown = messages.filter(({ status }) => status === "unknown");
    expect(stats.trouble.unknown.count).toBe(unknown.length);
    const fetches = messages.filter(({ message }) => message === "Cli2Auth_VaultNodeFetch");
    const latency = stats.latencies.find(
      ({ request }: { readonly request: string }) => request === "Cli2Auth_VaultNodeFetch",
    );
    expect(latency.count).toBe(fetches.length);
    const replies = messages.filter(({ message }) => message === "Auth2Cli_VaultNodeFetched");
    const times = fetches.map(({ stream, time, fields }) => {
      const isReply = (reply: { readonly stream: number; readonly fields: { readonly transactionId: number } }) =>
        reply.stream === stream && reply.fields.transactionId === fields.transactionId;
      return milliseconds(replies.find(isReply).time) - milliseconds(time);
    });
    times.sort((one, other) => one - other);
    expect(latency.min).toBeCloseTo(times[0] ?? 0, 6);
    expect(latency.max).toBeCloseTo(times.at(-1) ?? 0, 6);
    expect(latency.median).toBeGreaterThan(times[Math.floor(0.4 * times.length)] ?? 0);
    expect(latency.median).toBeLessThan(times[Math.floor(0.6 * times.length)] ?? 0);
  });

  it("count unanswered requests, but not among messages that pass a filter", async () => {
    const stats = await statsOf("dirtsand-session.pcap");
    expect(stats.unanswered).toEqual([
      { protocol: "moul.auth", request: "Cli2Auth_AcctExistsRequest", count: 1, numbers: [574] },
      { protocol: "moul.game", request: "Cli2Game_GameMgrMsg", count: 1, numbers: [479] },
    ]);
    expect(await output(sample("dirtsand-session.pcap"))).toMatch(
      /\nRequests without a reply\nrequest +count +message\nCli2Auth_AcctExistsRequest +1 +#574\nCli2Game_GameMgrMsg +1 +#479\n\n/,
    );
    const requests = [sample("dirtsand-session.pcap"), "-Y", 'direction == "c2s"'];
    expect(JSON.parse(await output(...requests, "--json")).unanswered).toBeNull();
    expect(await output(...requests)).not.toContain("without a reply");
  });

  it("list the most frequent errors first", async () => {
    const [, errors = ""] = (await output(sample("nagus-plain.pcap"))).split("\nErrors\n");
    const counts = Array.from(errors.split("\n\n", 1)[0]?.matchAll(/\d+$/gm) ?? [], Number);
    expect(counts).toEqual([3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("tell the same requests of two versions apart", async () => {
    const captures = [sample("bz107d-relay.pcap"), sample("bz107e-udp.pcap")];
    const { latencies } = JSON.parse(await output(...captures, "--json", "-q"));
    const entered = latencies.filter(({ request }: { readonly request: string }) => request === "MsgEnter");
    expect(entered).toEqual([
      expect.objectContaining({ protocol: "bzflag.107e", count: 2 }),
      expect.objectContaining({ protocol: "bzflag.107d", count: 2 }),
    ]);
  });

  it("count players who were refused", async () => {
    const [, errors = ""] = (await output(sample("bz107e-reject.pcap"))).split("\nErrors\n");
    expect(errors).toMatch(
      /^error +message +count\nRejectNoRogues +MsgReject +2\nRejectServerFull +MsgReject +2\nrefused +Hello +1\n/,
    );
  });

  it("know the requests that wait until the first reply shows that nothing is encrypted", async () => {
    const capture = fileURLToPath(new URL("../fixtures/captures/moss-none.pcap", import.meta.url));
    const { latencies, pings, unanswered } = JSON.parse(await output(capture, "--json"));
    expect(unanswered).toEqual([]);
    expect(pings).toContainEqual(
      expect.objectContaining({ protocol: "moul.game", request: "Cli2Game_PingRequest", count: 1 }),
    );
    const files = { protocol: "moul.gatekeeper", request: "Cli2GateKeeper_FileSrvIpAddressRequest", count: 1 };
    expect(latencies).toContainEqual(expect.objectContaining(files));
  });

  it("distinguish the transports of a protocol", async () => {
    const stats = JSON.parse(await output(sample("bz0221-glclient.pcap"), "--json"));
    const { stdout } = await run([sample("bz0221-glclient.pcap"), "--format", "fields", "-e", "transport"]);
    const transports = stdout.trimEnd().split("\n");
    const layers: { readonly depth: number; readonly name: string; readonly messages?: number }[] = stats.hierarchy;
    for (const [transport, messages] of [
      ["tcp", 1634],
      ["udp", 460],
    ] as const) {
      expect(transports.filter((name) => name === transport)).toHaveLength(messages);
      const at = layers.findIndex(({ name }) => name === transport);
      expect(layers[at]).toMatchObject({ depth: 1, messages });
      expect(layers[at + 1]).toMatchObject({ depth: 2, name: "bzflag.0221", messages });
    }
  });

  it("count the same number of packets of each protocol as streams", async () => {
    for (const capture of ["dirtsand-session.pcap", "bz107e-relay.pcap", "bz107e-udp.pcap", "nagus-plain.pcap"]) {
      const stats = await statsOf(capture);
      const { stdout } = await run(["streams", sample(capture), "--json"]);
      const expected = new Map<string, number>();
      for (const line of stdout.trim().split("\n")) {
        const { transport, protocol, c2s, s2c } = JSON.parse(line);
        for (const key of [transport, `${transport} ${protocol}`]) {
          expected.set(key, (expected.get(key) ?? 0) + c2s.packets + s2c.packets);
        }
      }
      const found = new Map<string, number>();
      let transport = "";
      for (const { depth, name, packets } of stats.hierarchy) {
        if (depth === 1) transport = name;
        if (depth > 0) found.set(depth === 1 ? name : `${transport} ${name}`, packets);
      }
      expect(found).toEqual(expected);
    }
  });

  it("count what could not be decrypted", async () => {
    const wrong = ["--keys", sampleKeys("nagus/nagus_config.ini")];
    const stats = JSON.parse(await output(sample("dirtsand-session.pcap"), "--json", ...wrong));
    // Two directions of each connection, except for the file server's, which is not encrypted.
    expect(stats.trouble.encrypted.count).toBe(16);
    const [packets, tcp] = stats.hierarchy;
    expect([packets.packets, tcp.bytes]).toEqual([862, 293_238]);
    expect(stats.trouble.encrypted.bytes + stats.messages.bytes).toBe(tcp.bytes);
  });

  it("count only messages that pass a filter, but all packets", async () => {
    const stats = JSON.parse(await output(sample("dirtsand-session.pcap"), "--json", "-Y", 'protocol == "moul.game"'));
    expect(new Set(stats.types.map(({ protocol }: { readonly protocol: string }) => protocol))).toEqual(
      new Set(["moul.game"]),
    );
    expect(stats.hierarchy[0]).toEqual({ depth: 0, name: "packets", packets: 862 });
    expect(stats.pings).toHaveLength(1);
  });

  it("are refused with a filter that makes no sense", async () => {
    const { code, stdout, stderr } = await run(["stats", sample("dirtsand-session.pcap"), "-Y", "resullt == 1"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("result");
  });

  it("give no name to the sum of the players beyond the limit", async () => {
    const limited = [sample("dirtsand-session.pcap"), "--limit", "countedKeys=1"];
    const { players } = JSON.parse(await output(...limited, "--json"));
    expect(players).toMatchObject([
      { id: "10124", name: "Alice of D'ni" },
      { id: "(others)", name: null },
    ]);
    const text = await output(...limited);
    expect(text).toMatch(/\nPlayers\nkind +KI number {2}name /);
    expect(text).toMatch(/^\(others\) \(others\) +\(others\) +58 +70 /m);
    expect(text).not.toContain("Böb");
  });

  it("have no colours in a pipe, unless they are requested", async () => {
    const sequence = "\u001b[";
    expect(await output(sample("nagus-plain.pcap"))).not.toContain(sequence);
    expect(await output(sample("nagus-plain.pcap"), "--color", "always")).toContain(sequence);
  });

  it("cover other protocols as far as they go", async () => {
    const text = await output(sample("bz107e-relay.pcap"));
    expect(text).toMatch(/^ {4}bzflag\.107e +1093 +7 /m);
    expect(text).not.toContain("KI number");
  });

  it("end at Ctrl-C with what was summed up so far", async () => {
    const captures = Array.from({ length: 40 }, () => sample("dirtsand-session.pcap"));
    const running = run(["stats", "--json", ...captures]);
    const before = process.listenerCount("SIGINT");
    while (process.listenerCount("SIGINT") === before) await new Promise((resolve) => setImmediate(resolve));
    process.emit("SIGINT");
    const { code, stdout } = await running;
    expect(code).toBe(0);
    const stats = JSON.parse(stdout);
    expect(stats.complete).toBe(false);
    expect(stats.messages.count).toBeLessThan(40 * 574);
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});
