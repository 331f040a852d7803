import { Option } from "commander";
import { suggestion } from "../../../common/nearest.js";
import type { Origin } from "../../../network/conversation.js";
import { sequenceText } from "../../../output/state/sequence-text.js";
import { mermaid, sessionLine, sessionText } from "../../../output/state/sessions.js";
import { palette } from "../../../output/text/terminal-palette.js";
import { playerOf } from "../../../state/player-of.js";
import { type PlayerSession, Sessions } from "../../../state/sessions.js";
import type { CommandLine } from "../../command-line.js";
import { type ColorOptions, takesColor } from "../../options/color.js";
import { formatOrJson } from "../../options/format.js";
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
import { pageUnlessLive } from "../../run/on-terminal.js";
import type { CaptureRunOptions } from "../../run/options.js";
import { lookedAt, readState } from "../../run/state.js";
import { isUnreadable } from "../../run/verdict.js";
import type { PagerOptions } from "../../writing/paged.js";

const EPILOGUE = `
Each player with the conversations that belong to the session, the steps in them (log in, choose a player, ask for an age,
join it), what became of each, and how it ended; clients that have chosen no player, by their address. Times are seconds
since the first packet of the capture.

Examples:
  moul-dissect players session.pcap
  moul-dissect players session.pcap --player Alice --format diagram
  moul-dissect players session.pcap --format mermaid -o session.mmd`;

const formats = ["text", "json", "diagram", "mermaid"] as const;

interface PlayersOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly format?: (typeof formats)[number];
  readonly json?: boolean;
  readonly player?: string;
  readonly filter?: string;
}

/** Adds the command `players` to the program. */
export function addPlayersCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("players")
    .description("Says who was where: sessions, steps on the way into an age and where they stopped, how they ended.")
    .addArgument(capturesArgument())
    .addOption(
      new Option(
        "--format <format>",
        "how to print it; diagram and mermaid: as sequence diagrams (default: text)",
      ).choices(formats),
    )
    .addOption(jsonOption("each session as a JSON object on a line of its own"))
    .option("--player <name>", "only the sessions of this player: a name or a number", givenName)
    .addOption(filterOption("look at"))
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: PlayersOptions) => {
      end(await playersCommand(captures, options, io));
    });
}

async function playersCommand(captures: readonly string[], options: PlayersOptions, io: ProcessIo): Promise<number> {
  const format = formatOrJson(options, "text");
  const run = await CaptureRun.prepare(captures, options, io);
  const colors = await palette(takesColor(options, io));
  const sessions = new Sessions();
  let begin: Origin | undefined;
  const result = await readState(run, {
    filter: options.filter,
    began: (first) => {
      begin = first;
    },
    message: (message, at, isPassing) => {
      if (isPassing) sessions.seen(message.conversation, message.protocol, playerOf(message), at);
      return true;
    },
    event: (event, at, message) => {
      if (event.kind === "step") sessions.step(message.conversation, message.protocol, event, at);
      else if (event.kind === "presence") sessions.presence(event, at);
    },
    closed: (conversation, reason, by) => sessions.closed(conversation, reason, by),
  });
  if (isUnreadable(result)) return run.finish();
  const { all } = sessions;
  const shown = all.filter((session) => isWanted(session, options.player));
  if (shown.length === 0 || begin === undefined) {
    const nobody = options.player === undefined ? "nobody has played" : nobodyCalled(options.player, all);
    run.remark(`${nobody}${lookedAt(options.filter)}`);
    return run.finish();
  }
  if (format !== "json") await pageUnlessLive(run, options, io);
  if (format === "mermaid") run.output.write(mermaid(shown));
  else {
    for (const [index, session] of shown.entries()) {
      if (index > 0 && format !== "json") run.output.write("\n");
      const streams = new Set(session.parts.map(({ conversation }) => conversation.stream));
      const others = sessions.presences.filter(({ at }) => streams.has(at.stream));
      if (format === "json") run.output.write(sessionLine(session, others));
      else if (format === "diagram") run.output.write(sequenceText(session, begin, colors, run.columns));
      else run.output.write(sessionText(session, others, begin, colors));
    }
  }
  return run.finish();
}

function nobodyCalled(wanted: string, sessions: readonly PlayerSession[]): string {
  const names = sessions.flatMap(({ player }) => player?.name ?? []);
  return `nobody called ${wanted} has played${suggestion(wanted, names)}`;
}

function isWanted({ player }: PlayerSession, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return player?.id === wanted || player?.name?.toLowerCase() === wanted.toLowerCase();
}
