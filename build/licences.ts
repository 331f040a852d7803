import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputBundle, Plugin } from "rolldown";

/** What is read of the manifest of a package. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

/** The folder of the package that a module is from; npm puts those of other versions into the packages that need them. */
const IN_PACKAGE = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENCE_FILE = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

/**
 * The licences of the packages that modules are from, each in its own words: whoever passes a bundle on has to pass them
 * on, too.
 *
 * @param modules paths of modules; those that are in no package are ours
 */
export function licencesOf(modules: Iterable<string>): string {
  const folders = [...modules].flatMap((id) => IN_PACKAGE.exec(id)?.[1] ?? []);
  const licences = new Map<string, string>();
  for (const folder of new Set(folders)) {
    const { name, version, ...manifest }: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((one) => LICENCE_FILE.test(one));
    const text = file === undefined ? statedIn(name, manifest) : readFileSync(join(folder, file), "utf8");
    licences.set(`${name} ${version}`, text.replaceAll("\r\n", "\n").trim());
  }
  const sorted = [...licences].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([title, text]) => `${title}\n${"-".repeat(title.length)}\n\n${text}\n`).join("\n\n");
}

/** Paths of the modules in a bundle. */
export function modulesIn(bundle: OutputBundle): string[] {
  return Object.values(bundle).flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
}

/** Puts the licences of what is in a bundle beside it. */
export const licencesBeside: Plugin = {
  name: "licences",
  generateBundle(_options, bundle) {
    this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: licencesOf(modulesIn(bundle)) });
  },
};

/** For a package without a file of its licence. */
function statedIn(name: string, { license, author }: Omit<Manifest, "name" | "version">): string {
  if (license === undefined) throw new Error(`the package "${name}" is bundled, and does not name its licence`);
  const by = typeof author === "object" ? author.name : author;
  return `License: ${license}${by === undefined ? "" : `\nAuthor: ${by}`}`;
}
