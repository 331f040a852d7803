import type { CommandLine } from "../command-line.js";
import { type CommandName, isCommand } from "./command-names.js";

/** Adds commands to the program. */
type Add = (line: CommandLine) => void;

type Loader = () => Promise<Add>;

const loadDissecting: Loader = async () => (await import("../commands/dissect.js")).addDissecting;

/** What loads the command alone; undefined for those that are about all commands. */
const LOADERS: Readonly<Record<CommandName, Loader | undefined>> = {
  decode: async () => (await import("../commands/decode.js")).addDecodeCommand,
  streams: async () => (await import("../commands/streams.js")).addStreamsCommand,
  stats: async () => (await import("../commands/stats.js")).addStatsCommand,
  diagnose: async () => (await import("../commands/diagnose.js")).addDiagnoseCommand,
  find: async () => (await import("../commands/find.js")).addFindCommand,
  follow: async () => (await import("../commands/follow.js")).addFollowCommand,
  live: async () => (await import("../commands/live.js")).addLiveCommand,
  keys: async () => (await import("../commands/keys.js")).addKeysCommand,
  decrypt: async () => (await import("../commands/decrypt.js")).addDecryptCommand,
  export: async () => (await import("../commands/export.js")).addExportCommand,
  sql: async () => (await import("../commands/sql.js")).addSqlCommand,
  split: async () => (await import("../commands/split.js")).addSplitCommand,
  check: async () => (await import("../commands/check.js")).addCheckCommand,
  scrub: async () => (await import("../commands/scrub.js")).addScrubCommand,
  players: async () => (await import("../commands/state/players.js")).addPlayersCommand,
  chat: async () => (await import("../commands/state/chat.js")).addChatCommand,
  vault: async () => (await import("../commands/state/vault.js")).addVaultCommand,
  sdl: async () => (await import("../commands/state/sdl.js")).addSdlCommand,
  objects: async () => (await import("../commands/state/objects.js")).addObjectsCommand,
  view: async () => (await import("../commands/page/view.js")).addViewCommand,
  report: async () => (await import("../commands/page/report.js")).addReportCommand,
  fields: async () => (await import("../commands/fields.js")).addFieldsCommand,
  schema: async () => (await import("../commands/schema.js")).addSchemaCommand,
  wireshark: async () => (await import("../commands/wireshark.js")).addWiresharkCommand,
  demo: async () => (await import("../commands/demo.js")).addDemoCommand,
  completion: undefined,
  man: undefined,
};

/** Words that are about all commands. */
const ABOUT_ALL: readonly string[] = ["help", "-h", "--help"];

/**
 * Loads what these arguments need of the program, without the other commands and what those import.
 *
 * @returns undefined if that may be more than one command
 */
export async function loadedFor(args: readonly string[]): Promise<Add | undefined> {
  const [first, ...others] = args;
  if (first === undefined || args.some((word) => ABOUT_ALL.includes(word))) return undefined;
  if (isCommand(first)) return LOADERS[first]?.();
  // The name of a command may follow options.
  if (others.some(isCommand)) return undefined;
  return loadDissecting();
}

/** Loads the whole program. */
export function loadedAll(): Promise<Add[]> {
  const documentation = async () => (await import("../commands/documentation.js")).addDocumentationCommands;
  const loaders = Object.values(LOADERS).filter((loader) => loader !== undefined);
  return Promise.all([loadDissecting, ...loaders, documentation].map((load) => load()));
}
