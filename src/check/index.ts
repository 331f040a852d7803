/**
 * Compares recorded sessions by meaning, from the messages as JSON and the declarations of their fields.
 */

export { type Comparison, compareRecordings } from "./compare.js";
export {
  type Difference,
  type FieldDifference,
  isOfNode,
  type MessagesDifference,
  type NodeDifference,
  type NodeReference,
  type Reference,
  type Whereabouts,
} from "./difference.js";
export { without } from "./ignored-paths.js";
export { EXPECTATION_SCHEMA, EXPECTED_NODE_SCHEMA, type Line, LineError, parseLine } from "./line.js";
export { type NodeLine, parseNode } from "./nodes/node-line.js";
export { NodeRecording } from "./nodes/node-recording.js";
export { updatedNodes } from "./nodes/update-nodes.js";
export { type LeftOut, NormalForms, nothingLeftOut } from "./normal-form.js";
export { Recording } from "./recording.js";
export { compareSessions, type SessionComparison, SessionRecording } from "./session-recording.js";
export { type Tuning, type TuningOptions, tuningOf } from "./tuning.js";
export { updateOf } from "./update.js";
