import type { EdgeEvent, NodeEvent, StateEvent } from "moul-dissect/dissector";
import { type FieldTree, hex, type Json } from "moul-dissect/schema";
import { NetVaultNode } from "../messages/vault/NetVaultNode.js";
import { NodeTypes } from "../messages/vault/NodeTypes.js";
import { fieldsByName, referencesByName, titleOf } from "../messages/vault/namedFields.js";
import { errorOf, isRecord, nodeOf, partyOf, playerIn, type Reads } from "./message-reader.js";

const typeNames = new Map(Object.entries(NodeTypes).map(([name, type]) => [type, name.replace("kNodeType_", "")]));

/** Fields of a node that say what the others mean, or are shown otherwise. */
const NOT_FIELDS: ReadonlySet<string> = new Set(["fieldFlags", "nodeId", "nodeType"]);
/** Longest value that is kept of a field, in bytes: longer ones are told by their length. */
const LONGEST_VALUE = 256;

/** Fields that refer to something in nodes of all types. */
const references = (NetVaultNode.descriptor.struct?.fields ?? []).flatMap(({ name, meaning }) =>
  meaning?.form === "reference" && !NOT_FIELDS.has(name) ? [[name, meaning.to] as const] : [],
);

/** What fields refer to, by the type of node. */
const referencesOf = (type: number | undefined) => ({ ...Object.fromEntries(references), ...referencesByName(type) });

type VaultNode = Pick<NodeEvent, "type" | "title" | "fields">;

/** What a NetVaultNode says about itself. @param knownType that of the node, if the message does not give it */
function vaultNodeIn(nodes: FieldTree, knownType?: number): (VaultNode & { readonly id: string }) | undefined {
  const node = nodeOf(nodes, "NetVaultNode");
  if (node < 0) return undefined;
  const type = nodes.numberIn(node, "nodeType");
  const fields = fieldsByName(type ?? knownType, nodes, node, (child) =>
    nodes.hasChildren(child) ? `${nodes.bytes(child).length} bytes` : shown(nodes, child),
  );
  for (const name of NOT_FIELDS) delete fields[name];
  return {
    id: String(nodes.numberIn(node, "nodeId") ?? 0),
    type: type === undefined ? undefined : (typeNames.get(type) ?? String(type)),
    title: titleOf(nodes, node),
    fields,
  };
}

function shown(nodes: FieldTree, child: number): Json {
  const { meaning } = nodes.field(child);
  if (meaning?.form === "text") return meaning.describe(nodes.number(child));
  const value = nodes.value(child);
  if (typeof value === "bigint") return String(value);
  if (!(value instanceof Uint8Array)) return value;
  if (value.length > LONGEST_VALUE) return `${value.length} bytes`;
  return hex(value);
}

const node = (event: Omit<NodeEvent, "kind">): StateEvent[] => [{ kind: "node", idKind: "vaultNode", ...event }];
const edge = (event: Omit<EdgeEvent, "kind">): StateEvent[] => [{ kind: "edge", ...event }];

/** The type of the node in a message, as a number. */
function typeIn(nodes: FieldTree): number | undefined {
  return nodes.numberIn(nodeOf(nodes, "NetVaultNode"), "nodeType");
}

function textOf(value: Json | undefined): string {
  return value === undefined || value === null ? "" : String(value);
}

/** What messages about the vault mean, by their names. Source: pnNetCli/pnNcAuth, plVault/plVaultClientApi.cpp. */
export const vaultReaders: Readonly<Record<string, Reads>> = {
  Auth2Cli_VaultNodeFetched: ({ nodes }, asked) => {
    const found = vaultNodeIn(nodes);
    if (found === undefined || nodes.context?.error !== undefined) return [];
    const type = typeIn(nodes);
    asked.types.set(found.id, type);
    return node({ change: "seen", ...found, refersTo: referencesOf(type) });
  },
  Cli2Auth_VaultNodeCreate: (message, asked) => {
    const found = vaultNodeIn(message.nodes);
    if (found !== undefined) asked.remember(message, { ...found, nodeType: typeIn(message.nodes) });
    return [];
  },
  Auth2Cli_VaultNodeCreated: (message, asked) => {
    if (errorOf(message) !== undefined) return [];
    const { type, title, fields, nodeType } = asked.take(message) ?? {};
    const id = String(message.nodes.numberIn(0, "nodeId") ?? 0);
    if (typeof nodeType === "number") asked.types.set(id, nodeType);
    return node({
      change: "created",
      id,
      ...(typeof type === "string" && { type }),
      ...(typeof title === "string" && { title }),
      ...(isRecord(fields) && { fields, refersTo: referencesOf(typeof nodeType === "number" ? nodeType : undefined) }),
    });
  },
  Cli2Auth_VaultNodeSave: (message, asked) => {
    const { nodes } = message;
    const id = String(nodes.numberIn(0, "nodeId") ?? 0);
    const found = vaultNodeIn(nodes, asked.types.get(id));
    if (found === undefined) return [];
    const revision = nodes.textIn(0, "revisionId");
    asked.remember(message, { ...found, id, revision });
    return node({ ...found, change: "asked", id, revision, refersTo: referencesOf(asked.types.get(id)) });
  },
  Auth2Cli_VaultSaveNodeReply: (message, asked) => {
    const { id, type, title, fields, revision } = asked.take(message) ?? {};
    const error = errorOf(message);
    if (id === undefined) return [];
    const known = {
      ...(typeof revision === "string" && { revision }),
      ...(typeof type === "string" && { type }),
      ...(typeof title === "string" && { title }),
      ...(isRecord(fields) && { fields }),
    };
    return node({ change: error === undefined ? "saved" : "refused", id: textOf(id), error, ...known });
  },
  Auth2Cli_VaultNodeChanged: ({ nodes }) =>
    node({
      change: "changed",
      id: String(nodes.numberIn(0, "nodeId") ?? 0),
      revision: nodes.textIn(0, "revisionId"),
    }),
  Auth2Cli_VaultNodeDeleted: ({ nodes }) => node({ change: "deleted", id: String(nodes.numberIn(0, "nodeId") ?? 0) }),
  Auth2Cli_AcctPlayerInfo: ({ nodes }) =>
    node({
      change: "seen",
      id: String(nodes.numberIn(0, "playerVaultNodeId") ?? 0),
      type: "VNodeMgrPlayer",
      title: nodes.textIn(0, "playerName"),
    }),
  Auth2Cli_VaultNodeRefsFetched: ({ nodes }) => {
    const found: StateEvent[] = [];
    const list = nodes.child(0, "refs");
    if (list < 0) return found;
    for (let ref = list + 1; ref < nodes.nextOf(list); ref = nodes.nextOf(ref)) {
      found.push(...edge({ change: "seen", ...endsIn(nodes, ref) }));
    }
    return found;
  },
  Cli2Auth_VaultNodeAdd: (message, asked) => {
    const { nodes } = message;
    const ends = endsIn(nodes, 0);
    asked.remember(message, { parent: ends.parent, child: ends.child });
    return edge({ change: "asked", ...ends });
  },
  Auth2Cli_VaultAddNodeReply: (message, asked) => {
    const { parent, child } = asked.take(message) ?? {};
    const error = errorOf(message);
    if (parent === undefined) return [];
    return edge({
      change: error === undefined ? "added" : "refused",
      parent: textOf(parent),
      child: textOf(child),
      error,
    });
  },
  Auth2Cli_VaultNodeAdded: ({ nodes }) => edge({ change: "added", ...endsIn(nodes, 0) }),
  Cli2Auth_VaultNodeRemove: (message, asked) => {
    const { parent, child } = endsIn(message.nodes, 0);
    asked.remember(message, { parent, child });
    return [];
  },
  Auth2Cli_VaultRemoveNodeReply: (message, asked) => {
    const { parent, child } = asked.take(message) ?? {};
    if (parent === undefined || errorOf(message) !== undefined) return [];
    return edge({ change: "removed", parent: textOf(parent), child: textOf(child) });
  },
  Auth2Cli_VaultNodeRemoved: ({ nodes }) => edge({ change: "removed", ...endsIn(nodes, 0) }),
};

function endsIn(nodes: FieldTree, struct: number): Pick<EdgeEvent, "parent" | "child" | "owner"> {
  const owner = playerIn(nodes, struct, "ownerNodeId");
  return {
    parent: String(nodes.numberIn(struct, "parentNodeId") ?? 0),
    child: String(nodes.numberIn(struct, "childNodeId") ?? 0),
    ...(owner !== undefined && { owner: partyOf(nodes, "player", owner.id) }),
  };
}
