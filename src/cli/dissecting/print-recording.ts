import { counted } from "../../common/counted.js";
import type { Conversation, Direction, Message, Origin, RecognisedConversation } from "../../index.js";
import { colorless, type Palette } from "../../output/text/palette.js";
import { nothingFound } from "../../remarks/packet-kinds.js";
import { PacketRemarks } from "../../remarks/packet-remarks.js";
import type { RepeatedSessions } from "../../remarks/repeated-sessions.js";
import { unansweredRemarks } from "../../remarks/unanswered.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import { type DisplayOptions, displayOf, printsParts } from "../message-display.js";
import type { FailureWatch } from "../options/fail-on.js";
import { formatOf } from "../options/format.js";
import type { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isReadable } from "../run/verdict.js";
import { workersFor } from "../run/workers.js";
import { printsToTerminal } from "../writing/printing.js";
import { readFirst } from "./read-first.js";
import type { Recording } from "./recordings.js";

/** The options that decide how a recording is read and printed. */
export interface RecordingOptions extends CaptureRunOptions, DisplayOptions {
  readonly checksums?: boolean;
  readonly count?: number;
  readonly threads?: number;
  readonly twoPass?: boolean;
}

/** What recordings share. */
interface Shared {
  readonly options: RecordingOptions;
  readonly colors: Palette;
  readonly watch: FailureWatch;
  /** Notices sessions that several captures have; undefined if they are one recording. */
  readonly sessions: RepeatedSessions | undefined;
}

/** Dissects a recording, and prints its messages and what is to be said about it. */
export async function printRecording(
  run: CaptureRun,
  { captures, alone }: Recording,
  { options, colors, watch, sessions }: Shared,
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
  const undecrypted = new Undecrypted();
  const ofPackets = new PacketRemarks();
  const { requests } = display;
  let seen = 0;
  let printed = 0;
  const listener = (message: Message) => {
    if (printed >= most) return;
    seen++;
    // A fault counts even if it is not displayed.
    watch.see(message);
    undecrypted.see(message);
    const passes = display.passes(message);
    requests?.see(message, passes);
    if (!passes) return;
    printed++;
    if (workers?.takes(message) === true) return;
    (workers ?? output).write(print(message));
  };
  const goesOn = async () => {
    await workers?.caughtUp();
    return printed < most;
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
      checksum: ofPackets.checksum.bind(ofPackets),
      comparesRepeats: true,
      opened: (conversation: Conversation) => {
        const conflict = ofPackets.conflictsOf(conversation);
        return {
          ...sessions?.opened(conversation),
          recognised: (session: RecognisedConversation) => workers?.recognised(session),
          conflict: (_direction: Direction, differing: number) => conflict(differing),
        };
      },
    },
    checksums: options.checksums ?? false,
    // Workers build the trees of the messages that they print; a filter looks at parts of the others.
    skims: workers !== undefined || options.filter !== undefined || printsParts(options),
    goesOn,
    finish: () => workers?.finish(),
  };
  const result = await run.read(work, captures).finally(() => workers?.stop());
  for (const text of [...undecrypted.remarks(), ...ofPackets.remarks(result.packets)]) remark(text);
  // Of a capture that was not read to its end, nobody knows.
  const isWhole = printed < most && !run.isInterrupted && !result.captures.includes("stopped");
  if (requests !== undefined && isWhole) for (const text of unansweredRemarks(requests)) remark(text);
  const repeated = sessions?.remark();
  if (repeated !== undefined) run.remark(repeated);
  if (seen === 0 && isReadable(result)) remark(nothingFound(result.packets));
  const passesNone = options.filter !== undefined && printed === 0 && seen > 0;
  if (passesNone && io.stderr.isTTY === true) remark(nonePasses(seen));
}

/** What a terminal says if there is nothing to see: a filter may be mistaken in ways that nothing else shows. */
function nonePasses(seen: number): string {
  return `0 of ${counted(seen, "message")} ${seen === 1 ? "passes" : "pass"}`;
}
