import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig, rolldown } from "rolldown";
import { declaredSourcesModule } from "./declared-sources.js";
import { forBrowsers } from "./for-browsers.js";
import { licencesOf, modulesIn } from "./licences.js";
import { atRoot } from "./root.js";

const WORKER = "virtual:worker";
const PLOT_STYLE = atRoot("node_modules/uplot/dist/uPlot.min.css");

/** The modules in the worker, once it is built. */
let inWorker: readonly string[] = [];

/** The worker as one script, which the page starts from its text: a page that is one file has no other place for it. */
async function workerSource(): Promise<string> {
  const input = atRoot("src/web/worker/main.ts");
  const bundle = await rolldown({ ...forBrowsers, input, plugins: [declaredSourcesModule] });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false, minify: true });
  await bundle.close();
  inWorker = output[0].moduleIds;
  return output[0].code;
}

/**
 * Puts style and script into the page, whose content security policy allows just this script.
 *
 * @param licences those of the packages in it
 */
function writePage(script: string, licences: string): void {
  // Nothing in it may end the element that it is in.
  const safe = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const hash = createHash("sha256").update(safe).digest("base64");
  const style = [PLOT_STYLE, atRoot("src/web/page/style.css")];
  const page = readFileSync(atRoot("src/web/page/index.html"), "utf8")
    .replace("SCRIPT_HASH", () => `sha256-${hash}`)
    .replace("STYLE", () => style.map((file) => readFileSync(file, "utf8")).join("\n"))
    .replace("SCRIPT", () => safe);
  mkdirSync(atRoot("dist/web"), { recursive: true });
  // Nothing in the licences may end the comment.
  const comment = `<!--\nThe packages in this page:\n\n${licences.replaceAll("--", "==")}-->\n`;
  writeFileSync(atRoot("dist/web/moul-dissect.html"), page + comment);
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
        const licences = licencesOf([...modulesIn(bundle), ...inWorker, PLOT_STYLE]);
        for (const [file, output] of Object.entries(bundle)) {
          if (output.type === "chunk") writePage(output.code, licences);
          delete bundle[file];
        }
      },
    },
  ],
  output: { dir: "dist/web", format: "esm", codeSplitting: false, minify: true },
});
