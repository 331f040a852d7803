import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Everything that the package exports to programs is documented where it is declared, so that editors show it. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest: { readonly exports: Readonly<Record<string, { readonly types?: string }>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The source files of the package's entries, by the name of the entry. */
const entries = Object.entries(manifest.exports).flatMap(([name, { types }]) => {
  // Generated from the declarations, with their docs: see message-types.integration.test.ts.
  return types === undefined || name === "./messages"
    ? []
    : [[name, types.replace(/^\.\/dist\//, "").replace(/\.d\.ts$/, ".ts")] as const];
});

const DECLARATION = /^export (?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|enum) (\w+)/;

interface Export {
  readonly name: string;
  readonly documented: boolean;
}

/** The exports of a file, including re-exports. */
function exportsOf(file: string): Export[] {
  const text = readFileSync(join(root, file), "utf8");
  const lines = text.split("\n");
  const own = lines.flatMap((line, index): Export[] => {
    const name = DECLARATION.exec(line)?.[1];
    return name === undefined ? [] : [{ name, documented: lines[index - 1]?.trim().endsWith("*/") === true }];
  });
  const passedOn = [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from "(.+?)";/gm)].flatMap(
    ([, what = "", from]) => {
      const there = exportsOf(join(dirname(file), from ?? "").replace(/\.js$/, ".ts"));
      if (what === "*") return there;
      const names = [...what.matchAll(/(?:type )?(\w+)(?=\s*[,}])/g)].map(([, name = ""]) => name);
      return names.map((name) => {
        // A value and its type may share a name: both need documentation.
        const found = there.filter((one) => one.name === name);
        return { name, documented: found.length > 0 && found.every(({ documented }) => documented) };
      });
    },
  );
  return [...own, ...passedOn];
}

describe.each(entries)("the entry %s", (_, file) => {
  const all = exportsOf(file);

  it("exports something", () => expect(all.length).toBeGreaterThan(5));

  it("documents everything it exports", () => {
    expect(all.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([]);
  });
});
