import { stretchNames } from "../dissect/stretch.js";
import { suggestion } from "../schema/nearest.js";
import type { PathText } from "./expression.js";
import { FieldPath, type Step } from "./field-path.js";
import { FilterError } from "./filter-error.js";
import { messageFields, NO_FIELDS } from "./message-fields.js";
import type { Term, Vocabulary } from "./vocabulary.js";

/**
 * Determines what the names of a path stand for.
 *
 * @throws FilterError for a name that stands for nothing, or can never follow the one before it
 */
export function resolvePath(path: PathText, vocabulary: Vocabulary, text: string): FieldPath {
  const { names, start } = path;
  const steps: Step[] = [];
  let offset = text[start] === "." ? start + 1 : start;
  let isLoose = false;
  let outer: Term | undefined;
  for (const name of names) {
    const term = vocabulary.get(name);
    if (term === undefined && !isLoose) throw unknownName(path, name, offset, vocabulary, text);
    if (!isLoose && outer !== undefined && !vocabulary.canHold(outer, name)) {
      throw new FilterError(`there is no ${name} in ${outer.name}`, text, { start: offset, length: name.length });
    }
    steps.push({
      name,
      isField: isLoose || (term?.fields.size ?? 0) > 0,
      isClass: isLoose || term?.isClass === true,
      isDerived: isLoose || (term?.derived.length ?? 0) > 0,
      isDirect: !isLoose && outer !== undefined && vocabulary.declares(outer, name),
      isLoose,
    });
    isLoose ||= term?.isOpen === true;
    outer = term;
    offset += name.length + 1;
  }
  return new FieldPath(steps, isLoose ? undefined : outer);
}

/** What Wireshark's filters test in packets, and its equivalents here. */
const WIRESHARK_PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ["frame", "frame, number and time"],
  ["ip", "source and destination: addresses, networks, ports, or both with a colon"],
  ["ipv6", "source and destination: addresses, networks, ports, or both with a colon"],
  ["tcp", "stream, transport, source and destination: source == 14617"],
  ["udp", "stream, transport, source and destination: source == 5154"],
]);

/** For a name similar to no other: it may be one that only the traffic, or a file such as SDL descriptors, gives. */
function nothingNear(name: string, vocabulary: Vocabulary): string {
  const nothing = `there is no field, class or message ${name}; moul-dissect fields lists them all`;
  const paths = [...vocabulary.undeclared()].map((above) => `${above}.${name}`).sort();
  if (paths.length === 0) return nothing;
  return `${nothing}, except those that only captures or files name: ${paths.join(", ")}`;
}

function unknownName(path: PathText, name: string, start: number, vocabulary: Vocabulary, text: string): FilterError {
  const span = { start, length: name.length };
  const instead = path.isField || name !== path.names[0] ? undefined : NO_FIELDS.get(name);
  if (instead !== undefined) {
    const reason = `${name} is in the JSON, but is not a field; ${instead} (moul-dissect fields lists them)`;
    return new FilterError(reason, text, span);
  }
  if (!path.isField && start === path.start && stretchNames.some((stretch) => stretch === name)) {
    const reason = `${name} is not a message, and has only the fields that every message has, such as length`;
    return new FilterError(reason, text, span);
  }
  const wireshark = path.isField ? undefined : WIRESHARK_PROTOCOLS.get(path.names[0] ?? "");
  if (wireshark !== undefined) {
    const reason = `${path.names.join(".")} is a Wireshark field; here, use ${wireshark}`;
    return new FilterError(reason, text, path);
  }
  const reason = (typed: string, names: readonly string[]) => {
    const meant = suggestion(typed, names);
    return meant && `there is no field, class or message ${typed}${meant}`;
  };
  // The whole may be meant for one name: that of a protocol.
  const whole = path.isField
    ? ""
    : reason(path.names.join("."), [...messageFields.keys(), ...vocabulary.protocols, ...stretchNames]);
  const own = reason(name, [...vocabulary.names()]);
  if (own === "" && whole !== "") return new FilterError(whole, text, path);
  return new FilterError(own || nothingNear(name, vocabulary), text, span);
}
