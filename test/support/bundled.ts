import { rolldown } from "rolldown";
import { forBrowsers } from "../../build/for-browsers.js";
import { projectPath } from "./project-path.js";

/** A source file bundled for browsers into one module, and what it would still import. */
export async function bundled(entry: string): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const bundle = await rolldown({ ...forBrowsers, input: entry, cwd: projectPath("") });
  try {
    const { output } = await bundle.generate({ codeSplitting: false });
    const [{ code, fileName, imports, dynamicImports }] = output;
    return { code, imports: [...imports, ...dynamicImports].filter((name) => name !== fileName) };
  } finally {
    await bundle.close();
  }
}
