import type { Command } from "commander";
import type { Main } from "../command-line.js";
import { addCheckCommand } from "../commands/check.js";
import { addDecodeCommand } from "../commands/decode.js";
import { addDecryptCommand } from "../commands/decrypt.js";
import { addDemoCommand } from "../commands/demo.js";
import { addDiagnoseCommand } from "../commands/diagnose.js";
import { addDissecting } from "../commands/dissect.js";
import { addDocumentationCommands } from "../commands/documentation.js";
import { addExportCommand } from "../commands/export.js";
import { addFieldsCommand } from "../commands/fields.js";
import { addFindCommand } from "../commands/find.js";
import { addFollowCommand } from "../commands/follow.js";
import { addKeysCommand } from "../commands/keys.js";
import { addLiveCommand } from "../commands/live.js";
import { addReportCommand } from "../commands/page/report.js";
import { addViewCommand } from "../commands/page/view.js";
import { addSchemaCommand } from "../commands/schema.js";
import { addScrubCommand } from "../commands/scrub.js";
import { addSplitCommand } from "../commands/split.js";
import { addSqlCommand } from "../commands/sql.js";
import { addChatCommand } from "../commands/state/chat.js";
import { addObjectsCommand } from "../commands/state/objects.js";
import { addPlayersCommand } from "../commands/state/players.js";
import { addSdlCommand } from "../commands/state/sdl.js";
import { addVaultCommand } from "../commands/state/vault.js";
import { addStatsCommand } from "../commands/stats.js";
import { addStreamsCommand } from "../commands/streams.js";
import { addWiresharkCommand } from "../commands/wireshark.js";
import { ExitCode } from "../exit-code.js";
import type { ProcessIo } from "../process-io.js";
import { programOf } from "./program-of.js";

/**
 * The program with all of its commands.
 *
 * @param print called with help and the version
 * @param end called with the exit code of the command that has run
 * @param main runs the program again; left out where only the definitions of commands are of interest
 */
export function commandLine(
  io: ProcessIo,
  print: (text: string) => void,
  end: (code: number) => void,
  main: Main = () => Promise.resolve(ExitCode.internal),
): Command {
  return programOf(
    [
      addDissecting,
      addDecodeCommand,
      addStreamsCommand,
      addStatsCommand,
      addDiagnoseCommand,
      addFindCommand,
      addFollowCommand,
      addLiveCommand,
      addKeysCommand,
      addDecryptCommand,
      addExportCommand,
      addSqlCommand,
      addSplitCommand,
      addCheckCommand,
      addScrubCommand,
      addPlayersCommand,
      addChatCommand,
      addVaultCommand,
      addSdlCommand,
      addObjectsCommand,
      addViewCommand,
      addReportCommand,
      addFieldsCommand,
      addSchemaCommand,
      addWiresharkCommand,
      addDemoCommand,
      addDocumentationCommands,
    ],
    { io, print, end, main },
  );
}
