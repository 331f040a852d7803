import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/program.js";
import { widthOf } from "../../src/output/writers/text-width.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { sample } from "../support/samples.js";

const DIAGRAM = ["--format", "diagram"];

async function linesOf(name: string, ...args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(["players", sample(name), ...DIAGRAM, ...args]);
  return stdout.trimEnd().split("\n");
}

describe("players --format diagram", () => {
  it("has an arrow for each request and each answer, to the lane of its server and back", async () => {
    const lines = await linesOf("dirtsand-session.pcap", "--player", "10186");
    expect(lines.slice(0, 2)).toEqual(["Böb (10186)", "              client   auth     game"]);
    expect(lines).toContain("    1.470788  |------->|        |  #178 register");
    expect(lines).toContain("    2.034135  |<----------------|  #345 done");
  });

  it("breaks the arrow of a refusal, and says what was not answered, or not asked for", async () => {
    expect(await linesOf("dirtsand-session.pcap")).toContain(
      "    1.321764  |<- - - -|        |  #72 kNetErrAuthenticationFailed",
    );
    expect(await linesOf("bz107e-reject.pcap")).toContain("    5.265855  |<- - - -|  #71 connect: refused");
  });

  it("follows the order of messages", async () => {
    const numbers = (await linesOf("nagus-session.pcap", "--player", "134")).flatMap(
      (line) => /#(\d+)/.exec(line)?.[1] ?? [],
    );
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual([...numbers].sort((one, other) => Number(one) - Number(other)));
  });

  it.each([60, 80, 120])("fits a terminal of %d columns", async (columns) => {
    for (const name of ["dirtsand-session.pcap", "nagus-session.pcap", "bz107e-relay.pcap"]) {
      const [stdout, stderr] = [new FakeTerminal(columns), new FakeTerminal(columns)];
      await main(["players", sample(name), ...DIAGRAM, "--color", "never"], { stdout, stderr, env: {} });
      expect(stdout.text.split("\n").filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(stdout.text).toContain("client");
    }
  });
});

it("players show who asked for an age, also in the way of newer clients", async () => {
  const { stdout } = await run(["players", sample("dirtsand-session.pcap")]);
  expect(stdout).toMatch(/ask for an age Neighborhood The Test Hood: done #304, #305\n/);
  expect(stdout).toMatch(/ask for an age Neighborhood The Test Hood: done #336, #338\n/);
});
