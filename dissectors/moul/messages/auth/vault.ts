import { array, bool, struct, uuid, within } from "moul-dissect/schema";
import { i32, u32 } from "moul-dissect/schema/little-endian";
import { ageInstanceUuid, namesAge } from "../../common/ids/ageInstanceUuid.js";
import { kiNumber } from "../../common/ids/kiNumber.js";
import { vaultNodeId } from "../../common/ids/vaultNodeId.js";
import { ageNames } from "../../sensitiveKinds.js";
import { message, netString, result, transactionId } from "../message.js";
import { NetVaultNode } from "../vault/NetVaultNode.js";

const nodeId = vaultNodeId.inSummary();
const parentNodeId = vaultNodeId.inSummary();
const childNodeId = vaultNodeId.inSummary();
const ownerNodeId = kiNumber.doc("KI number of the player who made the relationship; 0: nobody in particular.");
const revisionId = uuid.doc("Distinguishes a client's own change from those of others.").standsFor("revision");

/** Makes a node. Source: auth_server "VaultNodeCreate"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_VaultNodeCreate = message("Cli2Auth_VaultNodeCreate", 25, {
  transactionId,
  nodeDataLength: u32,
  nodeData: within("nodeDataLength", NetVaultNode),
});

/** Gives the new node's number. Source: auth_server "VaultNodeCreated". */
export const Auth2Cli_VaultNodeCreated = message("Auth2Cli_VaultNodeCreated", 23, { transactionId, result, nodeId });

/** Asks for a node. Source: auth_server "VaultNodeFetch". */
export const Cli2Auth_VaultNodeFetch = message("Cli2Auth_VaultNodeFetch", 26, { transactionId, nodeId });

/** Brings a node. Source: auth_server "VaultNodeFetched". */
export const Auth2Cli_VaultNodeFetched = message("Auth2Cli_VaultNodeFetched", 24, {
  transactionId,
  result,
  nodeDataLength: u32,
  nodeData: within("nodeDataLength", NetVaultNode),
});

/** Says that a node changed. Source: auth_server "VaultNodeChanged". */
export const Auth2Cli_VaultNodeChanged = message("Auth2Cli_VaultNodeChanged", 25, { nodeId, revisionId });

/** Changes the given fields of a node. Source: auth_server "VaultNodeSave". */
export const Cli2Auth_VaultNodeSave = message("Cli2Auth_VaultNodeSave", 27, {
  transactionId,
  nodeId,
  revisionId,
  nodeDataLength: u32,
  nodeData: within("nodeDataLength", NetVaultNode),
});

/** Answers Cli2Auth_VaultNodeSave. Source: auth_server "VaultSaveNodeReply". */
export const Auth2Cli_VaultSaveNodeReply = message("Auth2Cli_VaultSaveNodeReply", 32, { transactionId, result });

/**
 * Deletes a node; clients have never sent it, and of all servers only MOULArs reads it. Source: MOULArs's `messages.rs`.
 */
export const Cli2Auth_VaultNodeDelete = message("Cli2Auth_VaultNodeDelete", 28, { nodeId });

/** Says that a node is gone. Source: auth_server "VaultNodeDeleted". */
export const Auth2Cli_VaultNodeDeleted = message("Auth2Cli_VaultNodeDeleted", 26, { nodeId });

/** Says that a node was put below another. Source: auth_server "VaultNodeAdded". */
export const Auth2Cli_VaultNodeAdded = message("Auth2Cli_VaultNodeAdded", 27, {
  parentNodeId,
  childNodeId,
  ownerNodeId,
});

/** Puts a node below another. Source: auth_server "VaultNodeAdd". */
export const Cli2Auth_VaultNodeAdd = message("Cli2Auth_VaultNodeAdd", 29, {
  transactionId,
  parentNodeId,
  childNodeId,
  ownerNodeId,
});

/** Answers Cli2Auth_VaultNodeAdd. Source: auth_server "VaultAddNodeReply". */
export const Auth2Cli_VaultAddNodeReply = message("Auth2Cli_VaultAddNodeReply", 33, { transactionId, result });

/** Says that a node was taken from below another. Source: auth_server "VaultNodeRemoved". */
export const Auth2Cli_VaultNodeRemoved = message("Auth2Cli_VaultNodeRemoved", 28, { parentNodeId, childNodeId });

/** Takes a node from below another. Source: auth_server "VaultNodeRemove". */
export const Cli2Auth_VaultNodeRemove = message("Cli2Auth_VaultNodeRemove", 30, {
  transactionId,
  parentNodeId,
  childNodeId,
});

/** Answers Cli2Auth_VaultNodeRemove. Source: auth_server "VaultRemoveNodeReply". */
export const Auth2Cli_VaultRemoveNodeReply = message("Auth2Cli_VaultRemoveNodeReply", 34, { transactionId, result });

/** Asks for all relationships in the tree below a node. Source: auth_server "VaultFetchNodeRefs". */
export const Cli2Auth_VaultFetchNodeRefs = message("Cli2Auth_VaultFetchNodeRefs", 31, { transactionId, nodeId });

/** One relationship of two nodes. Source: auth_server "VaultNodeRefsFetched"; pnNetProtocol/pnNpCommon.h. */
const NetVaultNodeRef = struct("NetVaultNodeRef", {
  parentNodeId: vaultNodeId,
  childNodeId: vaultNodeId,
  ownerNodeId: kiNumber,
  seen: bool.doc("Means nothing: servers send constants or junk."),
});

/** Brings relationships. Source: auth_server "VaultNodeRefsFetched". */
export const Auth2Cli_VaultNodeRefsFetched = message("Auth2Cli_VaultNodeRefsFetched", 29, {
  transactionId,
  result,
  refCount: u32.inSummary(),
  refs: array(NetVaultNodeRef, "refCount"),
});

/** Makes an instance of an age, unless there is one already. Source: auth_server "VaultInitAgeRequest". */
export const Cli2Auth_VaultInitAgeRequest = message(
  "Cli2Auth_VaultInitAgeRequest",
  32,
  {
    transactionId,
    instanceId: ageInstanceUuid.doc("Zero: the server chooses."),
    parentInstanceId: ageInstanceUuid.doc("Zero: none."),
    fileName: netString.public().inSummary(),
    instanceName: netString,
    userDefinedName: netString.sensitive(ageNames),
    description: netString.sensitive(ageNames),
    sequenceNumber: i32.doc("DIRTSAND: negative for the next free one."),
    language: i32,
  },
  {
    introduces: namesAge("instanceId", {
      userDefinedName: "userDefinedName",
      instanceName: "instanceName",
      fileName: "fileName",
    }),
  },
);

/** Gives the instance's nodes. Source: auth_server "VaultInitAgeReply". */
export const Auth2Cli_VaultInitAgeReply = message("Auth2Cli_VaultInitAgeReply", 30, {
  transactionId,
  result,
  ageNodeId: vaultNodeId.inSummary(),
  ageInfoNodeId: vaultNodeId.inSummary(),
});

/** Looks for nodes with the same fields as a template. Source: auth_server "VaultNodeFind". */
export const Cli2Auth_VaultNodeFind = message("Cli2Auth_VaultNodeFind", 33, {
  transactionId,
  templateNodeDataLength: u32,
  templateNodeData: within("templateNodeDataLength", NetVaultNode),
});

/** Gives the numbers of the nodes that were found. Source: auth_server "VaultNodeFindReply". */
export const Auth2Cli_VaultNodeFindReply = message("Auth2Cli_VaultNodeFindReply", 31, {
  transactionId,
  result,
  foundNodeIdCount: u32.inSummary(),
  foundNodeIds: array(vaultNodeId, "foundNodeIdCount"),
});

/** Marks a node as seen, or not; not in use. Source: auth_server "VaultSetSeen". */
export const Cli2Auth_VaultSetSeen = message("Cli2Auth_VaultSetSeen", 34, { parentNodeId, childNodeId, seen: bool });

/** Puts a node into another player's inbox. Source: auth_server "VaultSendNode". */
export const Cli2Auth_VaultSendNode = message("Cli2Auth_VaultSendNode", 35, {
  nodeId,
  receiverId: kiNumber.doc("KI number of the player who gets it.").inSummary(),
});
