import { InvalidArgumentError, Option } from "commander";
import { isLimitName, type Limits, limitFacts, limitNames } from "../limits.js";

/** The option that commands have which read what may be hostile. */
export interface LimitOptions {
  readonly limit?: Partial<Limits>;
}

export function limitOption(): Option {
  return new Option(
    "--limit <name=n>",
    "change a limit (nodes=5000), repeatable; a name that is none lists them",
  ).argParser(limitOf);
}

function limitOf(text: string, before: Partial<Limits> = {}): Partial<Limits> {
  const [name = "", digits = ""] = text.split("=");
  if (!isLimitName(name)) throw new InvalidArgumentError(`The limits are:\n${limitLines().join("\n")}`);
  if (!/^[1-9]\d{0,14}$/.test(digits)) {
    throw new InvalidArgumentError(`It has to be ${name}=N, with a whole number of ${limitFacts[name].unit} above 0.`);
  }
  return { ...before, [name]: Number(digits) };
}

/** All limits with their values, for the eye. */
function limitLines(): string[] {
  const width = Math.max(...limitNames.map((name) => name.length));
  return limitNames.map((name) => {
    const { value, unit, doc } = limitFacts[name];
    return `  ${name.padEnd(width)}  ${value} ${unit}. ${doc}`;
  });
}
