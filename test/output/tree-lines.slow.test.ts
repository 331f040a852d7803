import { describe, expect, it } from "vitest";
import { dissectCaptures } from "../../src/index.js";
import { colorless } from "../../src/output/text/palette.js";
import { TextTree } from "../../src/output/text/text-tree.js";
import { TimeColumn } from "../../src/output/text/time-column.js";

const RANGE = /^ *(?:\d+:)?\d+\.\.\d+ /;

describe("lines of a tree", () => {
  it.each(["dirtsand-session", "nagus-session"])("%s: are those of the tree, without their margins", async (sample) => {
    const tree = new TextTree({ colors: colorless, times: new TimeColumn("absolute"), hex: false });
    let seen = 0;
    const sizes: string[] = [];
    await dissectCaptures([`samples/${sample}.pcap`], {}, (message) => {
      const whole = new TextDecoder().decode(tree.message(message)).trimEnd();
      const lines = tree.lines(message);
      const [heading = "", ...others] = whole.split("\n");
      expect(tree.heading(message)).toBe(heading);
      expect(lines.map(({ text }) => text)).toEqual(others.map((line) => line.replace(RANGE, "").trimStart()));
      // Each has the depth of its indentation: after the range of its bytes, a blank, and two for each level.
      if (message.nodes !== undefined) {
        expect(lines.map(({ depth }) => depth)).toEqual(
          others.map((line) => (line.slice(14).length - line.slice(14).trimStart().length - 1) / 2),
        );
      }
      seen++;
      if (lines.some(({ kind }) => kind !== "field")) sizes.push(message.name);
    });
    expect(seen).toBeGreaterThan(400);
    expect(sizes.length).toBeGreaterThan(0);
  });
});
