import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig, rolldown } from "rolldown";
import { declaredSourcesModule } from "./declared-sources.js";
import { forBrowsers } from "./for-browsers.js";
import { atRoot } from "./root.js";

const WORKER = "virtual:worker";

/** The worker as one script, which the page starts from its text: a page that is one file has no other place for it. */
async function workerSource(): Promise<string> {
  const input = atRoot("src/web/worker/main.ts");
  const bundle = await rolldown({ ...forBrowsers, input, plugins: [declaredSourcesModule] });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false, minify: true });
  await bundle.close();
  return output[0].code;
}

/** Puts style and script into the page, whose content security policy allows just this script. */
function writePage(script: string): void {
  // Nothing in it may end the element that it is in.
  const safe = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const hash = createHash("sha256").update(safe).digest("base64");
  const style = ["node_modules/uplot/dist/uPlot.min.css", "src/web/page/style.css"];
  const page = readFileSync(atRoot("src/web/page/index.html"), "utf8")
    .replace("SCRIPT_HASH", () => `sha256-${hash}`)
    .replace("STYLE", () => style.map((file) => readFileSync(atRoot(file), "utf8")).join("\n"))
    .replace("SCRIPT", () => safe);
  mkdirSync(atRoot("dist/web"), { recursive: true });
  writeFileSync(atRoot("dist/web/moul-dissect.html"), page);
}

/** Builds the page: one file with everything in it, which works from any place, also without a server. */
export default defineConfig({
  input: atRoot("src/web/page/main.tsx"),
  platform: "browser",
  tsconfig: atRoot("src/web/tsconfig.json"),
  plugins: [
    {
      name: "worker",
      resolveId: (id) => (id === WORKER ? WORKER : undefined),
      load: async (id) => (id === WORKER ? `export default ${JSON.stringify(await workerSource())};` : undefined),
    },
    {
      name: "page",
      generateBundle(_options, bundle) {
        for (const [file, output] of Object.entries(bundle)) {
          if (output.type === "chunk") writePage(output.code);
          delete bundle[file];
        }
      },
    },
  ],
  output: { dir: "dist/web", format: "esm", codeSplitting: false, minify: true },
});
