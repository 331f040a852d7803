/**
 * Throws an Error for a Map, which has no members and would seem to be empty, and for nothing at all. External modules
 * may be plain JavaScript.
 *
 * @param what names the value, in the plural
 */
export function expectObject(value: object, what: string, example: string): void {
  if (value instanceof Map) throw new Error(`${what} are an object such as ${example}, not a Map`);
  if (value === undefined) throw new Error(`${what} are an object such as ${example}, not undefined`);
}

/**
 * Throws an Error for a member that is not among the known ones: its name may be misspelt.
 *
 * @param role what the known ones are
 * @param who names what has the members, if that is known
 */
export function expectMembers(value: object, known: readonly string[], role: string, who?: string): void {
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  throw new Error(`${who === undefined ? "" : `${who}: `}${stranger} is not ${role}`);
}
