import { expect, it } from "vitest";
import { followed } from "../../src/output/text/follow.js";
import { colorless } from "../../src/output/text/palette.js";
import { struct, text } from "../../src/schema/index.js";
import { messageOf } from "../filter/support/messages.js";

it("the text of a message keeps its blanks and empty lines", () => {
  const said = " ab  \n\n   \nc\t ";
  const Said = struct("Said", { text: text(said.length) });
  const [, ...lines] = followed(messageOf(Said, Buffer.from(said).toString("hex")), "text", colorless).split("\n");
  expect(lines).toEqual(["   ab  ", "", "     ", "  c. ", "", ""]);
});
