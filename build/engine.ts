import { defineConfig } from "rolldown";
import { forBrowsers } from "./for-browsers.js";
import { licencesBeside } from "./licences.js";

/** Bundles the engine into one file that a page can load as it is: what bundlers for browsers take for the engine. */
export default defineConfig({
  ...forBrowsers,
  input: { engine: "src/engine.ts" },
  plugins: [licencesBeside],
  output: { dir: "dist/browser", cleanDir: true, entryFileNames: "[name].js", codeSplitting: false, minify: true },
});
