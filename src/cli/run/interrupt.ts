/**
 * What ends a program from outside: Ctrl-C, and what a service manager or a time limit sends; on Windows Ctrl-Break, and
 * that the window is closed.
 */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM"];

/**
 * Calls back at the first signal to end while something runs; a second one ends the program as usual.
 *
 * @returns what ends the watch
 */
export function onInterrupt(callback: () => void): () => void {
  const unwatch = () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
  const listener = () => {
    unwatch();
    callback();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return unwatch;
}
