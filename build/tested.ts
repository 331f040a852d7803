import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { declaredSourcesModule } from "./declared-sources.js";
import { ownEntries } from "./own-entries.js";
import { atRoot } from "./root.js";

/** Where the sources are built for tests. It looks like this package, so that external dissectors find the same there. */
const PACKAGE = atRoot("node_modules/.cache/moul-dissect/tested");
const BUILT = join(PACKAGE, "dist");
/** What gets the sources as they are. */
const OTHER_COPY = "test/support/another-copy.ts";
/** Made by the build of the page. */
const WORKER = "virtual:worker";

/** The module in which the package is looked for: it has to find the sources that are tested. */
const SELF = "src/platform/node/self-resolution.ts";

const isSource = (path: string) => /^(?:src|dissectors)\/.*(?<!\.d)\.ts$/.test(path);
const withSlashes = (path: string) => path.replaceAll("\\", "/");
const fromRoot = (file: string) => withSlashes(relative(atRoot(""), file));
const withoutEnding = (path: string) => path.replace(/\.ts$/, "");
const isPackage = (name: string) => !(name.startsWith(".") || isAbsolute(name) || name in ownEntries);

/**
 * Builds each source file into one that Node.js runs as it is: tests that import these take two thirds of the time that
 * they take with modules of Vitest, where each use of what is imported is a call. Files that stay the same are left
 * alone: another run of the tests may be using them.
 */
export async function buildTested(): Promise<void> {
  const sources = ["src", "dissectors"]
    .flatMap((folder) =>
      readdirSync(atRoot(folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .map(withSlashes)
    .filter(isSource);
  const bundle = await rolldown({
    input: Object.fromEntries(sources.map((path) => [withoutEnding(path), atRoot(path)])),
    platform: "node",
    moduleTypes: { ".lua": "text" },
    external: (name) => name === WORKER || (isPackage(name) && !name.startsWith("virtual:")),
    resolve: { alias: Object.fromEntries(Object.entries(ownEntries).map(([name, file]) => [`${name}$`, file])) },
    plugins: [declaredSourcesModule, { name: "places", transform: withOwnPlace }],
  });
  const { output } = await bundle.generate({
    format: "esm",
    preserveModules: true,
    preserveModulesRoot: atRoot(""),
    entryFileNames: "[name].js",
    // For debuggers.
    sourcemap: "inline",
  });
  await bundle.close();
  for (const file of output) if (file.type === "chunk") writeIfOther(join(BUILT, file.fileName), file.code);
  writeIfOther(join(PACKAGE, "package.json"), readFileSync(atRoot("package.json"), "utf8"));
}

/** Samples, the manifest and the page are where they are from the source file. */
function withOwnPlace(code: string, id: string): { readonly code: string; readonly map: null } | undefined {
  if (fromRoot(id) === SELF || !code.includes("import.meta.url")) return undefined;
  // Lines stay where they are.
  return { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)), map: null };
}

function writeIfOther(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    if (readFileSync(file, "utf8") === text) return;
  } catch {
    // It is a new one.
  }
  writeFileSync(file, text);
}

/** Gives tests the built sources. */
export const testedSources = {
  name: "tested-sources",
  enforce: "pre",
  resolveId: (name: string, importer: string | undefined) => {
    if (importer === undefined) return undefined;
    const from = fromRoot(importer);
    if (from === OTHER_COPY || isSource(from)) return undefined;
    const file = name.startsWith(".") ? resolve(dirname(importer), name.replace(/\.js$/, ".ts")) : ownEntries[name];
    if (file === undefined || !isSource(fromRoot(file))) return undefined;
    return withSlashes(join(BUILT, `${withoutEnding(fromRoot(file))}.js`));
  },
} as const;
