/** What is to be said of packets in a capture that was made anew that have a later time than their own. */
export function delayed(packets: number): string[] {
  if (packets <= 0) return [];
  const have =
    packets === 1 ? "1 packet has a later time than its own" : `${packets} packets have a later time than their own`;
  const them = packets === 1 ? "it" : "them";
  return [`${have}: bytes in front of ${them} came later, or never, and times do not go back`];
}
