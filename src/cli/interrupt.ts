/**
 * Calls back at the first Ctrl-C while something runs; a second one ends the program, as ever.
 *
 * @param readsInput true if standard input is being read: it need not bring anything for long, so it is closed
 * @returns what ends the watch
 */
export function onInterrupt(readsInput: boolean, callback: () => void): () => void {
  const listener = () => {
    callback();
    if (readsInput) process.stdin.destroy();
  };
  process.once("SIGINT", listener);
  return () => void process.off("SIGINT", listener);
}
