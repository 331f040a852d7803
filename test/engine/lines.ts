import {
  type CaptureInput,
  captureOf,
  colorless,
  type FileInMemory,
  jsonLine,
  jsonTreeLine,
  runCaptures,
  summaryLines,
  TextTree,
  TimeColumn,
} from "../../src/engine.js";

/** Everything that is said of the messages of a capture: JSON, both trees, and the summary. */
export async function linesOf(
  { name, bytes }: { readonly name: string; readonly bytes: CaptureInput },
  keys: readonly FileInMemory[],
): Promise<string> {
  const times = new TimeColumn("absolute");
  const summary = summaryLines(times, colorless);
  const tree = new TextTree({ colors: colorless, times, hex: false });
  const decoder = new TextDecoder();
  let lines = "";
  await runCaptures([captureOf(bytes, name)], { keys }, (message) => {
    lines += jsonLine(message) + jsonTreeLine(message);
    lines += decoder.decode(summary(message));
    lines += decoder.decode(tree.message(message));
  });
  return lines;
}
