import { chmod } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { defineConfig } from "rolldown";
import { ownEntries } from "./own-entries.js";

/** Modules that are loaded by path: the program, the one its workers run, and those the package exports. */
const entries = [
  "bin/moul-dissect",
  "src/cli/worker",
  "src/index",
  "src/engine",
  "src/dissector/dissector",
  "src/schema/index",
  "src/schema/words/big-endian",
  "src/schema/words/little-endian",
];

/**
 * Bundles the program into a few files: hundreds of small ones take twice as long to load. Code that several entries
 * need goes into shared files, so that external dissectors use the same schema language as the program.
 */
export default defineConfig({
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
  platform: "node",
  // The parts of Wireshark's plugin.
  moduleTypes: { ".lua": "text" },
  // Packages stay where npm put them.
  external: (name) => !name.startsWith(".") && !isAbsolute(name) && ownEntries[name] === undefined,
  resolve: { alias: Object.fromEntries(Object.entries(ownEntries).map(([name, file]) => [`${name}$`, file])) },
  // npm makes it executable only when it installs it: a link to it would fail after the next build.
  plugins: [{ name: "runnable", writeBundle: ({ dir = "dist" }) => chmod(join(dir, "bin", "moul-dissect.js"), 0o755) }],
  output: { dir: "dist", cleanDir: true, entryFileNames: "[name].js", chunkFileNames: "shared/[name].js" },
});
