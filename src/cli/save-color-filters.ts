import { parseColorRule } from "./options/color-filter.js";
import { colorFilterText } from "./options/color-filter-file.js";
import type { CaptureRun } from "./run/capture-run.js";
import { filedRules, type SummaryOptions } from "./summary-display.js";
import { UsageError } from "./usage-error.js";
import { OutputFile, type OutputOptions } from "./writing/output-file.js";
import { TextOutput } from "./writing/text-output.js";
import { written } from "./writing/written.js";

/**
 * Writes the colour filters of the options to a file, in the order in which they count.
 *
 * @throws UsageError if there are none, or the file may not be written
 */
export async function saveColorFilters(
  path: string,
  { colorFilter = [], colorFilters, force = false }: SummaryOptions & OutputOptions,
  run: CaptureRun,
): Promise<void> {
  const filed = colorFilters === undefined ? [] : await filedRules(colorFilters);
  const rules = [...colorFilter.map(parseColorRule), ...filed];
  if (rules.length === 0) throw new UsageError("--save-color-filters writes what --color-filter says: there is none");
  const file = await OutputFile.claim(path, { overwrites: force, inputs: run.prepared.inputs });
  if (!(await written(new TextOutput(file), colorFilterText(rules), run)))
    throw new UsageError(`${path} is not written`);
}
