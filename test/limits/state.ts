import type { Limits } from "../../src/limits.js";
import { jsonLines, run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { limitArguments, type Scenario } from "./scenario.js";

async function lines(command: readonly string[], limits: Partial<Limits>) {
  const { stdout, stderr } = await run([...command, "--json", ...limitArguments(limits)]);
  return { found: jsonLines(stdout).length, isTold: stderr.includes("--limit") };
}

const capture = sample("dirtsand-session.pcap");

export const stateScenarios = {
  stateNodes: {
    value: 3,
    observe: (limits) => lines(["vault", capture], limits),
    limited: { found: 3, isTold: true },
    otherwise: { found: 68, isTold: false },
  },
  transferBytes: {
    value: 100,
    observe: (limits) => lines(["objects", capture, "--list"], limits),
    limited: { found: 8, isTold: true },
    otherwise: { found: 8, isTold: false },
  },
} satisfies Readonly<Record<string, Scenario>>;
