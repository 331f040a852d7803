import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig, type Plugin } from "rolldown";
import { ownEntries } from "./own-entries.js";
import { atRoot } from "./root.js";

/** Runs a bundle, which is a single module, and puts the text that it makes in its place. */
const running: Plugin = {
  name: "running",
  async generateBundle(_options, bundle) {
    const folder = mkdtempSync(atRoot("node_modules/.skims-"));
    try {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const file = join(folder, "run.mjs");
        writeFileSync(file, chunk.code);
        const { moduleText }: { readonly moduleText: () => string } = await import(pathToFileURL(file).href);
        chunk.code = moduleText();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** What skims the built-in protocols' messages, where no code may be made of strings while the program runs. */
export default defineConfig({
  input: { "prebuilt-skims": "build/skims/every-skim.ts" },
  platform: "node",
  external: (name) => !name.startsWith(".") && !/^[/\\]|^[A-Za-z]:/.test(name) && ownEntries[name] === undefined,
  resolve: { alias: Object.fromEntries(Object.entries(ownEntries).map(([name, file]) => [`${name}$`, file])) },
  plugins: [running],
  output: { dir: "dist/src/cli", entryFileNames: "[name].js", codeSplitting: false },
});
