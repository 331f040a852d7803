import { cutStart, widthOf } from "../../output/writers/text-width.js";
import type { DisplayOptions } from "../message-display.js";
import { formatOf } from "../options/format.js";

/** The column for the name of a capture. */
const CAPTURE = "capture.name";
/** Most columns for the name of a capture, of which the end says more than the beginning. */
const WIDEST = 24;

/** The name of a capture before each of its lines. */
export class Label {
  readonly #text: string;

  /** @param most how many columns the names of all captures need, if there is room */
  constructor(
    /** Safe for a terminal. */
    readonly name: string,
    most: number,
  ) {
    const { text, width } = cutStart(name, Math.min(most, WIDEST));
    this.#text = `${text}${" ".repeat(Math.max(0, Math.min(most, WIDEST) - width))} `;
  }

  /** Columns that it takes, with the blank after it. */
  get width(): number {
    return widthOf(this.#text);
  }

  /** Puts it before a printed message, however many lines that has. */
  before(printed: string | Uint8Array): string {
    return this.#text + (typeof printed === "string" ? printed : Buffer.from(printed).toString());
  }
}

/** Options for which the name of the capture is the first column. */
export function withCaptureColumn<O extends DisplayOptions>(options: O): O {
  if (formatOf(options) !== "fields" || options.field === undefined) return options;
  return { ...options, field: [CAPTURE, ...options.field.filter((path) => path !== CAPTURE)] };
}
