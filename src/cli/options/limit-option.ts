import { InvalidArgumentError, Option } from "commander";
import { defaultLimits, isLimitName, type LimitFact, type Limits, limitFacts, limitNames } from "../../limits.js";

/** A higher limit would not bound anything: neither buffers nor counters reach that far. */
const HIGHEST = 2 ** 31 - 1;

/** The option of commands whose input may be hostile. */
export interface LimitOptions {
  readonly limit?: Partial<Limits>;
}

/** The option that changes limits. It can be repeated; its value is the changed limits. */
export function limitOption(): Option {
  return new Option(
    "--limit <name=n>",
    "change a limit (nodes=5000); an unknown name lists them all (repeatable)",
  ).argParser(limitOf);
}

/** All limits: those that the user has changed, and the defaults. */
export function limitsOf({ limit }: LimitOptions): Limits {
  return { ...defaultLimits, ...limit };
}

function limitOf(text: string, before: Partial<Limits> = {}): Partial<Limits> {
  const [name = "", ...values] = text.split("=");
  const digits = values.join("=");
  if (!isLimitName(name)) throw new InvalidArgumentError(`The limits are:\n${limitLines().join("\n")}`);
  const value = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  const { unit, most = HIGHEST }: LimitFact = limitFacts[name];
  if (value < 1 || value > most) {
    throw new InvalidArgumentError(`It must be ${name}=N, with N from 1 to ${most} ${unit}.`);
  }
  return { ...before, [name]: value };
}

/** All limits with their values, as a table to read. */
function limitLines(): string[] {
  const width = Math.max(...limitNames.map((name) => name.length));
  return limitNames.map((name) => {
    const { value, unit, doc } = limitFacts[name];
    const one = value === 1 ? unit.replace(/s$/, "") : unit;
    return `  ${name.padEnd(width)}  ${value} ${one}. ${doc}`;
  });
}
