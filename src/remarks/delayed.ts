import { counted } from "../common/counted.js";

/** The remark on packets of a rewritten capture that have a later time than their own, if there are any. */
export function delayed(packets: number): string[] {
  if (packets <= 0) return [];
  const have = packets === 1 ? "has a later time than its own" : "have a later time than their own";
  const order = "the capture has packets out of order";
  const late = "the data after missing bytes, or after a message without a known end, became readable late";
  return [`${counted(packets, "packet")} ${have}: ${order}, or ${late}; times never go backwards`];
}
