/** The remark on packets of a rewritten capture that have a later time than their own, if there are any. */
export function delayed(packets: number): string[] {
  if (packets <= 0) return [];
  const have =
    packets === 1 ? "1 packet has a later time than its own" : `${packets} packets have a later time than their own`;
  const order = "the capture has packets out of order";
  const late = "what stands behind missing bytes, or behind a message without a known end, is known late";
  return [`${have}: ${order}, or ${late}; times do not go back`];
}
