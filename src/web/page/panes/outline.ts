/** A line of an outline: those below it are deeper, and follow it. */
export interface OutlineLine {
  readonly depth: number;
}

export function hasChildren(lines: readonly OutlineLine[], index: number): boolean {
  const [line, next] = [lines[index], lines[index + 1]];
  return line !== undefined && next !== undefined && next.depth > line.depth;
}

export function parentOf(lines: readonly OutlineLine[], index: number): number | undefined {
  const depth = lines[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0; at--) if ((lines[at]?.depth ?? 0) < depth) return at;
  return undefined;
}

/** Indices of the lines that no closed one hides. */
export function visibleLines(lines: readonly OutlineLine[], closed: ReadonlySet<number>): number[] {
  const visible: number[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const [index, { depth }] of lines.entries()) {
    if (depth > hiddenBelow) continue;
    hiddenBelow = closed.has(index) ? depth : Number.POSITIVE_INFINITY;
    visible.push(index);
  }
  return visible;
}

/** The closed lines without those that hide a line. */
export function withoutParentsOf(
  lines: readonly OutlineLine[],
  closed: ReadonlySet<number>,
  index: number,
): ReadonlySet<number> {
  const next = new Set(closed);
  for (let at = parentOf(lines, index); at !== undefined; at = parentOf(lines, at)) next.delete(at);
  return next;
}

/** An outline as it is shown. */
export interface Outline {
  readonly lines: readonly OutlineLine[];
  readonly closed: ReadonlySet<number>;
  /** Indices of the lines that are shown, and of the selected one; -1 if none is. */
  readonly visible: readonly number[];
  readonly selected: number;
  /** Lines that fit on the screen. */
  readonly page: number;
}

/** What a key does in an outline: selects a line, or opens or closes the selected one. */
export type OutlineStep =
  | { readonly select: number }
  | { readonly toggle: number; readonly isClosed: boolean }
  | undefined;

/** @returns undefined if it is none of the keys */
export function stepInOutline(key: string, { lines, closed, visible, selected, page }: Outline): OutlineStep {
  const position = visible.indexOf(selected);
  const to = (place: number): OutlineStep => {
    const index = visible[Math.max(0, Math.min(visible.length - 1, place))];
    return index === undefined ? undefined : { select: index };
  };
  const toParent = (): OutlineStep => {
    const parent = parentOf(lines, selected);
    return parent === undefined ? undefined : { select: parent };
  };
  const isParent = hasChildren(lines, selected);
  switch (key) {
    case "ArrowDown":
      return to(position + 1);
    case "ArrowUp":
      return to(position - 1);
    case "PageDown":
      return to(position + page);
    case "PageUp":
      return to(position - page);
    case "Home":
      return to(0);
    case "End":
      return to(visible.length - 1);
    case "ArrowRight":
      return closed.has(selected) ? { toggle: selected, isClosed: false } : to(position + 1);
    case "ArrowLeft":
      return isParent && !closed.has(selected) ? { toggle: selected, isClosed: true } : toParent();
    case "Enter":
      return isParent ? { toggle: selected, isClosed: !closed.has(selected) } : undefined;
    case "Backspace":
      return toParent();
    default:
      return undefined;
  }
}
