import type { CommandLine } from "../command-line.js";
import type { ExportOptions } from "../dataset/run-export.js";
import {
  addReadingOptions,
  capturesArgument,
  filterOption,
  folderPath,
  MOST_THREADS,
  threadCount,
  wholeNumber,
} from "../options/shared.js";
import { interruptible } from "../run/interrupt.js";

const EPILOGUE = `
The folder has a table for messages, conversations, gaps, players and captures, and one for each message and class. A
capture that is in it already, exported by the same version with the same keys and options, is skipped, so that a run
that was interrupted can be repeated. docs/data.md has the columns, and questions to ask.

Examples:
  moul-dissect export *.pcap -o dataset --jobs 4
  moul-dissect export session.pcap -o dataset --keys dirtsand.ini --fields`;

/** Adds the command `export` to the program. */
export function addExportCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("export")
    .description("Writes captures as Parquet: a folder of tables for DuckDB, Spark and other engines.")
    .addArgument(capturesArgument("capture files"))
    .requiredOption("-o, --output <folder>", "the folder of the dataset", folderPath)
    .option("--fields", "also a table with a row for each value in a message; it is larger than all others together")
    .option("--jobs <n>", "how many captures to export at the same time (default: 1)", (text) => wholeNumber(text, 1))
    .option(
      "--threads <n>",
      `how many threads work on a capture, up to ${MOST_THREADS} (default: 2 for large captures)`,
      threadCount,
    );
  command.addOption(filterOption("export"));
  addReadingOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: ExportOptions) => {
      const work = async () => {
        // What writes Parquet is loaded only here, so that nobody else has to wait for it.
        const { exportCommand } = await import("../dataset/run-export.js");
        return exportCommand(captures, options, io);
      };
      end(await interruptible(work));
    });
}
