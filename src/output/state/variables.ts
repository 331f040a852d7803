import { latestOf, type ObjectState, type VariablesLine } from "../../state/variable-log.js";
import type { Palette } from "../text/palette.js";
import { printable, safeJson } from "../writers/sanitise.js";
import { VARIABLES_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime } from "../writers/time.js";
import { momentJson, objectText, partyJson, partyText } from "./common.js";
import { valueText } from "./vault.js";

/** One line of `sdl --json`. */
export function variablesLine(line: VariablesLine): string {
  const { at, object, owner, place, set, version, from, isRelayed, isPersistent, values, changed } = line;
  return `${safeJson({
    ...{ schema: VARIABLES_SCHEMA, ...momentJson(at), object, set, version: version & 0xffff },
    ...{ from: partyJson(from), relayed: isRelayed, persistent: isPersistent ?? null },
    ...{ values: values ?? null, changed, owner: partyJson(owner), place: partyJson(place) },
  })}\n`;
}

/** A statement about an object as text: who, what, and the variables that have new values. */
export function variablesText(line: VariablesLine, colors: Palette): string {
  const { at, set, version, from, isRelayed, isPersistent, values, changed } = line;
  const who = isRelayed
    ? `server${from === undefined ? "" : `, of ${partyText(from)}`}`
    : from === undefined
      ? "client"
      : partyText(from);
  const kept = isPersistent === false ? ", not kept" : "";
  const time = colors.faint(`#${at.number} ${absoluteTime(at.origin)}`);
  const head = `${time} ${colors.heading(printable(objectText(line)))} ${colors.label(printable(set))} ${version} ${colors.faint(`(${printable(who)}${kept})`)}`;
  if (values === undefined)
    return `${head}: ${colors.severity("warning")("no descriptor: give its .sdl file with --sdl")}\n`;
  if (changed.length === 0) return `${head}: nothing new\n`;
  const lines = changed.map((name) => `  ${colors.name(printable(name))}: ${valueText(values[name] ?? null)}\n`);
  return `${head}\n${lines.join("")}`;
}

/** The state of an object at a moment. */
export function objectStateText(state: ObjectState, colors: Palette): string {
  const { set, version, last, values } = state;
  const head = `${colors.heading(printable(objectText(state)))} ${colors.label(printable(set))} ${version} ${colors.faint(`(last in #${last.number})`)}\n`;
  const lines = [...values].map(([name, variable]) => {
    const { latest, other } = latestOf(variable);
    if (latest === undefined) return "";
    const who = other === variable.sent ? "a client has sent" : "the server has relayed";
    const against = other === undefined ? "" : `; ${who} ${valueText(other.value)} #${other.at.number}`;
    const value = `${valueText(latest.value)} ${colors.faint(`#${latest.at.number}${against}`)}`;
    return `  ${colors.name(printable(name))}: ${value}\n`;
  });
  return head + lines.join("");
}
