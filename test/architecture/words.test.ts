import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { oldNames, type ReplacedWord, replacedWords } from "./replaced-words.js";

/** Code speaks the language of its field: words that were replaced by a term of the field do not come back. */

const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** Comments and strings, which are skipped, and names. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_$][\w$]*/g;

const sources = ["src", "dissectors", "bin"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/")),
);

/** The names in the code of a file, and the file's own. */
function namesIn(file: string, code: string): ReadonlySet<string> {
  const names = [...code.matchAll(TOKEN)].map(([token]) => token).filter((token) => /^[\w$]/.test(token));
  return new Set([basename(file, ".ts"), ...names]);
}

/** The words of a name in camel case, in capitals, or with hyphens: in lower case, and without the "s" of a plural. */
function wordsOf(name: string): readonly string[] {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[^A-Za-z\d]+/);
  return words.map((word) => word.toLowerCase().replace(/s$/, ""));
}

function has(name: string, words: readonly string[], { word, isWhole }: ReplacedWord): boolean {
  return isWhole ? name === word : words.includes(word);
}

/** The replaced words in a file, each with the name that has it and the term to use. */
function complaints(file: string, code: string): string[] {
  const due = replacedWords.filter(({ within }) => within.some((folder) => file.startsWith(`${folder}/`)));
  return [...namesIn(file, code)].flatMap((name) => {
    if (oldNames.get(name)?.includes(file)) return [];
    const words = wordsOf(name);
    return due.filter((one) => has(name, words, one)).map(({ term }) => `${file}: ${name}: the term is: ${term}`);
  });
}

function codeOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

describe("a replaced word", () => {
  it.each([
    ["src/network/fakes.ts", "", "fakes"],
    ["src/network/tcp.ts", "const isFake = 1;", "isFake"],
    ["src/network/tcp.ts", "this.#fakeTexts.clear();", "fakeTexts"],
    ["src/scrub/secrets.ts", "const MOST_FAKES = 1;", "MOST_FAKES"],
    ["src/schema/table/layout.ts", "class Run {}", "Run"],
  ])("is noticed in %s: %s", (file, code, name) => {
    expect(complaints(file, code)).toEqual([expect.stringContaining(`${file}: ${name}: the term is: `)]);
  });

  it.each([
    ["src/network/tcp.ts", '/* fake */ const real = "fake"; // fake'],
    ["src/capture/pcapng-blocks.ts", "const block = 1;"],
    ["dissectors/moul/plNetMessage/plNetMsgStreamHelper.ts", ""],
    ["src/pipeline/run.ts", "class Run {}"],
    ["src/schema/tree/nodes.ts", "addRun();"],
  ])("may mean something else: in %s: %s", (file, code) => {
    expect(complaints(file, code)).toEqual([]);
  });

  it("is in no name of code or of a file", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap((file) => complaints(file, codeOf(file)))).toEqual([]);
  });

  it("is still allowed only where it is needed", () => {
    const unneeded = [...oldNames].flatMap(([name, files]) =>
      files.filter((file) => !namesIn(file, codeOf(file)).has(name)).map((file) => `${file}: ${name}`),
    );
    expect(unneeded).toEqual([]);
  });
});
