/** Draws what the program prints on a terminal as an SVG, with its colours. */

/** A command line, as a user types it, and its output with escape sequences for colours. */
export interface Printed {
  readonly command: string;
  readonly output: string;
}

/** A piece of text in one style: the classes of its `tspan`. */
interface Span {
  readonly text: string;
  readonly style: string;
}

const FONT_SIZE = 12;
/** Width of a character: most monospaced fonts have 0.6 of their size. */
const ADVANCE = 0.6 * FONT_SIZE;
const LINE_HEIGHT = 17;
const MARGIN = 16;

/** Colours on a dark ground, by the number of the SGR code (ECMA-48, section 8.3.117) that stands for them. */
const COLORS: ReadonlyMap<number, string> = new Map([
  [31, "#ff7b72"],
  [32, "#7ee787"],
  [33, "#e3b341"],
  [34, "#79c0ff"],
  [35, "#e2a0ff"],
  [36, "#56d4dd"],
  [95, "#ffb3ff"],
  [96, "#a5f3fc"],
]);

/** An SVG of a terminal in which these commands were run. */
export function pictureOf(title: string, commands: readonly Printed[]): string {
  const lines = commands.flatMap(({ command, output }, index): (readonly Span[])[] => [
    ...(index > 0 ? [[]] : []),
    [
      { text: "$ ", style: "faint" },
      { text: command, style: "strong" },
    ],
    ...output.trimEnd().split("\n").map(spansOf),
  ]);
  const columns = Math.max(...lines.map((spans) => spans.reduce((sum, { text }) => sum + [...text].length, 0)));
  const width = Math.ceil(columns * ADVANCE) + 2 * MARGIN;
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const rules = [...COLORS].map(([code, color]) => `.c${code} { fill: ${color} }`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; fill: #d6dde5; white-space: pre }
.strong { font-weight: bold; fill: #ffffff }
.faint { fill: #8b98a5 }
${rules.join("\n")}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#10161d"/>
${lines.map(lineOf).join("\n")}
</svg>
`;
}

function lineOf(spans: readonly Span[], index: number): string {
  let column = 0;
  const drawn = spans.map(({ text, style }) => {
    // Each piece has a place of its own, so that columns are straight in whatever font there is.
    const x = (MARGIN + column * ADVANCE).toFixed(1).replace(/\.0$/, "");
    column += [...text].length;
    return `<tspan x="${x}"${style === "" ? "" : ` class="${style}"`}>${escaped(text)}</tspan>`;
  });
  const y = MARGIN + (index + 1) * LINE_HEIGHT - (LINE_HEIGHT - FONT_SIZE);
  return `<text y="${y}" xml:space="preserve">${drawn.join("")}</text>`;
}

/** Splits a line at its escape sequences for colours (SGR). */
function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let weight = "";
  let color = "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins every escape sequence
  for (const [index, part] of line.split(/\u001b\[(\d+)m/).entries()) {
    if (index % 2 === 0) {
      if (part !== "") spans.push({ text: part, style: [weight, color].filter((one) => one !== "").join(" ") });
      continue;
    }
    const code = Number(part);
    if (code === 1) weight = "strong";
    else if (code === 2) weight = "faint";
    else if (code === 22) weight = "";
    else if (code === 39) color = "";
    else if (COLORS.has(code)) color = `c${code}`;
    else throw new Error(`the picture has no form for the code ${code}`);
  }
  return spans;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
