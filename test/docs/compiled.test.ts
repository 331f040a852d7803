import { expect, it } from "vitest";
import { plUoid } from "../../dissectors/moul/common/pnKeyedObject/plUoid.js";
import { defaultLimits } from "../../src/limits.js";
import { Generator } from "../../src/schema/skim/generator.js";
import { Kept } from "../../src/schema/skim/kept.js";
import { Programs } from "../../src/schema/skim/programs.js";
import { SkimState } from "../../src/schema/skim/skim-state.js";
import { tableOf } from "../../src/schema/table/compile.js";
import { page } from "./pages.js";

it("the page about the architecture shows the code that is made of plUoid, with remarks", () => {
  const [, shown = ""] = /```js\n(.*?)\n```/s.exec(page("docs/ARCHITECTURE.md").text) ?? [];
  const { nodes, depth, notes } = defaultLimits;
  const programs = new Programs(new SkimState(nodes, depth, notes), new Kept());
  const made = new Generator(programs).struct(tableOf(plUoid.struct), { ending: "bounded", keep: "parts" });
  expect(shown.replace(/ +\/\/ .*/g, "")).toBe(`return ${made.toString()};`);
});
