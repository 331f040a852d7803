const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const HEIGHTS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** A bar as long as a share (0 to 1) of a number of columns; a share above zero is always visible. */
export function bar(share: number, columns: number): string {
  if (!(share > 0)) return "";
  const eighths = Math.max(1, Math.round(Math.min(1, share) * columns * 8));
  return (EIGHTHS[8] ?? "").repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}

/** Numbers as a line of bars side by side; a blank stands for zero. */
export function sparkline(values: readonly number[]): string {
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  return values
    .map((value) => (value > 0 ? (HEIGHTS[Math.ceil((value / highest) * HEIGHTS.length) - 1] ?? "") : " "))
    .join("");
}
