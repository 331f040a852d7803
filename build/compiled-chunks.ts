import { createHash } from "node:crypto";
import type { Plugin } from "rolldown";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** The module that runs what this makes of chunks. */
const RUNS = "../src/platform/node/kept-code.js";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text of which parts are replaced. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? JSON.stringify(name.value) : name.name;
}

/** A chunk in two files: a function with its code, and a module that calls it with its imports. */
function split(code: string): { readonly script: string; readonly module: (script: string) => string } {
  const { program } = parseSync("chunk.js", code);
  const imports: string[] = [];
  const imported: string[] = [];
  const exports: { readonly local: string; readonly name: string }[] = [];
  const edits: Edit[] = [];
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      imports.push(code.slice(node.start, node.end));
      imported.push(...node.specifiers.map(({ local }) => local.name));
      edits.push({ ...node, text: "" });
    } else if (node.type === "ExportNamedDeclaration" && node.source === null && node.declaration === null) {
      for (const { local, exported } of node.specifiers) exports.push({ local: nameOf(local), name: nameOf(exported) });
      edits.push({ ...node, text: "" });
    } else if (node.type.startsWith("Export")) throw new Error(`${node.type} in a chunk`);
  }
  new Visitor({
    ImportExpression: ({ start, source }) => void edits.push({ start, end: source.start, text: "$import(" }),
    MetaProperty: ({ start, end, meta }) => {
      if (meta.name === "import") edits.push({ start, end, text: "$meta" });
    },
  }).visit(program);
  const locals = [...new Set(exports.map(({ local }) => local))].join(", ");
  const names = exports.map(({ local, name }) => (local === name ? name : `${local} as ${name}`)).join(", ");
  return {
    script: `(function ($import, $meta, ${imported.join(", ")}) {"use strict";\n${edited(code, edits)}\nreturn { ${locals} };\n})`,
    module: (script) =>
      [
        ...imports,
        `import { run } from "${RUNS}";`,
        `const { ${locals} } = run(new URL("./${script}", import.meta.url))((file) => import(file), import.meta, ${imported.join(", ")});`,
        `export { ${names} };\n`,
      ].join("\n"),
  };
}

/**
 * Makes scripts of large chunks, whose compiled code can be kept between runs, with that of the functions in them. Node.js
 * keeps code of modules from version 22 on, without functions that are compiled when they are first called, which are most.
 */
export function compiledChunks(files: readonly string[]): Plugin {
  return {
    name: "compiled-chunks",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !files.includes(chunk.fileName)) continue;
        const { script, module } = split(chunk.code);
        const file = `${chunk.name}-${createHash("sha256").update(script).digest("hex").slice(0, 8)}.script.js`;
        this.emitFile({ type: "asset", fileName: `shared/${file}`, source: script });
        chunk.code = module(file);
      }
    },
  };
}
