import type { GraphNode, NodeGraph } from "../../state/node-graph.js";

/** All nodes below some, each once. */
export function below(graph: NodeGraph, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set(roots);
  // Iterating over a set includes what is added to it on the way.
  for (const id of found) for (const child of graph.childrenOf(id)) found.add(child);
  return found;
}

/** The nodes of a player, by number or name. */
export function playersIn(graph: NodeGraph, wanted: string): string[] {
  const name = wanted.toLowerCase();
  const isWanted = (node: GraphNode) => node.id === wanted || (isPlayer(node) && node.title.toLowerCase() === name);
  return [...graph.nodes.values()].filter(isWanted).map(({ id }) => id);
}

/** Names by which nodes of players are found: the title of another node begins with its type. */
export function playerNames(graph: NodeGraph): string[] {
  const players = [...graph.nodes.values()].filter((node) => isPlayer(node) && !node.title.startsWith(node.type));
  return players.map(({ title }) => title);
}

/** True for the node of a player, or one about a player; not for a list of players. */
function isPlayer({ type }: GraphNode): boolean {
  return type.includes("Player") && !type.endsWith("List");
}
