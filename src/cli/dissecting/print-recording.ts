import type { Conversation, Direction, Message, Origin, RecognisedConversation } from "../../index.js";
import { colorless, type Palette } from "../../output/text/palette.js";
import type { RepeatedSessions } from "../../remarks/repeated-sessions.js";
import type { PrintingOptions } from "../dividing/printing.js";
import { displayOf, printsParts } from "../message-display.js";
import type { FailureWatch } from "../options/fail-on.js";
import { formatOf } from "../options/format.js";
import type { CaptureRun } from "../run/capture-run.js";
import { workersFor } from "../run/workers.js";
import { printsToTerminal } from "../writing/printing.js";
import { Findings } from "./findings.js";
import { readFirst } from "./read-first.js";
import type { Recording } from "./recordings.js";

/** What recordings share. */
interface Shared {
  readonly options: PrintingOptions;
  readonly colors: Palette;
  readonly watch: FailureWatch;
  /** Notices sessions that several captures have; undefined if they are one recording. */
  readonly sessions: RepeatedSessions | undefined;
}

/** Dissects a recording, and prints its messages and what is to be said about it. */
export async function printRecording(run: CaptureRun, recording: Recording, shared: Shared): Promise<void> {
  const { captures, alone } = recording;
  const { options, watch } = shared;
  // Columns need modules that most runs do not.
  const isDivided = formatOf(options) === "fields" && alone === undefined;
  const last = isDivided ? await (await import("./print-divided.js")).printDivided(run, captures, options, watch) : 0;
  if (last !== undefined) await printRest(run, recording, shared, last);
}

/** The same from some message on. @param last number of the last message that has been printed, if it is shown */
async function printRest(
  run: CaptureRun,
  { captures, alone }: Recording,
  { options, colors, watch, sessions }: Shared,
  last: number,
): Promise<void> {
  const { io, dissectors } = run.prepared;
  const { output } = run;
  const isTerminal = printsToTerminal(options, io);
  const label = formatOf(options) === "fields" || formatOf(options) === "json" ? undefined : alone?.label;
  const terminalWidth = isTerminal ? () => run.columns - (label?.width ?? 0) : undefined;
  const display = await displayOf(options, colors, dissectors, terminalWidth);
  const remark = (text: string) => run.remark(alone === undefined ? text : `${alone.label.name}: ${text}`);
  const firstPass = options.twoPass === true ? await readFirst(run, captures) : {};
  const workers =
    alone === undefined ? await workersFor(run, options, colors !== colorless || isTerminal, io) : undefined;
  const print = label === undefined ? display.print : (message: Message) => label.before(display.print(message));

  const most = options.count ?? Number.POSITIVE_INFINITY;
  const findings = new Findings();
  const { undecrypted, packets } = findings;
  const { requests } = display;
  const listener = (message: Message) => {
    if (findings.printed >= most) return;
    findings.seen++;
    // A fault counts even if it is not displayed.
    watch.see(message);
    undecrypted.see(message);
    const passes = display.passes(message);
    requests?.see(message, passes);
    if (!passes) return;
    findings.printed++;
    if (message.number <= last || workers?.takes(message) === true) return;
    (workers ?? output).write(print(message));
  };
  const goesOn = async () => {
    await workers?.caughtUp();
    return findings.printed < most;
  };
  if (alone !== undefined) sessions?.begin(alone.label.name);
  const work = {
    ...workers?.hooks,
    ...firstPass,
    ...(alone && { alone: alone.index }),
    listener,
    network: {
      began: (first: Origin) => {
        display.begin(first);
        workers?.began(first);
      },
      checksum: packets.checksum.bind(packets),
      comparesRepeats: true,
      opened: (conversation: Conversation) => {
        const conflict = packets.conflictsOf(conversation);
        return {
          ...sessions?.opened(conversation),
          recognised: (session: RecognisedConversation) => workers?.recognised(session),
          conflict: (_direction: Direction, differing: number) => conflict(differing),
        };
      },
    },
    checksums: options.checksums ?? false,
    // Messages that workers print are hardly looked at here; a filter looks at parts of those that are not printed.
    skims: options.filter !== undefined || printsParts(options) || (workers?.areTaking ?? false),
    goesOn,
    finish: () => workers?.finish(),
  };
  const result = await run.read(work, captures).finally(() => workers?.stop());
  const isWhole = findings.printed < most && !run.isInterrupted && !result.captures.includes("stopped");
  const isFilterWatched = options.filter !== undefined && io.stderr.isTTY === true;
  for (const text of findings.remarks({ result, requests, isWhole, isFilterWatched })) remark(text);
  const repeated = sessions?.remark();
  if (repeated !== undefined) run.remark(repeated);
}
