import { reference, uuid } from "../../../src/schema/index.js";

/** Stands for an account, whose name a login tells. Source: auth_server "AcctLoginReply". */
export const accountUuid = reference(uuid, "account").sensitive("account-id");
