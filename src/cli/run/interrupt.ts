/**
 * Signals that end a program: from Ctrl-C, from a service manager or a time limit, or from closing the terminal; on
 * Windows, from Ctrl-C, Ctrl-Break or closing the window. Node.js ends at SIGHUP even where its parent has ignored it.
 */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];

/** The exit code of a program that a signal has ended before it was done. */
const INTERRUPTED = 130;

/**
 * Calls back at the first signal that would end the program; a second one ends it as usual.
 *
 * @returns a function that ends the watch
 */
export function onInterrupt(callback: () => void): () => void {
  const unwatch = onSignals(() => {
    unwatch();
    callback();
  });
  return unwatch;
}

function onSignals(listener: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

/**
 * Does work of a command that leaves nothing half done: a signal ends the program with an exit code that says so. What is
 * undone then is not cut short by a second one: Ctrl-C tells all processes of a terminal, and the first of them the others.
 */
export async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  const unwatch = onSignals(() => process.exit(INTERRUPTED));
  try {
    return await work();
  } finally {
    unwatch();
  }
}

/**
 * Calls back if the program ends before the work is done.
 *
 * @param undo synchronous, as nothing else happens at the end of a process
 */
export async function undoneAtEnd<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  process.on("exit", undo);
  try {
    return await work();
  } finally {
    process.off("exit", undo);
  }
}
