import { describe, expect, it } from "vitest";
import type { NodeEvent } from "../../src/dissector/state-event.js";
import { defaultLimits } from "../../src/limits.js";
import { graphText, nodeLine } from "../../src/output/state/vault.js";
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

describe("the line of a node", () => {
  const graph = new NodeGraph(defaultLimits);
  const say = (number: number, change: NodeEvent["change"], fields?: NodeEvent["fields"]) =>
    graph.takeNode({ kind: "node", change, id: "7", type: "Folder", fields }, { ...at, number });
  const line = () => {
    const node = graph.get("7");
    return node && JSON.parse(nodeLine(graph, node));
  };

  it("has the numbers of the messages that show it, create it, change it and delete it", () => {
    graph.takeEdge({ kind: "edge", change: "seen", parent: "1", child: "7" }, at);
    const unseen = {
      schema: "moul-dissect.vault-node/1",
      nodeId: 7,
      type: null,
      seen: [],
      created: null,
      parents: [1],
    };
    expect(line()).toMatchObject({ ...unseen, complete: false });
    say(12, "created", { name: "x" });
    expect(line()).toMatchObject({
      type: "Folder",
      seen: [12],
      created: 12,
      changed: [],
      deleted: null,
      complete: true,
    });
    say(20, "changed");
    expect(line()).toMatchObject({ seen: [12], changed: [20], complete: false });
    say(40, "seen", { name: "y" });
    expect(line()).toMatchObject({ fields: { name: "y" }, seen: [12, 40], changed: [20, 40], complete: true });
    say(50, "seen", { name: "y" });
    expect(line()).toMatchObject({ seen: [12, 40, 50], changed: [20, 40] });
    say(60, "deleted");
    expect(line()).toMatchObject({ deleted: 60, parents: [] });
  });
});

it("several changes of a node at the same time are each confirmed, and are nobody else's", () => {
  const graph = new NodeGraph(defaultLimits);
  const say = (number: number, change: NodeEvent["change"], revision?: string) =>
    graph.takeNode({ kind: "node", change, id: "7", revision }, { ...at, number });
  const state = () => [graph.get("7")?.asked?.at.number, graph.get("7")?.staleSince?.number];
  say(1, "asked", "a");
  say(2, "asked", "b");
  // Servers tell of a change before they confirm it, or after that.
  say(3, "changed", "a");
  say(4, "saved", "a");
  expect(state()).toEqual([2, undefined]);
  say(5, "changed", "b");
  say(6, "refused", "b");
  expect(state()).toEqual([undefined, undefined]);
  say(7, "changed", "a");
  expect(state()).toEqual([undefined, undefined]);
  say(8, "changed", "somebody else's");
  expect(state()).toEqual([undefined, 8]);
});

it("ten changes of a node that are confirmed before anybody is told of them are nobody else's", () => {
  const graph = new NodeGraph(defaultLimits);
  const say = (change: NodeEvent["change"], revision: number) =>
    graph.takeNode({ kind: "node", change, id: "7", revision: String(revision) }, at);
  for (let revision = 1; revision <= 10; revision++)
    for (const change of ["asked", "saved"] as const) say(change, revision);
  for (let revision = 1; revision <= 10; revision++) say("changed", revision);
  expect(graph.get("7")?.staleSince).toBeUndefined();
});
