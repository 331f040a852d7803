/** Empties a list. Removing the elements one by one keeps the storage for the next ones. */
export function empty(list: unknown[]): void {
  while (list.length > 0) list.pop();
}
