import { suggestion } from "../../common/nearest.js";
import type { Dissector } from "../../dissector/dissector.js";
import { namesInMessages, namesInstead } from "../../filter/common-names.js";
import { Vocabulary } from "../../filter/vocabulary.js";
import { declaredJson, declaredText, factsJson, factsText, leadsTo } from "../../output/text/declared.js";
import { palette } from "../../output/text/terminal-palette.js";
import type { FieldFact } from "../../schema/describe/field-list.js";
import type { CommandLine } from "../command-line.js";
import { declaredNames, declaredUnder, protocolNames, valueNames } from "../declared/declared-under.js";
import { type DissectorOptions, knownDissectors } from "../known-dissectors.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { addOutputOptions, dissectorOption, jsonFormatOption, jsonOption, pagerOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { UsageError } from "../usage-error.js";
import { type PagerOptions, pagedOutput } from "../writing/paged.js";

const EPILOGUE = `
Examples:
  moul-dissect fields moul.game
  moul-dissect fields plNotifyMsg
  moul-dissect fields playerId
  moul-dissect fields kHasPlayerID
  moul-dissect fields moul.game | grep -i voice
  moul-dissect fields --json | jq -r 'select(.kind == "uuid") | .path'`;

/** The options of the command, as the command line gives them. */
interface FieldsCommandOptions extends DissectorOptions, ColorOptions, PagerOptions {
  readonly json?: boolean;
}

/** Facts with a heading. */
interface Group {
  readonly heading: string;
  readonly facts: readonly FieldFact[];
}

/** Names that no dissector declares. */
const common: readonly Group[] = Object.entries({
  "any message": namesInMessages,
  "instead of messages": namesInstead,
}).map(([heading, names]) => ({
  heading,
  facts: names.map(({ name, kind, doc }) => ({ path: name, kind, meaning: "", doc })),
}));

/** Adds the command `fields` to the program. */
export function addFieldsCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("fields")
    .description("Lists every message and field that can be shown or filtered, with its type and meaning.")
    .argument(
      "[name]",
      "what to list: a protocol (moul.game) with the classes in its messages; a whole dissector (bzflag); a message, " +
        "class, family or type (plNotifyMsg) with the names of all its values; every field of this name (playerId); or " +
        "every field with a value of this name (kNetErrOldBuildId)",
    )
    .addOption(jsonOption("each field as a JSON object on a line of its own"))
    .addOption(jsonFormatOption())
    .addOption(dissectorOption())
    .addOption(pagerOption());
  addOutputOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (name: string | undefined, options: FieldsCommandOptions) => {
      end(await fieldsCommand(name, options, io));
    });
}

/** Lists every message, class and field that is declared; returns the exit code. */
async function fieldsCommand(
  wanted: string | undefined,
  options: FieldsCommandOptions,
  io: ProcessIo,
): Promise<number> {
  const known = await knownDissectors(options);
  const { declared, isPage } = declaredUnder(wanted, known.all);
  const isField = wanted !== undefined && declared.every((one) => one.wanted?.by === "name");
  const shown = isField || wanted === undefined ? commonNamed(wanted) : [];
  if (wanted !== undefined && declared.length + shown.length === 0) {
    throw new UsageError(unknownName(wanted, known.all));
  }
  const isPaged = options.pager !== false && options.json !== true;
  const { output, finish } = await pagedOutput({ ...options, pager: isPaged }, io, options.dissector);
  const colors = await palette(takesColor(options, io));
  for (const { heading, facts } of shown) {
    if (options.json) output.write(factsJson({ protocol: "*" }, facts));
    else output.write(`${colors.heading(heading)}\n${factsText(facts, { colors, isPage: false })}\n`);
  }
  const printed = new Set<string>();
  for (const one of declared) {
    const text = options.json ? declaredJson(one) : `${declaredText(one, { colors, isPage })}\n`;
    // The variants of a class may all have the same text.
    if (printed.has(text)) continue;
    printed.add(text);
    output.write(text);
    await output.drained();
    if (output.closed) break;
  }
  return finish();
}

/** The names that no dissector declares; if one is wanted, only that. */
function commonNamed(wanted: string | undefined): Group[] {
  const groups = common.map(({ heading, facts }) => ({
    heading,
    facts: facts.filter((fact) => wanted === undefined || leadsTo(fact, wanted)),
  }));
  return groups.filter(({ facts }) => facts.length > 0);
}

function unknownName(wanted: string, dissectors: readonly Dissector[]): string {
  const protocols = protocolNames(dissectors);
  const others = `; known names are ${protocols.join(", ")}, and those of messages, classes, types, fields and values`;
  const names = [
    ...protocols,
    ...common.flatMap(({ facts }) => facts.map(({ path }) => path)),
    ...declaredNames(dissectors),
    ...Vocabulary.of(dissectors).names(),
    ...valueNames(dissectors),
  ];
  const closest = suggestion(
    wanted,
    names.filter((name) => name !== wanted),
  );
  return `nothing named ${wanted} is declared${closest || others}`;
}
