import { readFileSync } from "node:fs";
import { projectPath } from "../support/project-path.js";

/** A line of `explained.txt`. */
interface Line {
  readonly file: string;
  readonly streams: string;
  readonly reason: string;
}

/** Reasons for differences, by capture and stream, from `explained.txt`. */
export class Explained {
  readonly #lines: readonly Line[];

  /** @param text lines of three columns separated by tabs: the end of the file's path, the streams, the reason */
  constructor(text: string) {
    this.#lines = text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const [file, streams, reason, ...rest] = line.split("\t");
        if (file === undefined || streams === undefined || reason === undefined || rest.length > 0) {
          throw new Error(`explained.txt: not three columns: ${line}`);
        }
        return { file, streams, reason };
      });
  }

  static read(): Explained {
    return new Explained(readFileSync(projectPath("test/foreign/explained.txt"), "utf8"));
  }

  /** @param stream as in a difference: a number, several joined by "+", or "own" with this program's numbers */
  reason(file: string, stream: string): string | undefined {
    const line = this.#lines.find(
      (known) =>
        `/${file}`.endsWith(`/${known.file}`) && (known.streams === "*" || known.streams.split(",").includes(stream)),
    );
    return line?.reason;
  }
}
