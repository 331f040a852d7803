import { readFileSync } from "node:fs";
import { atRoot } from "./root.js";

const manifest: {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
} = JSON.parse(readFileSync(atRoot("package.json"), "utf8"));

/**
 * The source of each module that the package exports, by the name under which others import it: built-in dissectors
 * import the schema language as those from outside do.
 */
export const ownEntries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === "string") return [];
    const source = target.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts");
    return [[manifest.name + entry.slice(1), atRoot(source)]];
  }),
);
