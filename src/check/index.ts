/**
 * Compares recorded sessions by meaning, from the messages as JSON and the declarations of their fields.
 */

export { type Comparison, compareRecordings } from "./compare.js";
export type { Difference, FieldDifference, Reference, Whereabouts } from "./difference.js";
export { without } from "./ignored-paths.js";
export { EXPECTATION_SCHEMA, type Line, LineError, parseLine } from "./line.js";
export { type LeftOut, NormalForms, nothingLeftOut } from "./normal-form.js";
export { Recording } from "./recording.js";
export { type Tuning, type TuningOptions, tuningOf } from "./tuning.js";
export { updateOf } from "./update.js";
