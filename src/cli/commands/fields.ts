import { suggestion } from "../../common/nearest.js";
import type { Dissector } from "../../dissector/dissector.js";
import { namesInMessages, namesInstead } from "../../filter/common-names.js";
import { Vocabulary } from "../../filter/vocabulary.js";
import { declaredJson, declaredText, factsJson, factsText, isIn, leadsTo } from "../../output/text/declared.js";
import { palette } from "../../output/text/terminal-palette.js";
import {
  declaredAbout,
  declaredNames,
  declaredUnder,
  protocolNames,
  valueNames,
} from "../../reference/declared-under.js";
import type { FieldFact } from "../../schema/describe/field-list.js";
import type { CommandLine } from "../command-line.js";
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
  moul-dissect fields --search compress
  moul-dissect fields --json | jq -r 'select(.kind == "uuid") | .path'`;

/** The options of the command, as the command line gives them. */
interface FieldsCommandOptions extends DissectorOptions, ColorOptions, PagerOptions {
  readonly search?: string;
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
    .option(
      "--search <word>",
      "list what has this word, or part of one, in its name, its docs or the names of its values",
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
  const { search } = options;
  if (search !== undefined && (wanted !== undefined || search === "")) {
    throw new UsageError("--search needs a word, and looks at everything that is declared");
  }
  const { declared, isPage } =
    search === undefined
      ? declaredUnder(wanted, known.all)
      : { declared: declaredAbout(search, known.all), isPage: false };
  const isField = wanted !== undefined && declared.every((one) => one.wanted?.by === "name");
  const shown = commonFacts(({ path, doc }) => {
    if (search !== undefined) return isIn(search, path) || isIn(search, doc);
    return wanted === undefined || (isField && leadsTo({ path }, wanted));
  });
  if (search !== undefined && declared.length + shown.length === 0) {
    throw new UsageError(`nothing that is declared has ${search} in its name or its docs`);
  }
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

/** Some of the names that no dissector declares. */
function commonFacts(isShown: (fact: FieldFact) => boolean): Group[] {
  const groups = common.map(({ heading, facts }) => ({ heading, facts: facts.filter(isShown) }));
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
