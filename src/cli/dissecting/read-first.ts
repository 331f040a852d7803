import { AnswerBook } from "../../pipeline/answer-book.js";
import type { RunHooks } from "../../pipeline/options.js";
import { captureName, isReadOnce } from "../../platform/node/capture-file.js";
import { fileSizes } from "../file-size.js";
import type { CaptureRun } from "../run/capture-run.js";
import { UsageError } from "../usage-error.js";

/**
 * Reads captures for what only later messages tell about earlier ones.
 *
 * @throws UsageError if a capture cannot be read twice
 */
export async function readFirst(
  run: CaptureRun,
  captures: readonly string[],
): Promise<Pick<RunHooks, "answeredBy"> & { readonly lengths: readonly number[] }> {
  for (const capture of captures) {
    if (!(await isReadOnce(capture))) continue;
    const name = captureName(capture);
    throw new UsageError(`--two-pass reads a capture twice, which ${name} does not allow: save it to a file first`);
  }
  // What comes later, to a capture that is still growing, is not part of it.
  const lengths = (await fileSizes(captures)) ?? [];
  const book = new AnswerBook();
  await run.read({ lengths, listener: (message) => book.see(message), skims: true, isRepeat: true }, captures);
  return { answeredBy: book.answeredBy, lengths };
}
