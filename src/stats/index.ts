export { byCount, type Count } from "./count.js";
export {
  type Latency,
  type PartyCount,
  Statistics,
  type Trouble,
  troubles,
  type UnansweredCount,
} from "./statistics.js";
export { type ProtocolTraffic, Traffic } from "./traffic.js";
