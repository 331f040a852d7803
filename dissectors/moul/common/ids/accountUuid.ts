import { reference, uuid } from "moul-dissect/schema";

/** Identifies an account, whose name a login gives. Source: auth_server "AcctLoginReply". */
export const accountUuid = reference(uuid, "account").sensitive("account-id");
