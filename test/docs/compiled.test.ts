import { expect, it } from "vitest";
import { plUoid } from "../../dissectors/moul/common/plUoid.js";
import { defaultLimits } from "../../src/limits.js";
import { Generator } from "../../src/schema/skim/generator.js";
import { Programs } from "../../src/schema/skim/programs.js";
import { SkimState } from "../../src/schema/skim/skim-state.js";
import { tableOf } from "../../src/schema/table/compile.js";
import { page } from "./pages.js";

it("the page about the architecture shows the code that is made of plUoid, with remarks", () => {
  const [, shown = ""] = /```js\n(.*?)\n```/s.exec(page("docs/ARCHITECTURE.md").text) ?? [];
  const made = new Generator(new Programs(new SkimState(defaultLimits.nodes, defaultLimits.depth))).struct(
    tableOf(plUoid.struct),
    "bounded",
  );
  expect(shown.replace(/ +\/\/ .*/g, "")).toBe(`return ${made.toString()};`);
});
