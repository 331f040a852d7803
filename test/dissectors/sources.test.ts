import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../dissectors", import.meta.url));

/** What `SOURCES.md` explains. */
const EXPLAINED = [
  /^(specification|auth_server|game_server|gatekeeper_server|protocol|vault|sdl|encryption_keys|documentation)\b/,
  /^(corrections section|facts\b|section \d)/,
  /^(sent by )?(Cli2\w+|p[lnf]\w+|[A-Z]\w+Lib|CoreLib|NucleusLib)\b/,
  /^(the client's|DIRTSAND|MOULArs|NAGUS|MOSS|(include\/|src\/|playing\.h).* of 2\.4)/,
  /^(truth of the capture|the capture|RFC \d+)/,
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

it("names only sources that SOURCES.md explains", () => {
  const all = remarks();
  expect(all.length).toBeGreaterThan(300);
  const named = all.flatMap(({ file, source }) =>
    source.split(/; /).map((one) => `${one} (${file.slice(folder.length)})`),
  );
  expect(named.filter((one) => !EXPLAINED.some((known) => known.test(one)))).toEqual([]);
});
