/** So many of something, as texts for people say it: "1 byte", "2 bytes". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The verb behind so many of something: "1 is left", "2 are left". */
export function are(count: number): string {
  return count === 1 ? "is" : "are";
}
