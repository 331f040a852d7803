/** Returns a number with its noun in the singular or the plural: "1 byte", "2 bytes". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the verb that agrees with a number: "1 is left", "2 are left". */
export function are(count: number): string {
  return count === 1 ? "is" : "are";
}

/** The same in the past: "1 was left", "2 were left". */
export function were(count: number): string {
  return count === 1 ? "was" : "were";
}
