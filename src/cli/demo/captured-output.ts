import { Writable } from "node:stream";

/** Takes what a command prints, as if it were a terminal, so that it has the same width and colours. */
export class CapturedOutput extends Writable {
  text = "";

  /** @param columns the width of the terminal, if it is one */
  constructor(
    readonly isTTY: boolean,
    readonly columns: number,
  ) {
    super({
      write: (chunk: Uint8Array | string, _encoding, done) => {
        this.text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
        done();
      },
    });
  }

  /** The first lines, and how many there are in all. */
  lines(most: number): { readonly first: readonly string[]; readonly count: number } {
    const lines = this.text.replace(/\n$/, "").split("\n");
    return { first: lines.slice(0, most), count: lines.length };
  }
}
