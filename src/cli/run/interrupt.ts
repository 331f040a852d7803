/**
 * Signals that end a program: from Ctrl-C, from a service manager or a time limit, or from closing the terminal; on
 * Windows, from Ctrl-C, Ctrl-Break or closing the window. Node.js ends at SIGHUP even where its parent has ignored it.
 */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];

/** The exit code of a program that Ctrl-C has ended before it was done. */
export const INTERRUPTED = 130;

/**
 * Calls back at the first signal that would end the program; a second one ends it as usual.
 *
 * @returns a function that ends the watch
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
