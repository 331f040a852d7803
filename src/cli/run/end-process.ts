/** How often to look whether all output is out, in milliseconds. */
const INTERVAL = 100;

/**
 * Ends the process once its output is out, even if something of a dissector would keep it, such as a timer. As a rule
 * nothing does, and it ends by itself at once.
 */
export function endProcess(streams: readonly NodeJS.WriteStream[]): void {
  setTimeout(() => {
    if (streams.every(({ writableLength, closed }) => writableLength === 0 || closed)) process.exit();
    endProcess(streams);
  }, INTERVAL).unref();
}
