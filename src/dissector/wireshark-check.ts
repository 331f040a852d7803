import { directions } from "../network/conversation.js";
import { isStructType } from "../schema/language/is-type.js";

const KINDS: ReadonlySet<unknown> = new Set(["u8", "u16le", "u16be", "u32le", "u32be"]);
/** Largest offset of a number in a head: it has to be near the beginning of a message. */
const FARTHEST = 4096;

/** Says, in a sentence, why something is not the `wireshark` of a dissector; undefined if it is one, or not there. */
export function problemOfWireshark(wireshark: unknown): string | undefined {
  if (wireshark === undefined) return undefined;
  if (typeof wireshark !== "object" || wireshark === null) return "its wireshark is not an object";
  const { session, data, length, type, messages, unknown, greeting, magic }: { [name: string]: unknown } = {
    ...wireshark,
  };
  if (session !== undefined) {
    const isCode = typeof session === "string" && typeof data === "object" && data !== null;
    return isCode ? undefined : "its wireshark is not { session: string, data: object }";
  }
  for (const [name, number] of Object.entries({ length, type })) {
    if (!isHeadNumber(number)) return `the ${name} of its wireshark is not { at: number, kind: "u8" | "u16be" | ... }`;
  }
  const { plus }: { plus?: unknown } = Object(length);
  if (plus !== undefined && !Number.isInteger(plus))
    return "the plus of the length of its wireshark is not a whole number";
  for (const direction of directions) {
    const ofDirection: unknown = Object(messages)[direction];
    const all = Object.entries(Object(ofDirection));
    if (typeof ofDirection !== "object" || !all.every(([key, message]) => /^\d+$/.test(key) && isStructType(message))) {
      return `the messages.${direction} of its wireshark are not structs by number`;
    }
  }
  for (const [name, message] of Object.entries({ unknown, greeting })) {
    if (message !== undefined && !isStructType(message)) return `the ${name} of its wireshark is not a struct`;
  }
  if (magic !== undefined && (typeof magic !== "string" || magic === ""))
    return "the magic of its wireshark is not a text";
  return undefined;
}

function isHeadNumber(number: unknown): boolean {
  const { at, kind }: { at?: unknown; kind?: unknown } = Object(number);
  return Number.isInteger(at) && Number(at) >= 0 && Number(at) <= FARTHEST && KINDS.has(kind);
}
