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
