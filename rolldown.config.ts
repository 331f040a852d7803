import { chmod } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { defineConfig } from "rolldown";

/** What is loaded by its path: the program, what its threads run, and what the package exports. */
const entries = [
  "bin/moul-dissect",
  "src/cli/threads/helper",
  "src/index",
  "src/session/dissector",
  "src/schema/index",
  "src/schema/big-endian",
  "src/schema/little-endian",
];

/**
 * The program in a few files: hundreds of small ones take twice as long to load. What several entries need is in shared
 * files, so that dissectors from outside have the same schema language as the program.
 */
export default defineConfig({
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
  platform: "node",
  // Packages stay where npm has put them.
  external: (name) => !name.startsWith(".") && !isAbsolute(name),
  // npm makes it one that can be run only where it installs it: a link to it would fail behind the next build.
  plugins: [{ name: "runnable", writeBundle: ({ dir = "dist" }) => chmod(join(dir, "bin", "moul-dissect.js"), 0o755) }],
  output: { dir: "dist", cleanDir: true, entryFileNames: "[name].js", chunkFileNames: "shared/[name].js" },
});
