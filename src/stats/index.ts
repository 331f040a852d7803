export { BoundedMap, OTHERS } from "./bounded-map.js";
export { byCount, byName, type Count } from "./count.js";
export { keyOf, partsOf } from "./keys.js";
export type { PartyCount } from "./parties.js";
export { Quantiles } from "./quantiles.js";
export {
  type ErrorCount,
  type Latency,
  Statistics,
  type Trouble,
  troubles,
  type UnansweredCount,
} from "./statistics.js";
export { type Hash, type Sent, type StreamFacts, StreamRecorder } from "./stream-recorder.js";
export { Timeline } from "./timeline.js";
export { Traffic } from "./traffic.js";
