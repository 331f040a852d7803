import { InvalidArgumentError, Option } from "commander";
import { suggestion } from "../../../common/nearest.js";
import { graphText, headText, type NodeDifference, nodeLine, nodeText } from "../../../output/state/vault.js";
import type { Palette } from "../../../output/text/palette.js";
import { palette } from "../../../output/text/terminal-palette.js";
import type { GraphNode, NodeGraph } from "../../../state/node-graph.js";
import type { CommandLine } from "../../command-line.js";
import { type ColorOptions, takesColor } from "../../options/color.js";
import { limitsOf } from "../../options/limit-option.js";
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
import { UsageError } from "../../usage-error.js";
import { below, playerNames, playersIn } from "../../vault/selection.js";
import { VaultReading } from "../../vault/vault-reading.js";
import type { PagerOptions } from "../../writing/paged.js";

const EPILOGUE = `
What the traffic has shown by then: nodes that were fetched, created, saved or deleted, and what belongs to what. A node
that is only referred to was never shown; of one that somebody else has changed, the server says only that.

A time is that of --format summary, or a part of it from its beginning; it means the last message no later than that.

Examples:
  moul-dissect vault session.pcap
  moul-dissect vault session.pcap --at 350 --player Alice
  moul-dissect vault session.pcap --node 10212
  moul-dissect vault session.pcap --diff 100 500`;

interface VaultOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly json?: boolean;
  readonly at?: string;
  readonly player?: string;
  readonly node?: string;
  readonly diff?: readonly string[];
  readonly filter?: string;
}

/** Adds the command `vault` to the program. */
export function addVaultCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("vault")
    .description("Shows the vault as the traffic has shown it: the tree of nodes, a node's history, differences.")
    .addArgument(capturesArgument())
    .addOption(jsonOption("each node as a JSON object on a line of its own"))
    .option("--at <moment>", "as it was after message N, or at a time (default: at the end)", givenName)
    .option("--player <name>", "only what belongs to a player: a name or a number", givenName)
    .option("--node <id>", "a node with its fields and its history", givenName)
    .addOption(
      new Option(
        "--diff <moments...>",
        "what differs between two moments, after the captures: --diff 100 500",
      ).argParser(twoMoments),
    )
    .addOption(filterOption("look at"))
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: VaultOptions) => {
      end(await vaultCommand(captures, options, io));
    });
}

/** Takes the words after --diff, one after the other: all up to the next option. */
function twoMoments(word: string, before: readonly string[] = []): readonly string[] {
  if (before.length === 2) {
    throw new InvalidArgumentError(`It takes two moments; write ${word} before it.`);
  }
  return [...before, word];
}

async function vaultCommand(captures: readonly string[], options: VaultOptions, io: ProcessIo): Promise<number> {
  const [first, last] = momentsIn(options);
  const run = await CaptureRun.prepare(captures, options, io);
  const colors = await palette(takesColor(options, io));
  const reading = new VaultReading(limitsOf(options), { first, last });
  const { graph } = reading;
  const result = await readState(run, {
    filter: options.filter,
    message: (message) => reading.message(message),
    event: (event, moment) => {
      if (event.kind === "node") graph.takeNode(event, moment);
      else if (event.kind === "edge") graph.takeEdge(event, moment);
    },
  });
  if (reading.isReversed) {
    await run.output.discard();
    throw new UsageError(`--diff: ${last} is before ${first}; name the earlier moment first`);
  }
  if (isUnreadable(result)) return run.finish();
  reading.end();
  if (graph.leftOut > 0) run.remark("there are more nodes than --limit stateNodes=N allows: the rest is left out");
  if (graph.nodes.size === 0) {
    run.remark(`nothing was said about the vault${lookedAt(options.filter)}`);
    return run.finish();
  }
  if (options.json !== true) await pageUnlessLive(run, options, io);
  if (options.diff !== undefined) writeDifferences(run, reading, options, colors);
  else if (options.node !== undefined) writeNode(run, graph, options.node, options, colors);
  else writeGraph(run, graph, options, colors);
  return run.finish();
}

/**
 * The moments that are asked for.
 *
 * @throws UsageError if other options do not go with them
 */
function momentsIn({ diff, at, node, player }: VaultOptions): readonly [string | undefined, string | undefined] {
  if (diff !== undefined && diff.length !== 2)
    throw new UsageError("--diff needs two moments, after the captures: --diff 100 500");
  if (diff !== undefined && (at ?? node ?? player) !== undefined) {
    throw new UsageError("--diff goes with none of --at, --node and --player");
  }
  if (node !== undefined && player !== undefined) {
    throw new UsageError("--node names one node, whoever it belongs to: it does not go with --player");
  }
  return diff === undefined ? [undefined, at] : [diff[0], diff[1]];
}

function writeDifferences(
  run: CaptureRun,
  reading: VaultReading,
  { diff: [first, last] = [], json = false }: VaultOptions,
  colors: Palette,
): void {
  const changed = reading.differences();
  if (changed.length === 0) run.remark(`nothing in the vault differs between ${first} and ${last}`);
  for (const [node, difference] of changed) {
    run.output.write(json ? nodeLine(reading.graph, node, { difference }) : differenceText(node, difference, colors));
  }
}

function writeNode(
  run: CaptureRun,
  graph: NodeGraph,
  wanted: string,
  { json = false }: VaultOptions,
  colors: Palette,
): void {
  const node = graph.get(wanted);
  if (node === undefined) run.remark(`nothing was said about node ${wanted}`);
  else run.output.write(json ? nodeLine(graph, node, { hasHistory: true }) : nodeText(graph, node, colors));
}

/** Writes the nodes of a player, or all of them. */
function writeGraph(run: CaptureRun, graph: NodeGraph, { player, json = false }: VaultOptions, colors: Palette): void {
  const roots = player === undefined ? graph.roots() : playersIn(graph, player);
  if (player !== undefined && roots.length === 0) {
    run.remark(`nothing was said about the vault of ${player}${suggestion(player, playerNames(graph))}`);
  }
  if (!json) {
    run.output.write(graphText(graph, roots, colors));
    return;
  }
  for (const id of below(graph, roots)) {
    const node = graph.get(id);
    if (node !== undefined) run.output.write(nodeLine(graph, node));
  }
}

function differenceText(node: GraphNode, difference: NodeDifference, colors: Palette): string {
  const sign = { added: "+", removed: "-", changed: "~" }[difference];
  return `${colors.change[difference](sign)} ${headText(node, colors)}\n`;
}
