/** Takes all elements off a list. One by one, they leave their storage to the next ones. */
export function empty(list: unknown[]): void {
  while (list.length > 0) list.pop();
}
