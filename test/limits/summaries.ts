import type { Limits } from "../../src/limits.js";
import { jsonLines, run } from "../support/command-line.js";
import { udpPacket } from "../support/packets.js";
import { sample } from "../support/samples.js";
import { captured, ends, limitArguments, ran, type Scenario, talk } from "./scenario.js";

interface Counts {
  readonly messages: { readonly count: number };
  readonly types: readonly { readonly message: string; readonly count: number }[];
  readonly hierarchy: readonly { readonly name: string; readonly messages?: number }[];
  readonly latencies: readonly { readonly request: string; readonly count: number }[];
}

async function counted(capture: string, limits: Partial<Limits>): Promise<Counts> {
  const { stdout } = await run(["stats", sample(capture), "--json", ...limitArguments(limits)]);
  return JSON.parse(stdout);
}

const sumOf = (list: readonly { readonly count: number }[]) => list.reduce((sum, { count }) => sum + count, 0);

interface StreamLine {
  readonly stream: number;
  readonly c2s: { readonly gaps: readonly unknown[] };
}

function streamsIn(stdout: string): StreamLine[] {
  return jsonLines(stdout);
}

export const summaryScenarios = {
  countedKeys: {
    value: 1,
    observe: async (limits) => {
      const { messages, types, hierarchy } = await counted("bz0221-glclient.pcap", limits);
      const others = [...types.map(({ message }) => message), ...hierarchy.map(({ name }) => name)].filter(
        (name) => name === "(others)",
      );
      const byTransport = hierarchy.filter(({ name }) => name === "tcp" || name === "udp");
      const sums = byTransport.map(({ name, messages }) => `${name} ${messages}`);
      return {
        types: types.length > 2 ? "many" : types.length,
        others: others.length,
        all: sumOf(types) === messages.count,
        sums,
      };
    },
    limited: { types: 2, others: 2, all: true, sums: ["tcp 1634", "udp 460"] },
    otherwise: { types: "many", others: 0, all: true, sums: ["tcp 1634", "udp 460"] },
  },
  timedRequests: {
    value: 2,
    observe: async (limits) => {
      const { latencies } = await counted("dirtsand-plain.pcap", limits);
      return { others: latencies.filter(({ request }) => request === "(others)").length, answers: sumOf(latencies) };
    },
    limited: { others: 1, answers: 136 },
    otherwise: { others: 0, answers: 136 },
  },
  sortedStreams: {
    value: 1,
    observe: async (limits) => {
      const [one, two] = [talk(1), talk(2)];
      const packets = [...one.handshake(), ...two.handshake(), two.fin(0), two.fin(1), two.ack(0)];
      packets.push(one.fin(0), one.fin(1), one.ack(0));
      const { stdout } = await ran(captured(packets), limits, "streams", "--json");
      return streamsIn(stdout).map(({ stream }) => stream);
    },
    limited: [1, 0],
    otherwise: [0, 1],
  },
  listedGaps: {
    value: 1,
    observe: async (limits) => {
      const packets = Array.from({ length: 3 }, () => udpPacket(ends(), new Uint8Array(50)));
      const { stdout, stderr } = await ran(captured(packets, { snapLength: 60 }), limits, "streams", "--json");
      return { gaps: streamsIn(stdout).map(({ c2s }) => c2s.gaps.length), stderr };
    },
    limited: {
      gaps: [1],
      stderr: "moul-dissect: stream 0 has 3 gaps in one direction; only the first is listed\n",
    },
    otherwise: { gaps: [3], stderr: "" },
  },
} satisfies Partial<Record<keyof Limits, Scenario>>;
