import { messageFields } from "../../filter/message-fields.js";
import { isFamily, reachable } from "../../filter/parts.js";
import type { Dissector } from "../../index.js";
import { type Palette, palette } from "../../output/palette.js";
import { printable, safeJson } from "../../output/sanitise.js";
import { type FieldFact, fieldFacts } from "../../schema/field-list.js";
import { Opcode } from "../../schema/opcode.js";
import type { Struct } from "../../schema/struct.js";
import { type ColorOptions, takesColor } from "../color.js";
import type { CommandLine } from "../command-line.js";
import { type DissectorOptions, knownDissectors } from "../known-dissectors.js";
import { addOutputOptions, dissectorOption, jsonFormatOption, jsonOption } from "../options.js";
import type { OutputOptions } from "../output-file.js";
import { finishPrinting, outputOf, printsToTerminal } from "../printing.js";
import type { Surroundings } from "../surroundings.js";
import { UsageError } from "../usage-error.js";

const EPILOGUE = `
Examples:
  moul-dissect fields moul.game
  moul-dissect fields moul.game | grep -i voice
  moul-dissect fields --json | jq -r 'select(.kind == "uuid") | .path'`;

/** The options of the command, as the command line gives them. */
interface FieldsCommandOptions extends DissectorOptions, OutputOptions, ColorOptions {
  readonly json?: boolean;
}

/** Characters of what a field's numbers stand for, in text; JSON has all of it. */
const LONGEST_MEANING = 60;
/** Widest column of paths and kinds: what is longer pushes the rest of its line to the right. */
const WIDEST_COLUMN = 40;

const SCHEMA = { schema: "moul-dissect.field/1" };

/** A message or class with what it belongs to. */
interface Declared {
  readonly protocol: string;
  readonly struct: Struct;
  /** The directions in which a message travels; none for a class. */
  readonly directions: readonly string[];
}

/** Adds the command `fields` to the program. */
export function addFieldsCommand({ program, surroundings, end }: CommandLine): void {
  const command = program
    .command("fields")
    .description("Lists every message and field that can be shown or filtered, with its type and meaning.")
    .argument(
      "[protocol]",
      "only those of a protocol (moul.game) with the classes in its messages, or of a whole dissector (bzflag)",
    )
    .addOption(jsonOption("one JSON object a line for each field"))
    .addOption(jsonFormatOption())
    .addOption(dissectorOption());
  addOutputOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (protocol: string | undefined, options: FieldsCommandOptions) => {
      end(await fieldsCommand(protocol, options, surroundings));
    });
}

/** Lists every message, class and field that is declared; gives the exit code. */
async function fieldsCommand(
  wanted: string | undefined,
  options: FieldsCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const known = await knownDissectors(options);
  const declared = known.all.flatMap((dissector) => declaredBy(dissector, wanted));
  if (declared.length === 0) {
    const names = known.all.flatMap(({ name, protocols }) => [name, ...protocols]);
    throw new UsageError(`${wanted} is not a known protocol; known are ${[...new Set(names)].join(", ")}`);
  }
  const output = await outputOf(options, surroundings, options.dissector);
  const colors = palette(takesColor(options.color, printsToTerminal(options, surroundings), surroundings.env));
  if (wanted === undefined) output.write(options.json ? commonJson() : commonText(colors));
  for (const one of declared) {
    output.write(options.json ? jsonLines(one) : textLines(one, colors));
    await output.drained();
    if (output.closed) break;
  }
  return finishPrinting(output, surroundings);
}

/**
 * What a dissector declares: its messages by protocol, then its classes; each of them once. Of one protocol, the
 * classes that its messages can hold.
 */
function declaredBy({ name, types, messages = new Map() }: Dissector, wanted: string | undefined): Declared[] {
  const found = new Map<Struct, { protocol: string; directions: string[] }>();
  for (const [protocol, directions] of messages) {
    // A list for one protocol has all of its messages, also those that it shares with others.
    if (wanted !== undefined && wanted !== name && wanted !== protocol) continue;
    for (const [direction, list] of Object.entries(directions)) {
      for (const { struct } of list) {
        const known = found.get(struct);
        if (known === undefined) found.set(struct, { protocol, directions: [direction] });
        else if (known.protocol === protocol) known.directions.push(direction);
      }
    }
  }
  const isWhole = wanted === undefined || wanted === name;
  for (const struct of isWhole ? classesOf(types) : classesIn([...found.keys()])) {
    if (!found.has(struct)) found.set(struct, { protocol: name, directions: [] });
  }
  return [...found].map(([struct, { protocol, directions }]) => ({ protocol, struct, directions }));
}

function classesOf(types: Dissector["types"]): Struct[] {
  return [...types.values()].flatMap(({ row }) => (row.opcode === Opcode.Polymorphic ? row.base : row.struct) ?? []);
}

/** The classes of all families that values of some structs can hold. */
function classesIn(structs: readonly Struct[]): Struct[] {
  return [...reachable(structs)].filter(isFamily).flatMap((family) => [...family.classes()]);
}

function jsonLines({ protocol, struct, directions }: Declared): string {
  const owner = directions.length > 0 ? { message: struct.name, directions } : { class: struct.name };
  const lines = [...fieldFacts(struct)].map(({ path, kind, meaning, doc, sensitive }) => {
    const more = { ...(meaning !== "" && { meaning }), ...(doc !== "" && { doc }), ...(sensitive && { sensitive }) };
    return safeJson({ ...SCHEMA, protocol, ...owner, path, kind, ...more });
  });
  const doc = struct.doc === "" ? {} : { doc: struct.doc };
  const head = safeJson({ ...SCHEMA, protocol, ...owner, path: "", kind: "struct", ...doc });
  return `${[head, ...lines].join("\n")}\n`;
}

/** What every message has, whatever is in it. */
const common = [...messageFields].map(([path, { kind, doc }]): FieldFact => ({ path, kind, meaning: "", doc }));

function commonJson(): string {
  return common.map(({ path, kind, doc }) => `${safeJson({ ...SCHEMA, protocol: "*", path, kind, doc })}\n`).join("");
}

function commonText(colors: Palette): string {
  return `${colors.heading("every message")}\n${factLines(common, colors)}\n`;
}

function textLines({ protocol, struct, directions }: Declared, colors: Palette): string {
  const words = [
    colors.protocol(protocol)(printable(protocol)),
    colors.heading(printable(struct.name)),
    ...directions,
    colors.faint(printable(struct.doc)),
  ];
  return `${words.filter((word) => word !== "").join(" ")}\n${factLines([...fieldFacts(struct)], colors)}\n`;
}

function factLines(facts: readonly FieldFact[], colors: Palette): string {
  const width = (of: (fact: FieldFact) => string) =>
    Math.min(WIDEST_COLUMN, Math.max(0, ...facts.map((fact) => of(fact).length)));
  const [paths, kinds] = [width(({ path }) => path), width(({ kind }) => kind)];
  let text = "";
  for (const { path, kind, meaning, doc, sensitive } of facts) {
    const short = meaning.length > LONGEST_MEANING ? `${meaning.slice(0, LONGEST_MEANING)}…` : meaning;
    const mark = sensitive === undefined ? "" : ` [sensitive: ${sensitive.join(", ")}]`;
    const remarks =
      [colors.label(printable(short)), printable(doc)].filter((remark) => remark !== "").join("; ") + mark;
    text += `  ${colors.name(path.padEnd(paths))}  ${printable(kind).padEnd(kinds)}  ${remarks}`.trimEnd().concat("\n");
  }
  return text;
}
