import type { Dissector } from "../dissector/dissector.js";
import { normalAddress } from "../network/address.js";
import type { Conversation, Endpoint, Transport } from "../network/conversation.js";

/** The user's declaration that certain conversations speak a protocol. */
export interface DecodeAsRule {
  readonly transport: Transport | undefined;
  /** True if the rule names this end of a conversation. */
  readonly fits: (end: Endpoint) => boolean;
  readonly dissector: Dissector;
  readonly protocol: string;
}

/** A rule that fits a conversation, and how. */
interface FittingRule {
  readonly rule: DecodeAsRule;
  /** True if the rule fits the presumed client and no SYN was captured: client and server have to be swapped. */
  readonly serverIsClient: boolean;
}

/** A rule that cannot be understood; the message says why, and gives an example. */
export class DecodeAsError extends Error {}

const FORM = /^\s*(tcp\.port|udp\.port|ip\.addr)\s*==\s*([^,]+?)\s*,\s*(\S+)\s*$/;
const EXAMPLE = "tcp.port==5000,moul.game or tcp.port==5000-5010,... or ip.addr==10.0.0.1,...";

/**
 * Parses a rule in the form of Wireshark's `-d`: `tcp.port==5000,moul.game`. Ports may be a range, given by the first
 * and the last one (`5000-5010`) or by the first one and a count (`5000:11`).
 *
 * @throws DecodeAsError
 */
export function parseDecodeAs(text: string, dissectors: readonly Dissector[]): DecodeAsRule {
  const [, field = "", value = "", protocol = ""] = FORM.exec(text) ?? [];
  if (field === "") throw new DecodeAsError(`"${text}" is not a rule such as ${EXAMPLE}`);
  const dissector = dissectors.find(({ protocols }) => protocols.includes(protocol));
  if (dissector === undefined) {
    const known = dissectors.flatMap(({ protocols }) => protocols);
    throw new DecodeAsError(`"${text}": ${protocol} is not a known protocol; the known ones are ${known.join(", ")}`);
  }
  if (field === "ip.addr") return { transport: undefined, fits: isAddress(text, value), dissector, protocol };
  return { transport: field === "tcp.port" ? "tcp" : "udp", fits: isPort(text, value), dissector, protocol };
}

function isPort(text: string, value: string): DecodeAsRule["fits"] {
  const [, first = "", separator, second = ""] = /^(\d{1,5})(?:([-:])(\d{1,5}))?$/.exec(value) ?? [];
  const low = Number(first);
  const high = separator === undefined ? low : separator === "-" ? Number(second) : low + Number(second) - 1;
  if (first === "" || high > 0xffff || high < low) {
    throw new DecodeAsError(`"${text}": ${value} is neither a port nor a range of ports such as 5000-5010`);
  }
  return ({ port }) => port >= low && port <= high;
}

function isAddress(text: string, value: string): DecodeAsRule["fits"] {
  const wanted = normalAddress(value);
  if (wanted === undefined) throw new DecodeAsError(`"${text}": ${value} is not an IP address`);
  return ({ address }) => address === wanted;
}

/** The first rule that fits a conversation. */
export function ruleFor(rules: readonly DecodeAsRule[], conversation: Conversation): FittingRule | undefined {
  const { transport, client, server, clientIsKnown } = conversation;
  for (const rule of rules) {
    if (rule.transport !== undefined && rule.transport !== transport) continue;
    if (rule.fits(server)) return { rule, serverIsClient: false };
    if (rule.fits(client)) return { rule, serverIsClient: !clientIsKnown };
  }
  return undefined;
}
