import { suggestion } from "../../../common/nearest.js";
import { objectStateText, variablesLine, variablesText } from "../../../output/state/variables.js";
import { palette } from "../../../output/text/terminal-palette.js";
import { VariableLog } from "../../../state/variable-log.js";
import type { CommandLine } from "../../command-line.js";
import { type ColorOptions, takesColor } from "../../options/color.js";
import { untilMoment } from "../../options/moment.js";
import {
  addCaptureOptions,
  capturesArgument,
  filterOption,
  givenName,
  jsonOption,
  pagerOption,
} from "../../options/shared.js";
import type { ProcessIo } from "../../process-io.js";
import { CaptureRun } from "../../run/capture-run.js";
import { pageUnlessLive, withoutProgress } from "../../run/on-terminal.js";
import type { CaptureRunOptions } from "../../run/options.js";
import { lookedAt, readState } from "../../run/state.js";
import { isUnreadable } from "../../run/verdict.js";
import type { PagerOptions } from "../../writing/paged.js";

const EPILOGUE = `
What the engine itself writes (avatars, clothing, physics) is known. Of other records, only names and versions can be shown
without the shard's .sdl files (--sdl).

Examples:
  moul-dissect sdl session.pcap --sdl SDL/
  moul-dissect sdl session.pcap --sdl SDL/ --object AgeSDLHook
  moul-dissect sdl session.pcap --sdl SDL/ --at 350`;

/** Most names of other objects among which the one that is meant is looked for. */
const MOST_OTHERS = 1000;

interface SdlOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly json?: boolean;
  readonly object?: string;
  readonly at?: string;
  readonly filter?: string;
}

/** Adds the command `sdl` to the program. */
export function addSdlCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("sdl")
    .description("Shows states of objects and ages over time: who sent them, what the server relayed, what changed.")
    .addArgument(capturesArgument())
    .addOption(jsonOption("each record as a JSON object on a line of its own"))
    .option("--object <name>", "only objects of this name", givenName)
    .option(
      "--at <moment>",
      "the state of each object after message N, or at a time, instead of the time line; with --json, the records until then",
      givenName,
    )
    .addOption(filterOption("look at"))
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: SdlOptions) => {
      end(await sdlCommand(captures, options, io));
    });
}

async function sdlCommand(captures: readonly string[], options: SdlOptions, io: ProcessIo): Promise<number> {
  const { json = false, object, at } = options;
  const until = at === undefined ? undefined : untilMoment(at);
  const run = await CaptureRun.prepare(captures, withoutProgress(options, io), io);
  const colors = await palette(takesColor(options, io));
  const log = new VariableLog();
  const others = new Set<string>();
  if (!json) await pageUnlessLive(run, options, io);
  const result = await readState(run, {
    filter: options.filter,
    message: (message) => until === undefined || until(message),
    event: (event, moment) => {
      if (event.kind !== "variables") return;
      if (object !== undefined && event.object !== object) {
        if (others.size < MOST_OTHERS) others.add(event.object);
        return;
      }
      const line = log.take(event, moment);
      if (json) run.output.write(variablesLine(line));
      else if (until === undefined) run.output.write(variablesText(line, colors));
    },
  });
  const states = [...log.objects];
  if (until !== undefined && !json) for (const state of states) run.output.write(objectStateText(state, colors));
  if (states.length === 0 && !isUnreadable(result)) {
    const whose = object === undefined ? "" : ` of ${object}${suggestion(object, others)}`;
    run.remark(`there are no states${whose}${lookedAt(options.filter)}`);
  }
  return run.finish();
}
