import type { CaptureSource } from "../capture/source.js";
import { UsageError } from "../common/usage-error.js";

/** The name that the library gives itself in the captures it writes. */
export const APPLICATION = "moul-dissect";

/** @throws UsageError if one of the captures can be read only once */
export function refuseReadOnce(sources: readonly CaptureSource[], what: string): void {
  const once = sources.find(({ isReadOnce }) => isReadOnce === true);
  if (once !== undefined) throw new UsageError(`${what} reads it twice, which ${once.name} does not allow`);
}
