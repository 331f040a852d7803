import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { filterWord } from "../../src/output/text/filter-word.js";
import { run } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { type Printed, pictureOf } from "./picture.js";

/** The picture in the README. `npm run golden` draws it again. */

const CAPTURE = sample("dirtsand-session.pcap");
const TITLE = "moul-dissect prints messages, one per line, and one of them as a tree of its fields";
const COMMANDS = [
  ["--format", "summary", "--time", "relative", "-Y", "number in {71 .. 76, 308 .. 316}"],
  ["-Y", "number == 316"],
];

/** The text of each line of a picture. */
function linesOf(svg: string): string[] {
  const lines: string[] = [];
  const parser = new SaxesParser();
  let inLine = false;
  parser.on("opentag", ({ name }) => {
    if (name !== "text") return;
    inLine = true;
    lines.push("");
  });
  parser.on("text", (text) => {
    if (inLine) lines.push((lines.pop() ?? "") + text);
  });
  parser.on("closetag", ({ name }) => {
    if (name === "text") inLine = false;
  });
  parser.write(svg).close();
  return lines;
}

const printed = oncePerName((color) =>
  Promise.all(
    COMMANDS.map(async (args): Promise<Printed> => {
      const { code, stdout, stderr } = await run([CAPTURE, ...args, "--color", color]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const words = args.map((word) => (word.includes(" ") ? filterWord(word) : word));
      return { command: `moul-dissect session.pcap ${words.join(" ")}`, output: stdout };
    }),
  ),
);

describe("the picture in the README", () => {
  it("is what the program prints now", async () => {
    const picture = pictureOf(TITLE, await printed("always"));
    await expect(picture).toMatchFileSnapshot(projectPath("docs/summary.svg"));
  });

  it("has the same text as the output without colours", async () => {
    const shown = await printed("never");
    const expected = shown.flatMap(({ command, output }, index) => {
      return [...(index > 0 ? [""] : []), `$ ${command}`, ...output.trimEnd().split("\n")];
    });
    expect(linesOf(pictureOf(TITLE, await printed("always")))).toEqual(expected);
  });
});
