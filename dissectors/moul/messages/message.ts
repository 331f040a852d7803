import {
  derive,
  enumeration,
  type Infer,
  type InferMembers,
  type Members,
  prefixed,
  type StructOptions,
  type StructType,
  struct,
  utf16,
} from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { ENetError } from "./ENetError.js";

const messageHeader = struct("message", {
  messageType: u16,
});

/**
 * Declares a message of any server but the file server: its type, then its fields. There is no length.
 * Source: specification "Messages".
 */
export function message<M extends Members>(
  name: string,
  messageType: number,
  members: M,
  options: Omit<StructOptions, "tag"> = {},
): StructType<Infer<typeof messageHeader> & InferMembers<M>> {
  return derive(name, messageHeader, members, { ...options, tag: messageType });
}

/** UTF-16 text after the count of its units (u16). Source: specification, NET_MSG_FIELD_STRING. */
export const netString = prefixed(u16, utf16, { times: 2, kind: "string" });

/** Number that a reply has in common with its request. Source: plNetGameLib/plNglTrans.cpp. */
export const transactionId = u32.standsFor("request", "conversation");

/** What became of a request. Source: specification "Error codes". */
export const result = enumeration(u32, ENetError).inSummary();
