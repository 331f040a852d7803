export { byCount, byName, type Count } from "./count.js";
export {
  type Latency,
  type PartyCount,
  Statistics,
  type Trouble,
  troubles,
  type UnansweredCount,
} from "./statistics.js";
export { Traffic } from "./traffic.js";
