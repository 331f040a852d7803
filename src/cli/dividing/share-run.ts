import type { Dissector } from "../../dissector/dissector.js";
import type { MessageListener } from "../../index.js";
import { defaultLimits, type Limits } from "../../limits.js";
import type { EngineOptions } from "../../pipeline/options.js";
import { runCaptures } from "../../pipeline/run.js";
import type { Share } from "../../pipeline/share.js";
import { captureAt } from "../../platform/node/capture-file.js";
import type { NetworkObserver } from "../../session/observer.js";
import { knownDissectors } from "../known-dissectors.js";
import { isInterpreting } from "../process-io.js";
import { dissectOptionsOf } from "../run/dissect-options.js";
import type { CaptureRunOptions } from "../run/options.js";
import type { DividedSetup } from "./setup.js";

/** What a thread knows before it begins. */
interface ShareContext {
  readonly dissectors: readonly Dissector[];
  readonly limits: Limits;
}

export async function shareContext({ options, files }: DividedSetup<CaptureRunOptions>): Promise<ShareContext> {
  const { all } = await knownDissectors(options);
  return { dissectors: all, limits: { ...defaultLimits, ...dissectOptionsOf(options, files, []).limits } };
}

/** What a thread reads captures for. */
interface ShareReading extends Pick<EngineOptions, "network" | "checksums"> {
  readonly share: Share;
  readonly listener: MessageListener;
  /** Called between blocks of input, and waited for; false ends the reading. */
  readonly between: () => Promise<boolean>;
}

/** Reads captures as the main thread does; whatever there is to say, that one says. */
export async function readShare(
  { options, files, captures, lengths }: DividedSetup<CaptureRunOptions>,
  { share, listener, between, ...wanted }: ShareReading,
): Promise<void> {
  await runCaptures(
    captures.map((path, index) => captureAt(path, lengths[index])),
    {
      ...dissectOptionsOf(options, files, []),
      ...wanted,
      skims: !isInterpreting(process.env),
      share,
      onClockSetBack: () => share.unusual("the clock was set back"),
      onInternalError: () => share.unusual("something failed"),
    },
    listener,
    between,
  );
}

/** Has nothing divided where bytes that came again differ: that is remarked on for each conversation, in order. */
export function conflictsIn({ unusual }: Pick<Share, "unusual">): Pick<NetworkObserver, "comparesRepeats" | "opened"> {
  const conflict = () => unusual("retransmitted bytes differ");
  return { comparesRepeats: true, opened: () => ({ conflict }) };
}
