import { are, counted } from "../../common/counted.js";
import type { Field } from "../language/field.js";

/**
 * The text for a field that needs more bytes than its region has, or whose length is negative.
 *
 * @param claimedBy name of the field that claimed the region's length; empty for the message itself
 */
export function tooFew(field: Field, width: number, offset: number, left: number, claimedBy: string): string {
  const region = claimedBy === "" ? "" : ` of the bytes that ${claimedBy} gives`;
  const need = width < 0 ? `would have a length of ${width}` : `needs ${counted(width, "byte")}`;
  return breaks(field, `${need}${claimOf(field)} at offset ${offset}; ${left} ${are(left)} left${region}`);
}

/** The text for a field that needs more bytes than the capture holds. */
export function cutShort(field: Field, width: number, offset: number, held: number): string {
  return breaks(
    field,
    `needs ${counted(width, "byte")}${claimOf(field)} at offset ${offset}; the capture holds ${held}`,
  );
}

/** The text for bytes at the end of a region that no field takes. */
export function leftOverAfter(left: number): string {
  return `${counted(left, "byte")} left over after the last field`;
}

/** The text for a field that is nested deeper than the limit. */
export function tooDeep(field: Field, most: number): string {
  return breaks(field, `is nested deeper than ${counted(most, "level")}`);
}

/** The text for a field that takes more nodes than the limit; `what` says which are too many. */
export function tooMany(field: Field, what: string, most: number): string {
  return `${nameOf(field)}: ${what} of ${most}`;
}

/** The text for a field that breaks the format; `text` follows its name. */
export function breaks(field: Field, text: string): string {
  return `${nameOf(field)} ${text}`;
}

/** What notes call a field: elements of arrays have no name. */
function nameOf(field: Field): string {
  return field.name || "an element";
}

/** Names the field that claims the length of a field. */
function claimOf(field: Field): string {
  return field.length.claimedBy === "" ? "" : ` (${field.length.claimedBy} says so)`;
}
