import type { Party } from "../../dissector/state-event.js";
import type { Moment } from "../../state/moment.js";
import type { Palette } from "../text/palette.js";
import { printable, safeJson } from "../writers/sanitise.js";
import { OBJECT_SCHEMA } from "../writers/schema-names.js";
import { momentJson, partyJson } from "./common.js";

/** Something that can be taken out of a capture. */
export interface FoundObject {
  readonly kind: "file" | "picture" | "voice";
  readonly name: string;
  readonly at: Moment;
  readonly bytes: number;
  /** How long it plays. */
  readonly seconds: number | undefined;
  readonly from: Party | undefined;
  /** Whether it is whole, and what was expected. */
  readonly state: string;
}

/** One line of `objects --json`. @param file the path that it was written to */
export function objectLine(object: FoundObject, file: string | undefined): string {
  const { kind, name, at, bytes, seconds, from, state } = object;
  const known = { schema: OBJECT_SCHEMA, kind, name, bytes, ...momentJson(at), seconds: seconds ?? null };
  return `${safeJson({ ...known, from: partyJson(from), state, file: file ?? null })}\n`;
}

export function objectText(object: FoundObject, file: string | undefined, colors: Palette): string {
  const { kind, name, at, bytes, seconds, state } = object;
  const length = seconds === undefined ? "" : `, ${seconds.toFixed(1)} s`;
  const where = file === undefined ? "" : ` ${colors.label(printable(file))}`;
  return `${colors.faint(`#${at.number}`)} ${kind} ${colors.heading(printable(name))} (${bytes} bytes${length}; ${printable(state)})${where}\n`;
}
