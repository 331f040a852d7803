/**
 * What ends a program from outside: Ctrl-C, and what a service manager or a time limit sends; on Windows Ctrl-Break, and
 * that the window is closed.
 */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM"];

/**
 * Calls back at the first signal to end while something runs; a second one ends the program as usual.
 *
 * @param readsInput true if standard input is being read: it need not bring anything for long, so it is closed
 * @returns what ends the watch
 */
export function onInterrupt(readsInput: boolean, callback: () => void): () => void {
  const unwatch = () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
  const listener = () => {
    unwatch();
    callback();
    if (readsInput) process.stdin.destroy();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return unwatch;
}
