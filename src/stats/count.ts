/** A number of things, and the number of bytes in them. */
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

/** A row of a table. */
interface Named {
  readonly name: string;
}

/** Orders the rows of a table by name. */
export function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/** Orders rows with counts: the largest first, equal ones by name. */
export function byCount(a: Named & Pick<Count, "count">, b: Named & Pick<Count, "count">): number {
  return b.count - a.count || byName(a, b);
}
