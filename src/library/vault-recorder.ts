import type { NodeLine, NodeRecording } from "../check/index.js";
import type { Message } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import type { Limits } from "../limits.js";
import { referencesOf } from "../output/state/vault.js";
import { momentOf } from "../state/moment.js";
import { type GraphNode, NodeGraph } from "../state/node-graph.js";
import { StateEvents } from "../state/state-events.js";

/** Gathers what the vault becomes in a recording, to be compared. */
export class VaultRecorder {
  readonly #events: StateEvents;
  readonly #graph: NodeGraph;

  constructor(dissectors: readonly Dissector[], limits: Pick<Limits, "stateNodes">) {
    this.#events = new StateEvents(dissectors);
    this.#graph = new NodeGraph(limits);
  }

  /** How many nodes were left out because there are too many. */
  get leftOut(): number {
    return this.#graph.leftOut;
  }

  /** Must be given all messages, in order. */
  take(message: Message): void {
    for (const event of this.#events.of(message)) {
      if (event.kind === "node") this.#graph.takeNode(event, momentOf(message));
      else if (event.kind === "edge") this.#graph.takeEdge(event, momentOf(message));
    }
  }

  /** Adds what the vault is by now. */
  addTo(recording: NodeRecording): void {
    for (const node of this.#graph.nodes.values()) recording.add(lineOf(this.#graph, node));
  }
}

/** What is compared of a node. */
function lineOf(graph: NodeGraph, node: GraphNode): NodeLine {
  const { id, type, title, fields, isSeen, isDeleted, staleSince, asked } = node;
  return {
    ...{ id, idKind: graph.idKind ?? "", type, title, seen: isSeen, deleted: isDeleted },
    ...{ stale: staleSince !== undefined, asked: asked !== undefined, fields: Object.fromEntries(fields) },
    ...{ refersTo: referencesOf(node), children: graph.childrenOf(id) },
  };
}
