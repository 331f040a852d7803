import { suggestion } from "../../common/nearest.js";
import { rangeNames } from "../../dissect/sync/skipped-range.js";
import type { PathText, Span } from "../language/expression.js";
import { FilterError } from "../language/filter-error.js";
import { messageFields, NO_FIELDS } from "../message-fields.js";
import type { Vocabulary } from "../vocabulary.js";
import { some } from "./mistakes.js";

/** What Wireshark's filters test in packets, and its equivalents here. */
const WIRESHARK: ReadonlyMap<string, string> = new Map([
  ["frame.len", "length, that of the message"],
  ["tcp.len", "length, that of the message"],
  ["frame", "frame, number and time"],
  ["ip", "source and destination: addresses, networks, ports, or both with a colon"],
  ["ipv6", "source and destination: addresses, networks, ports, or both with a colon"],
  ["tcp", "stream, transport, source and destination: source == 14617"],
  ["udp", "stream, transport, source and destination: source == 5154"],
]);

/** Returns the error for a name in a path, at `start` in the text, that stands for nothing: what may be meant. */
export function unknownName(
  path: PathText,
  name: string,
  start: number,
  vocabulary: Vocabulary,
  text: string,
): FilterError {
  const error = (reason: string, at: Span = { start, length: name.length }) => new FilterError(reason, text, at);
  const whole = path.names.join(".");
  const isForeign = WIRESHARK.has(whole) || WIRESHARK.has(name);
  const fact = path.isField || start !== path.start || isForeign ? undefined : factsBeginning(name, whole);
  if (fact !== undefined) return error(fact, path);
  const own = similar(name, vocabulary.names());
  if (path.isField) return error(own ?? nothingNear(name, vocabulary));
  if (start === path.start) {
    const below = belowProtocol(path.names, vocabulary);
    if (below !== undefined) return error(below, path);
    const instead = NO_FIELDS.get(name);
    if (instead !== undefined) {
      return error(`${name} is in the JSON, but is not a field; ${instead} (moul-dissect fields lists them)`);
    }
    if (rangeNames.some((range) => range === name)) {
      const reason = `${name} is not a message, and has only the fields that every message has`;
      const member = path.names.slice(1).join(".");
      if (!messageFields.has(member)) return error(`${reason}, such as length`);
      return error(`${reason}: for ${whole}, write ${name} and ${member}`, path);
    }
  }
  const field = whole === name ? fieldWithValue(name) : undefined;
  if (field !== undefined) return error(`${notThere(name)}; did you mean ${field} == ${name}?`);
  const wireshark = WIRESHARK.get(whole) ?? WIRESHARK.get(path.names[0] ?? "");
  if (wireshark !== undefined) return error(`${whole} is a Wireshark field; here, use ${wireshark}`, path);
  if (own !== undefined) return error(own);
  // The whole may be meant for one name: that of a protocol.
  const ofWhole = similar(whole, [...messageFields.keys(), ...vocabulary.protocols, ...rangeNames]);
  if (ofWhole !== undefined) return error(ofWhole, path);
  if (whole === name && looksLikeMessage(name, vocabulary)) {
    return error(`no type of message is called ${name}; for an unknown one of that name, write message == "${name}"`);
  }
  return error(nothingNear(name, vocabulary));
}

/** For a field below its protocol, as in Wireshark: here, names of fields do not begin with it. */
function belowProtocol(names: readonly string[], vocabulary: Vocabulary): string | undefined {
  for (let count = names.length - 1; count > 0; count--) {
    const protocol = names.slice(0, count).join(".");
    const field = names.slice(count).join(".");
    const isKnown = messageFields.has(field) || vocabulary.get(names[count] ?? "") !== undefined;
    if (!isKnown || !vocabulary.isProtocol(protocol)) continue;
    return `${protocol} is a protocol, with which names of fields do not begin: write ${field}`;
  }
  return undefined;
}

/** For a path into what is known about every message: says what there is. */
function factsBeginning(name: string, whole: string): string | undefined {
  const facts = [...messageFields.keys()].filter((fact) => fact === name || fact.startsWith(`${name}.`));
  if (facts.length === 0) return undefined;
  if (whole === name) return `${name} is only the beginning of ${some(facts)}`;
  return `there is no ${whole}${suggestion(whole, facts) || `, only ${some(facts)}`}`;
}

function notThere(name: string): string {
  return `there is no field, class or message ${name}`;
}

/** Suggests similar names; undefined if there are none. */
function similar(typed: string, names: Iterable<string>): string | undefined {
  const meant = suggestion(typed, names);
  return meant === "" ? undefined : `${notThere(typed)}${meant}`;
}

/** Returns the field of every message that can have this value. */
function fieldWithValue(value: string): string | undefined {
  return [...messageFields.values()].find(({ values }) => values?.includes(value))?.name;
}

/** True for a name that begins as those of some messages do, such as Cli2Auth_53: a dissector may make it up. */
function looksLikeMessage(name: string, vocabulary: Vocabulary): boolean {
  const [beginning = "", ...rest] = name.split("_");
  return (
    rest.length > 0 &&
    /^[A-Z]\w\w/.test(beginning) &&
    [...vocabulary.classes()].some((each) => each.startsWith(beginning))
  );
}

/** For a name similar to no other: it may be one that only the traffic, or a file such as SDL descriptors, gives. */
function nothingNear(name: string, vocabulary: Vocabulary): string {
  const nothing = `${notThere(name)}; moul-dissect fields lists them all`;
  const paths = [...vocabulary.undeclared()].map((above) => `${above}.${name}`).sort();
  if (paths.length === 0) return nothing;
  return `${nothing}; one that a capture or a definition file names is written ${paths.join(" or ")}`;
}
