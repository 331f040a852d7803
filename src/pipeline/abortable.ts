/**
 * The same chunks, until a signal ends the wait for more.
 *
 * @throws whatever the signal's reason is, from the iterator
 */
export async function* abortable(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const iterator = chunks[Symbol.asyncIterator]();
  let giveUp: (reason: unknown) => void = () => {};
  const onAbort = () => giveUp(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    const released = iterator.return?.() ?? Promise.resolve();
    // What still waits for bytes may wait forever.
    if (signal.aborted) released.catch(() => {});
    else await released;
  }
}
