/** How many of something there were, and how many bytes they had. */
export interface Count {
  count: number;
  bytes: number;
}

export function noCount(): Count {
  return { count: 0, bytes: 0 };
}

export function addTo(count: Count, bytes: number): void {
  count.count++;
  count.bytes += bytes;
}

/** A row of a table that is in the order of its counts. */
interface Ranked extends Pick<Count, "count"> {
  readonly name: string;
}

/** Order of tables: largest count first, equal counts by name. */
export function byCount(a: Ranked, b: Ranked): number {
  if (a.count !== b.count) return b.count - a.count;
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
