import { readdirSync, readFileSync } from "node:fs";
import { atRoot } from "./root.js";

/** Where something is declared, and what that is made from, as the comments of its file say. */
interface DeclaredSource {
  /** From the project's root on. */
  readonly file: string;
  /** Empty if no comment says so. */
  readonly source: string;
}

const MODULE = "virtual:declared-sources";

/** What is called with a name, as declarations are, and comments, the last one of which that names a source applies. */
const NAMED = /\(\s*"([A-Z]\w{3,}|(?:cy|hs|pf|pl|pn|pro|sdl)\w+)"/g;
const COMMENT = /\/\*\*((?:(?!\*\/).)*?)\*\//gs;

/** By the names of declarations; some protocols have several of one name. */
function declaredSources(): ReadonlyMap<string, readonly DeclaredSource[]> {
  const found = new Map<string, DeclaredSource[]>();
  const files = readdirSync(atRoot("dissectors"), { recursive: true, encoding: "utf8" });
  for (const path of files.filter((one) => one.endsWith(".ts")).sort()) {
    const file = `dissectors/${path.replaceAll("\\", "/")}`;
    const text = readFileSync(atRoot(file), "utf8");
    const sources = [...text.matchAll(COMMENT)].map((match) => ({
      at: match.index,
      source: sourceIn(match[1] ?? ""),
    }));
    for (const { 1: name = "", index } of text.matchAll(NAMED)) {
      const source = sources.findLast((one) => one.at < index && one.source !== "")?.source ?? "";
      const known = found.get(name) ?? [];
      if (!known.some((one) => one.file === file)) known.push({ file, source });
      found.set(name, known);
    }
  }
  return found;
}

/** What stands behind "Source:" in a comment. */
function sourceIn(comment: string): string {
  const [, source = ""] = /Source: (.*)/s.exec(comment.replaceAll(/\s*\n\s*\*\s?/g, " ")) ?? [];
  // What follows is about parameters.
  return source.replace(/\s@.*/s, "").trim().replace(/\.$/, "");
}

/** Makes them a module, for a page that has no source code. */
export const declaredSourcesModule = {
  name: "declared-sources",
  resolveId: (id: string) => (id === MODULE ? MODULE : undefined),
  load: (id: string) => {
    if (id !== MODULE) return undefined;
    return `export const declaredSources = new Map(${JSON.stringify([...declaredSources()])});`;
  },
};
