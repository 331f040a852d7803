import { describe, expect, it } from "vitest";
import { defaultLimits, isLimitName, type LimitName, limitFacts, limitNames } from "../../src/limits.js";
import { run } from "../support/command-line.js";
import { captureScenarios } from "./capture.js";
import { dissectScenarios } from "./dissect.js";
import { exportScenarios } from "./export.js";
import { networkScenarios } from "./network.js";
import { captured, ran, type Scenario, talk } from "./scenario.js";
import { schemaScenarios } from "./schema.js";
import { sessionScenarios } from "./session.js";
import { stateScenarios } from "./state.js";
import { summaryScenarios } from "./summaries.js";

/** Each limit takes effect in one of these scenarios; what it affects is reported, and the rest continues. */
const scenarios: Readonly<Record<LimitName, Scenario>> = {
  ...captureScenarios,
  ...networkScenarios,
  ...sessionScenarios,
  ...schemaScenarios,
  ...dissectScenarios,
  ...exportScenarios,
  ...stateScenarios,
  ...summaryScenarios,
};

describe("each limit", () => {
  it("has a scenario", () => {
    expect(Object.keys(scenarios).sort()).toEqual([...limitNames].sort());
  });

  it("has a value that is a whole number, and a unit", () => {
    for (const name of limitNames) {
      const { value, unit } = limitFacts[name];
      expect(Number.isSafeInteger(value) && value > 0, name).toBe(true);
      expect(unit, name).toMatch(/^[a-z]+$/);
    }
  });
});

describe.each(Object.entries(scenarios))("%s", (name, { value, observe, limited, otherwise }) => {
  it("takes effect if it is small", async () => {
    if (!isLimitName(name)) throw new Error(`${name} is no limit`);
    expect(await observe({ [name]: value })).toEqual(limited);
  });

  it("has no effect by default", async () => {
    if (!isLimitName(name)) throw new Error(`${name} is no limit`);
    expect(await observe({})).toEqual(otherwise);
    expect(await observe({ [name]: defaultLimits[name] })).toEqual(otherwise);
  });
});

describe("what no message can report", () => {
  const [one, two] = [talk(1), talk(2)];
  const capture = captured([...one.handshake(), ...two.handshake(), one.fin(0)]);
  const remark =
    "moul-dissect: the limit conversations=1 was reached 2 times, so some data was skipped; " +
    "--limit conversations=N changes it\n";

  it.each([["stats"], ["streams"], ["follow", "--stream", "0"], []])("is reported by %s %s", async (...args) => {
    expect((await ran(capture, { conversations: 1 }, ...args)).stderr).toContain(remark);
    expect((await ran(capture, { conversations: 1 }, ...args, "--quiet")).stderr).not.toContain("conversations=N");
    expect((await ran(capture, {}, ...args)).stderr).not.toContain("conversations=N");
  });

  it("is part of the statistics", async () => {
    const { stdout } = await ran(capture, { conversations: 1 }, "stats", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ limits: { conversations: 2 } });
  });
});

describe("--limit", () => {
  it("accepts every limit", async () => {
    for (const name of limitNames) {
      const { code } = await run(["decode", "plUoid", "00", "--limit", `${name}=${defaultLimits[name]}`]);
      expect(code, name).toBe(0);
    }
  });

  it("lists all limits for an unknown name, with their values and reasons", async () => {
    const { code, stderr } = await run(["decode", "plUoid", "00", "--limit", "size=1"]);
    expect(code).toBe(1);
    for (const name of limitNames) {
      const { value, unit, doc } = limitFacts[name];
      const one = value === 1 ? unit.slice(0, -1) : unit;
      expect(stderr).toMatch(new RegExp(`^  ${name} +${value} ${one}\\. `, "m"));
      expect(stderr).toContain(doc);
    }
  });

  it.each([
    "nodes",
    "nodes=",
    "nodes=0",
    "nodes=-1",
    "nodes=1.5",
    "nodes=1e3",
    "nodes=x",
    "nodes=2147483648",
    "nodes=5=6",
  ])("refuses %s", async (text) => {
    const { code, stderr } = await run(["decode", "plUoid", "00", "--limit", text]);
    expect(code).toBe(1);
    expect(stderr).toContain("It must be nodes=N, with N from 1 to 2147483647 nodes.");
  });

  it("refuses more levels than the stack has room for", async () => {
    expect((await run(["decode", "plUoid", "00", "--limit", "depth=501"])).stderr).toContain(
      "It must be depth=N, with N from 1 to 500 levels.",
    );
    expect((await run(["decode", "plUoid", "00", "--limit", "depth=500"])).stderr).not.toContain("depth=N");
  });

  it("may be repeated, and the last value for a name counts", async () => {
    const limits = ["--limit", "depth=1", "--limit", "nodes=3", "--limit", "depth=64"];
    const { stdout } = await run(["decode", "plUoid", "00".repeat(30), ...limits]);
    expect(stdout).not.toContain("levels");
  });
});
