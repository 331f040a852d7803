import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../dissectors", import.meta.url));

/** How sources begin that a row of `SOURCES.md` explains, by how that row begins. */
const EXPLAINED: readonly (readonly [row: string, source: RegExp])[] = [
  ['`specification "X"`', /^specification, |^specification "/],
  ["`auth_server`,", /^(auth_server|game_server|gatekeeper_server|protocol|vault|sdl|encryption_keys|documentation)\b/],
  ["`pnNetCli/pnNcCli.cpp`,", /^(sent by )?(Cli2\w+|p[lnf]\w+|CoreLib|NucleusLib)\//],
  ["`SDL/X.sdl`", /^SDL\/\w+\.sdl\b/],
  ["`DIRTSAND X.cpp`,", /^(DIRTSAND|MOULArs|NAGUS|MOSS)\b/],
  ["`corrections section N`", /^corrections section \d/],
  ["`facts, section N`", /^facts\b/],
  ['"the capture",', /^(truth of )?the capture\b/],
  ["`include/X of 2.4`,", /^(include\/|src\/|playing\.h).* of 2\.4/],
  ["RFC N", /^RFC \d+/],
];

function remarks(): { readonly file: string; readonly source: string }[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((file) => {
    const comments = readFileSync(file, "utf8").match(/\/\*\*[\s\S]*?\*\/|(?:^\s*\/\/.*\n)+/gm) ?? [];
    const texts = comments.map((comment) =>
      comment.replace(/\s*\*\/$|^\s*(?:\/\*\*|\*|\/\/)/gm, "").replace(/\s+/g, " "),
    );
    return texts.flatMap((text) => [...text.matchAll(/Source: (.*)/g)].map(([, source = ""]) => ({ file, source })));
  });
}

/** The rows of the table without its head. */
function rows(): string[] {
  const lines = readFileSync(join(folder, "SOURCES.md"), "utf8").split(/\r?\n/);
  return lines.filter((line) => line.startsWith("| ")).slice(1);
}

describe("the sources of declarations", () => {
  const all = remarks();
  const named = all.flatMap(({ file, source }) =>
    source.split(/; /).map((one) => `${one} (${file.slice(folder.length)})`),
  );

  it("are only such as SOURCES.md explains", () => {
    expect(all.length).toBeGreaterThan(300);
    expect(named.filter((one) => !EXPLAINED.some(([, known]) => known.test(one)))).toEqual([]);
  });

  it("are all that SOURCES.md explains", () => {
    expect(rows().map((row) => EXPLAINED.find(([beginning]) => row.startsWith(`| ${beginning} `))?.[0])).toEqual(
      EXPLAINED.map(([beginning]) => beginning),
    );
    expect(EXPLAINED.filter(([, known]) => !named.some((one) => known.test(one)))).toEqual([]);
  });
});
