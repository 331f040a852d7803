const MOST_SUGGESTIONS = 3;

/** Returns the names most similar to a mistyped one, the most likely first; none if no name is similar. */
export function nearest(typed: string, names: Iterable<string>): string[] {
  if (typed === "") return [];
  const lower = typed.toLowerCase();
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const other = name.toLowerCase();
    const most = Math.max(1, Math.floor(Math.max(lower.length, other.length) / 3));
    // A name without its prefix is close too: "Voice" to plNetMsgVoice.
    const partial = lower.length >= 4 && other.includes(lower) ? most : Number.POSITIVE_INFINITY;
    const distance = Math.min(partial, Math.abs(other.length - lower.length) > most ? partial : edits(lower, other));
    if (distance <= most) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  return found.slice(0, MOST_SUGGESTIONS).map(({ name }) => name);
}

/** Most edits that turn a misspelt name into the one that is meant, if nothing else says that it is misspelt. */
const MOST_SLIPS = 2;

/**
 * Returns the name that a text certainly is meant for: one that differs by a slip or two, but not in its digits, as
 * "Message_7" does from "Message_8".
 */
export function misspelt(typed: string, names: Iterable<string>): string | undefined {
  const [name] = nearest(typed, names);
  if (name === undefined || digitsOf(name) !== digitsOf(typed)) return undefined;
  const slips = edits(typed.toLowerCase(), name.toLowerCase());
  return slips <= Math.min(MOST_SLIPS, Math.floor(typed.length / 4)) ? name : undefined;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** Returns "; did you mean x, y or z?", or nothing. */
export function suggestion(typed: string, names: Iterable<string>): string {
  const [last, ...others] = nearest(typed, names).reverse();
  if (last === undefined) return "";
  return `; did you mean ${others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`}?`;
}

/**
 * Returns the number of characters to insert, delete, replace, or exchange with their neighbour to turn one text into
 * the other (optimal string alignment).
 */
function edits(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    [twoAbove, above, row] = [above, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (twoAbove[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, exchanged, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
