export { Diagnosis } from "./diagnosis.js";
export {
  type BrokenField,
  type Example,
  type Finding,
  type FindingKind,
  findingKinds,
  kindsInOrder,
} from "./finding.js";
