import type { FieldTree, StructType } from "moul-dissect/schema";
import { NIL_UUID } from "../../common/ids/nilUuid.js";
import {
  Auth2Cli_AcctCreateFromKeyReply,
  Auth2Cli_AcctCreateReply,
  Auth2Cli_AcctLoginReply,
  Cli2Auth_AcctCreateFromKeyRequest,
  Cli2Auth_AcctCreateRequest,
  Cli2Auth_AcctLoginRequest,
} from "../../messages/auth/account.js";
import { Auth2Cli_VaultNodeCreated, Cli2Auth_VaultNodeCreate } from "../../messages/auth/vault.js";
import { titleOf, typeTitleOf } from "../../messages/vault/namedFields.js";

/** What a reply adds to the name in its request: the number or UUID of the thing named. */
export interface Named {
  readonly kind: string;
  readonly id: string;
  /** Number or UUID that stands for nothing. */
  readonly except: number | string;
}

const account: Named = { kind: "account", id: "accountId", except: NIL_UUID };

/** Finds the name in a request. */
export type Naming = (nodes: FieldTree) => string | undefined;

const accountName: Naming = (nodes) => nodes.textIn(0, "accountName");

const nodeTitle: Naming = (nodes) => {
  const data = nodes.child(0, "nodeData");
  return data < 0 ? undefined : (titleOf(nodes, data) ?? typeTitleOf(nodes, data));
};

/** The requests that name something whose number only the reply gives, and where to find the name. */
export const namesInRequests: ReadonlyMap<StructType<unknown>, Naming> = new Map<StructType<unknown>, Naming>([
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
