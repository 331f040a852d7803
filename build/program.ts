import { chmod } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { type ChunkingContext, defineConfig } from "rolldown";
import { compiledChunks } from "./compiled-chunks.js";
import { licencesBeside } from "./licences.js";
import { ownEntries } from "./own-entries.js";

/** Modules that are loaded by path: the program, those its workers run, and those the package exports. */
const entries = [
  "bin/moul-dissect",
  "src/cli/worker",
  "src/cli/dataset/row-worker",
  "src/cli/dividing/counting-worker",
  "src/cli/dividing/printing-worker",
  "src/index",
  "src/engine",
  "src/dissector/dissector",
  "src/schema/index",
  "src/schema/words/big-endian",
  "src/schema/words/little-endian",
  "src/platform/node/kept-code",
];

/** What external dissectors import, which must not bring the program along. */
const FOR_DISSECTORS = entries.filter((entry) => /^src\/(?:schema|dissector)\//.test(entry));
/** What messages of captures are printed with: the usual run, in one file. */
const FOR_MESSAGES = ["src/cli/program", "src/cli/commands/dissect"];
/** Packages that every run loads: in files of ours, their compiled code is kept, and nothing has to find them. */
const IN_OURS = ["commander", "lz4-browser", "pako", "pcap-parser"];
/** What `--version` needs, which must not bring the program along either. */
const FOR_VERSION = ["src/cli/version"];

const isOwn = (name: string) => name.startsWith(".") || isAbsolute(name) || ownEntries[name] !== undefined;

/** The modules that some of ours import, directly or through others. */
function importedBy(files: readonly string[], context: ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id) || !isAbsolute(id)) return;
    found.add(id);
    for (const imported of [...(context.getModuleInfo(id)?.importedIds ?? [])]) visit(imported);
  };
  for (const file of files) visit(resolve(`${file}.ts`));
  return found;
}

/** A shared file of all that some modules import. */
function fileOf(name: string, files: readonly string[], priority: number) {
  let modules: ReadonlySet<string> | undefined;
  const nameOf = (id: string, context: ChunkingContext) => {
    modules ??= importedBy(files, context);
    return modules.has(id) ? name : undefined;
  };
  return { name: nameOf, debugName: name, priority };
}

/**
 * Bundles the program into a few files: hundreds of small ones take twice as long to load. Code that several entries
 * need goes into shared files, so that external dissectors use the same schema language as the program.
 */
export default defineConfig({
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
  platform: "node",
  // The parts of Wireshark's plugin.
  moduleTypes: { ".lua": "text" },
  // Other packages stay where npm put them.
  external: (name) => !isOwn(name) && !IN_OURS.includes(name),
  resolve: { alias: Object.fromEntries(Object.entries(ownEntries).map(([name, file]) => [`${name}$`, file])) },
  // npm makes it executable only when it installs it: a link to it would fail after the next build.
  plugins: [
    compiledChunks(["shared/schema.js", "shared/messages.js"]),
    licencesBeside,
    { name: "runnable", writeBundle: ({ dir = "dist" }) => chmod(join(dir, "bin", "moul-dissect.js"), 0o755) },
  ],
  output: {
    dir: "dist",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    codeSplitting: {
      groups: [
        fileOf("version", FOR_VERSION, 3),
        fileOf("schema", FOR_DISSECTORS, 2),
        fileOf("messages", FOR_MESSAGES, 1),
      ],
    },
  },
});
