import type { Json } from "../common/json.js";
import type { EdgeEvent, NodeEvent, Party } from "../dissector/state-event.js";
import type { Limits } from "../limits.js";
import type { Moment } from "./moment.js";

/** Something that was said about a node. */
export interface NodeChange {
  readonly at: Moment;
  readonly change: NodeEvent["change"] | "child added" | "child removed";
  /** The fields that are new or have another value, with the values before and after. */
  readonly fields: readonly { readonly name: string; readonly before: Json | undefined; readonly after: Json }[];
  /** The other end of an edge. */
  readonly other?: string;
  readonly error?: string | undefined;
}

/** A node as the traffic has shown it so far. */
export interface GraphNode {
  readonly id: string;
  type: string;
  title: string;
  readonly fields: Map<string, Json>;
  /** See `NodeEvent.refersTo`. */
  refersTo: Readonly<Record<string, readonly string[]>>;
  readonly history: NodeChange[];
  /** False for one that is only referred to. */
  isSeen: boolean;
  /** True once all of its fields were shown together, rather than only that it exists, or some of them. */
  isWhole: boolean;
  isDeleted: boolean;
  /** Since when the server has another version than the one that was seen; undefined if it has not. */
  staleSince: Moment | undefined;
  /** Those of the latest changes that were seen themselves: several may be on their way at the same time. */
  revisions: readonly string[];
  /** What a client wants it to be, and the server has not agreed to yet: the latest such change. */
  asked:
    | { readonly at: Moment; readonly fields: Readonly<Record<string, Json>>; readonly revision: string | undefined }
    | undefined;
}

interface Edge {
  readonly owner: Party | undefined;
  readonly at: Moment;
}

/** Most changes that are kept of a node: the first and the latest. */
const MOST_CHANGES = 1000;

/** Most changes of a node whose revisions are remembered: later, nobody is told of one any more. */
const MOST_REVISIONS = 16;

/** A graph of nodes that a server keeps, as the traffic has shown it. */
export class NodeGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #children = new Map<string, Map<string, Edge>>();
  readonly #parents = new Map<string, Set<string>>();
  /** What ids stand for: see `NodeEvent.idKind`. */
  idKind: string | undefined;
  /** How many nodes were left out because there are too many. */
  leftOut = 0;

  constructor(readonly limits: Pick<Limits, "stateNodes">) {}

  get nodes(): ReadonlyMap<string, GraphNode> {
    return this.#nodes;
  }

  get(id: string): GraphNode | undefined {
    return this.#nodes.get(id);
  }

  /** What belongs to a node, in the order in which that was shown. */
  childrenOf(id: string): readonly string[] {
    return [...(this.#children.get(id)?.keys() ?? [])];
  }

  parentsOf(id: string): readonly string[] {
    return [...(this.#parents.get(id) ?? [])];
  }

  /** Whose doing it is that one node belongs to another. */
  ownerOf(parent: string, child: string): Party | undefined {
    return this.#children.get(parent)?.get(child)?.owner;
  }

  /** The nodes that belong to no other one; of a circle, the first. */
  roots(): readonly string[] {
    const roots = [...this.#nodes.keys()].filter((id) => (this.#parents.get(id)?.size ?? 0) === 0);
    const reached = new Set<string>();
    const reach = (from: string) => {
      const waiting = [from];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (reached.has(id)) continue;
        reached.add(id);
        waiting.push(...this.childrenOf(id));
      }
    };
    for (const root of roots) reach(root);
    for (const id of this.#nodes.keys()) {
      if (reached.has(id)) continue;
      roots.push(id);
      reach(id);
    }
    return roots;
  }

  takeNode(event: NodeEvent, at: Moment): void {
    const node = this.#node(event.id);
    if (node === undefined) return;
    const { change, type, title, fields = {}, refersTo, idKind, error, revision } = event;
    this.idKind ??= idKind;
    if (refersTo !== undefined) node.refersTo = refersTo;
    const isOwn = change === "asked" || change === "saved";
    if (revision !== undefined && isOwn && !node.revisions.includes(revision)) {
      node.revisions = [...node.revisions, revision].slice(-MOST_REVISIONS);
    }
    if (change === "asked") {
      node.asked = { at, fields, revision };
      this.#note(node, { at, change, fields: differences(node, fields) });
      return;
    }
    if ((change === "saved" || change === "refused") && node.asked?.revision === revision) node.asked = undefined;
    // The server tells everyone, the one who has made the change as well.
    if (change === "changed" && (revision === undefined || !node.revisions.includes(revision))) node.staleSince = at;
    const applies = change === "seen" || change === "created" || change === "saved";
    const changed = applies ? differences(node, fields) : [];
    if (applies) {
      if (type !== undefined) node.type = type;
      if (title !== undefined && (change !== "saved" || node.title === "")) node.title = title;
      for (const [name, value] of Object.entries(fields)) node.fields.set(name, value);
      node.isSeen = true;
      if (change !== "saved" && Object.keys(fields).length > 0) node.isWhole = true;
      node.isDeleted = false;
      if (change === "seen") node.staleSince = undefined;
    }
    if (change === "deleted") {
      node.isDeleted = true;
      for (const parent of this.parentsOf(node.id)) this.#disconnect(parent, node.id);
      for (const child of this.childrenOf(node.id)) this.#disconnect(node.id, child);
    }
    this.#note(node, { at, change, fields: changed, ...(error !== undefined && { error }) });
  }

  takeEdge({ change, parent, child, owner }: EdgeEvent, at: Moment): void {
    const [above, below] = [this.#node(parent), this.#node(child)];
    if (above === undefined || below === undefined || change === "asked" || change === "refused") return;
    if (change === "removed") {
      if (this.#disconnect(parent, child)) this.#note(above, { at, change: "child removed", fields: [], other: child });
      return;
    }
    const children = this.#children.get(parent) ?? new Map<string, Edge>();
    this.#children.set(parent, children);
    const known = children.get(child);
    if (known === undefined) this.#note(above, { at, change: "child added", fields: [], other: child });
    children.set(child, { owner: owner ?? known?.owner, at: known?.at ?? at });
    const parents = this.#parents.get(child) ?? new Set<string>();
    this.#parents.set(child, parents);
    parents.add(parent);
  }

  #disconnect(parent: string, child: string): boolean {
    this.#parents.get(child)?.delete(parent);
    return this.#children.get(parent)?.delete(child) ?? false;
  }

  #node(id: string): GraphNode | undefined {
    let node = this.#nodes.get(id);
    if (node !== undefined || id === "0") return node;
    if (this.#nodes.size >= this.limits.stateNodes) {
      this.leftOut++;
      return undefined;
    }
    const known = { type: "", title: "", revisions: [], fields: new Map<string, Json>(), refersTo: {}, history: [] };
    const standing = { isSeen: false, isWhole: false, isDeleted: false, staleSince: undefined, asked: undefined };
    node = { id, ...known, ...standing };
    this.#nodes.set(id, node);
    return node;
  }

  #note(node: GraphNode, change: NodeChange): void {
    if (node.history.length >= MOST_CHANGES) node.history.splice(MOST_CHANGES / 2, 1);
    node.history.push(change);
  }
}

function differences(node: GraphNode, fields: Readonly<Record<string, Json>>): NodeChange["fields"] {
  return Object.entries(fields)
    .map(([name, after]) => ({ name, before: node.fields.get(name), after }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}
