import type { Message } from "../../index.js";
import type { Limits } from "../../limits.js";
import type { NodeDifference } from "../../output/state/vault.js";
import { type GraphNode, NodeGraph } from "../../state/node-graph.js";
import { untilMoment } from "../options/moment.js";

/** Moments of a vault, as the user names them. */
export interface VaultMoments {
  /** What is changed since then is wanted; undefined if nobody asks. */
  readonly first: string | undefined;
  /** The vault is read up to then; undefined for the end. */
  readonly last: string | undefined;
}

/** The vault up to a moment, and what is different from an earlier one. */
export class VaultReading {
  readonly graph: NodeGraph;
  readonly #until: ((message: Message) => boolean) | undefined;
  readonly #beginning: ((message: Message) => boolean) | undefined;
  /** Nodes as they were at the first moment, by id. */
  readonly #before = new Map<string, string>();
  #isBefore: boolean;
  #isReversed = false;

  constructor(limits: Limits, { first, last }: VaultMoments) {
    this.graph = new NodeGraph(limits);
    this.#until = last === undefined ? undefined : untilMoment(last);
    this.#beginning = first === undefined ? undefined : untilMoment(first);
    this.#isBefore = first !== undefined;
  }

  /** True if the last moment is before the first one. */
  get isReversed(): boolean {
    return this.#isReversed;
  }

  /** Takes the next message, before what it says about nodes; false if that is after the last moment. */
  message(message: Message): boolean {
    if (this.#isBefore && this.#beginning?.(message) === false) this.#keepState();
    const goesOn = this.#until === undefined || this.#until(message);
    // Nothing would differ, whatever happened in between.
    if (!goesOn && this.#isBefore) this.#isReversed = true;
    return goesOn;
  }

  /** Takes the end of what was read: the first moment may be no earlier. */
  end(): void {
    if (this.#isBefore) this.#keepState();
  }

  /** The nodes that are not as they were at the first moment. */
  differences(): [GraphNode, NodeDifference][] {
    const found: [GraphNode, NodeDifference][] = [];
    for (const node of this.graph.nodes.values()) {
      const earlier = this.#before.get(node.id);
      if (earlier === undefined) found.push([node, "added"]);
      else if (stateOf(this.graph, node) !== earlier) found.push([node, node.isDeleted ? "removed" : "changed"]);
    }
    return found;
  }

  #keepState(): void {
    for (const node of this.graph.nodes.values()) this.#before.set(node.id, stateOf(this.graph, node));
    this.#isBefore = false;
  }
}

/** All that counts as a difference, as a text. */
function stateOf(graph: NodeGraph, { id, fields, isDeleted, isSeen }: GraphNode): string {
  return JSON.stringify([isSeen && !isDeleted, [...fields], graph.childrenOf(id)]);
}
