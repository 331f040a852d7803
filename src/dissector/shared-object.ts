/** Something that conversations share, and that may be divided among threads, each of which has some of them. */
interface Divisible {
  /**
   * True if it would have been of the same use to each conversation if they had been divided among so many threads.
   * Without this function, it is not.
   */
  isDivisible(threads: number): boolean;
}

export function isDivisible(shared: unknown, threads: number): boolean {
  return hasAnswer(shared) && shared.isDivisible(threads);
}

function hasAnswer(shared: unknown): shared is Divisible {
  return typeof shared === "object" && shared !== null && "isDivisible" in shared;
}

/**
 * Returns the one object of a class that all conversations of a dissector share in a run. The first call makes it.
 *
 * @param shared as in `ConversationHandle`
 * @param key that nothing else there has
 */
export function sharedObject<T>(shared: Map<string, unknown>, key: string, type: new () => T): T {
  const known = shared.get(key);
  if (known instanceof type) return known;
  const made = new type();
  shared.set(key, made);
  return made;
}
