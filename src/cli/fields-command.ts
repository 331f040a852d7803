import { messageFields } from "../filter/message-fields.js";
import type { Dissector } from "../index.js";
import { type Palette, palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { type FieldFact, fieldFacts } from "../schema/field-list.js";
import { Opcode } from "../schema/opcode.js";
import type { Struct } from "../schema/struct.js";
import { takesColor } from "./color.js";
import { type DissectorOptions, knownDissectors } from "./dissector-options.js";
import { ExitCode } from "./exit-code.js";
import type { Surroundings } from "./surroundings.js";
import { TextOutput } from "./text-output.js";

/** The options of the command, as the command line gives them. */
export interface FieldsCommandOptions extends DissectorOptions {
  readonly json?: boolean;
  readonly color: "auto" | "always" | "never";
}

/** Characters of what a field's numbers stand for, in text; JSON has all of it. */
const LONGEST_MEANING = 60;
/** Widest column of paths and kinds: what is longer pushes the rest of its line to the right. */
const WIDEST_COLUMN = 40;

/** A message or class with what it belongs to. */
interface Declared {
  readonly protocol: string;
  readonly struct: Struct;
  /** The directions in which a message travels; none for a class. */
  readonly directions: readonly string[];
}

/** Lists every message, class and field that is declared; gives the exit code. */
export async function fieldsCommand(
  wanted: string | undefined,
  options: FieldsCommandOptions,
  { stdout, stderr, env }: Surroundings,
): Promise<number> {
  const say = (text: string) => void stderr.write(`moul-dissect: ${printable(text)}\n`);
  const known = await knownDissectors(options);
  if (typeof known === "string") {
    say(known);
    return ExitCode.usage;
  }
  const declared = known.all
    .flatMap((dissector) => declaredBy(dissector, wanted))
    .filter(({ protocol }) => wanted === undefined || protocol === wanted || protocol.startsWith(`${wanted}.`));
  if (declared.length === 0) {
    const names = known.all.flatMap(({ name, protocols }) => [name, ...protocols]);
    say(`${wanted} is not a known protocol; known are ${[...new Set(names)].join(", ")}`);
    return ExitCode.usage;
  }
  const output = new TextOutput(stdout);
  const colors = palette(takesColor(options.color, stdout.isTTY === true, env));
  if (wanted === undefined) output.write(options.json ? commonJson() : commonText(colors));
  for (const one of declared) {
    output.write(options.json ? jsonLines(one) : textLines(one, colors));
    await output.drained();
    if (output.closed) break;
  }
  await output.end();
  return ExitCode.done;
}

/** What a dissector declares: its messages by protocol, then all else; each of them once. */
function declaredBy({ name, types, messages = new Map() }: Dissector, wanted: string | undefined): Declared[] {
  const found = new Map<Struct, { protocol: string; directions: string[] }>();
  for (const [protocol, directions] of messages) {
    // Whoever asks for one protocol wants all that it has, also what others have too.
    if (wanted !== undefined && wanted !== name && wanted !== protocol) continue;
    for (const [direction, list] of Object.entries(directions)) {
      for (const { struct } of list) {
        const known = found.get(struct);
        if (known === undefined) found.set(struct, { protocol, directions: [direction] });
        else if (known.protocol === protocol) known.directions.push(direction);
      }
    }
  }
  for (const { row } of types.values()) {
    const struct = row.opcode === Opcode.Polymorphic ? row.base : row.struct;
    if (struct !== undefined && !found.has(struct)) found.set(struct, { protocol: name, directions: [] });
  }
  return [...found].map(([struct, { protocol, directions }]) => ({ protocol, struct, directions }));
}

function jsonLines({ protocol, struct, directions }: Declared): string {
  const whole = directions.length > 0 ? { message: struct.name, directions } : { class: struct.name };
  const lines = [...fieldFacts(struct)].map(({ path, kind, meaning, doc }) => {
    const more = { ...(meaning !== "" && { meaning }), ...(doc !== "" && { doc }) };
    return JSON.stringify({ protocol, ...whole, path, kind, ...more });
  });
  const doc = struct.doc === "" ? {} : { doc: struct.doc };
  const head = JSON.stringify({ protocol, ...whole, path: "", kind: "struct", ...doc });
  return `${[head, ...lines].join("\n")}\n`;
}

/** What every message has, whatever is in it. */
const common = [...messageFields].map(([path, { kind, doc }]): FieldFact => ({ path, kind, meaning: "", doc }));

function commonJson(): string {
  return common.map(({ path, kind, doc }) => `${JSON.stringify({ protocol: "*", path, kind, doc })}\n`).join("");
}

function commonText(colors: Palette): string {
  return `${colors.heading("every message")}\n${factLines(common, colors)}\n`;
}

function textLines({ protocol, struct, directions }: Declared, colors: Palette): string {
  const words = [
    colors.protocol(protocol)(protocol),
    colors.heading(struct.name),
    ...directions,
    colors.faint(struct.doc),
  ];
  return `${words.filter((word) => word !== "").join(" ")}\n${factLines([...fieldFacts(struct)], colors)}\n`;
}

function factLines(facts: readonly FieldFact[], colors: Palette): string {
  const width = (of: (fact: FieldFact) => string) =>
    Math.min(WIDEST_COLUMN, Math.max(0, ...facts.map((fact) => of(fact).length)));
  const [paths, kinds] = [width(({ path }) => path), width(({ kind }) => kind)];
  let text = "";
  for (const { path, kind, meaning, doc } of facts) {
    const short = meaning.length > LONGEST_MEANING ? `${meaning.slice(0, LONGEST_MEANING)}…` : meaning;
    const remarks = [colors.label(short), doc].filter((remark) => remark !== "").join("; ");
    text += `  ${colors.name(path.padEnd(paths))}  ${kind.padEnd(kinds)}  ${remarks}`.trimEnd().concat("\n");
  }
  return text;
}
