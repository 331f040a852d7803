import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { graphText } from "../../src/output/state/vault.js";
import { colorless } from "../../src/output/text/palette.js";
import { NodeGraph } from "../../src/state/node-graph.js";

const at = { number: 1, origin: { frame: 1, seconds: 0, nanoseconds: 0 }, stream: 0 };

function graphOf(edges: Iterable<readonly [parent: number, child: number]>, limits = defaultLimits): NodeGraph {
  const graph = new NodeGraph(limits);
  for (const [parent, child] of edges) {
    graph.takeEdge({ kind: "edge", change: "seen", parent: String(parent), child: String(child) }, at);
  }
  return graph;
}

describe("a vault that nobody would have", () => {
  it("of a million nodes is remembered up to a limit, and the rest counted", () => {
    const graph = new NodeGraph({ stateNodes: 1000 });
    for (let id = 1; id <= 1_000_000; id++) graph.takeNode({ kind: "node", change: "seen", id: String(id) }, at);
    expect([graph.nodes.size, graph.leftOut]).toEqual([1000, 999_000]);
  });

  it("of circles has each node, and an end", () => {
    const circles = graphOf([
      [1, 1],
      [2, 3],
      [3, 4],
      [4, 2],
      [5, 3],
    ]);
    expect(circles.roots()).toEqual(["5", "1"]);
    const lines = graphText(circles, circles.roots(), colorless).trimEnd().split("\n");
    expect(lines.length).toBeLessThan(10);
    for (const id of ["1", "2", "3", "4", "5"]) expect(lines.some((line) => line.trim().startsWith(id))).toBe(true);
  });

  it("of a chain is cut where nobody would read on, which is shown", () => {
    const long = 100_000;
    const chain = graphOf(Array.from({ length: long }, (_, index) => [index + 1, index + 2] as const));
    const lines = graphText(chain, ["1"], colorless).trimEnd().split("\n");
    expect(lines.length).toBe(65);
    expect(lines.at(-1)).toMatch(/^ {128}65 \[never shown\] \(…\)$/);
  });
});
