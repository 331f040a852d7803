import type { FieldTree, StructType } from "../../../src/schema/index.js";
import {
  Auth2Cli_AcctCreateFromKeyReply,
  Auth2Cli_AcctCreateReply,
  Auth2Cli_AcctLoginReply,
  Cli2Auth_AcctCreateFromKeyRequest,
  Cli2Auth_AcctCreateRequest,
  Cli2Auth_AcctLoginRequest,
} from "../messages/auth/account.js";
import { Auth2Cli_VaultNodeCreated, Cli2Auth_VaultNodeCreate } from "../messages/auth/vault.js";
import { titleOf } from "../messages/vault/namedFields.js";

/** What the reply adds to the name in its request: the number or UUID of what was named. */
export interface Named {
  readonly kind: string;
  readonly id: string;
  /** Number or UUID that stands for nothing. */
  readonly except: number | string;
}

const NO_ACCOUNT = "00000000-0000-0000-0000-000000000000";
const account: Named = { kind: "account", id: "accountId", except: NO_ACCOUNT };

function accountName(nodes: FieldTree): string | undefined {
  return nodes.textIn(0, "accountName");
}

function nodeTitle(nodes: FieldTree): string | undefined {
  const data = nodes.child(0, "nodeData");
  return data < 0 ? undefined : titleOf(nodes, data);
}

/** Requests that name something of which only the reply tells the number, and how they call it. */
export const namesInRequests: ReadonlyMap<StructType<unknown>, (nodes: FieldTree) => string | undefined> = new Map<
  StructType<unknown>,
  (nodes: FieldTree) => string | undefined
>([
  [Cli2Auth_AcctLoginRequest, accountName],
  [Cli2Auth_AcctCreateRequest, accountName],
  [Cli2Auth_AcctCreateFromKeyRequest, accountName],
  [Cli2Auth_VaultNodeCreate, nodeTitle],
]);

/** The replies to them. */
export const namedInReplies: ReadonlyMap<StructType<unknown>, Named> = new Map<StructType<unknown>, Named>([
  [Auth2Cli_AcctLoginReply, account],
  [Auth2Cli_AcctCreateReply, account],
  [Auth2Cli_AcctCreateFromKeyReply, account],
  [Auth2Cli_VaultNodeCreated, { kind: "vaultNode", id: "nodeId", except: 0 }],
]);
