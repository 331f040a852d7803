/** What `pcap-parser` uses of the global `process` of Node.js. */
export function nextTick(call: () => void): void {
  queueMicrotask(call);
}
