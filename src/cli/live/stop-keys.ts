/** What ends a live recording: q, as in a pager; Ctrl-C and Ctrl-D, which in raw mode are bytes like any other. */
const STOP: ReadonlySet<number> = new Set([..."qQ"].map((key) => key.charCodeAt(0)).concat(3, 4));

/** Calls back when the user presses q or Ctrl-C; returns a function that ends the watch. */
export function onStopKey(callback: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const listener = (keys: Buffer) => {
    if (keys.some((key) => STOP.has(key))) callback();
  };
  stdin.setRawMode(true);
  stdin.on("data", listener);
  return () => {
    stdin.off("data", listener);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
