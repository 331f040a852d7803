import type { Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";

/** Who a message is from or to: the name of the player, if it is known, or else the client's address. */
export function partyOf({ nodes, conversation }: Message): string {
  const { kind, id } = nodes?.context?.player ?? {};
  if (kind === undefined || id === undefined) return `from ${endpointText(conversation.client)}`;
  return nodes?.names?.get(kind, id) ?? `${kind} ${id}`;
}
