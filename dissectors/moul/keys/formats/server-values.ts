import type { ClientKey, ServerKey } from "../key-material.js";
import type { Remarks } from "../remarks.js";
import { defaultGenerators, type ServerType } from "../server-type.js";
import { numberOfBase64, numberOfDecimal, type Unusable } from "./key-number.js";

/** The Diffie-Hellman values that a configuration states one by one. */
const valueNames = ["n", "a", "x", "g"] as const;
export type ValueName = (typeof valueNames)[number];

/** The value with this letter, in either case. */
export function valueNamed(letter: string): ValueName | undefined {
  return valueNames.find((name) => name === letter.toLowerCase());
}

/** Returns a value if it can be used; otherwise remarks on what is wrong with it, under its `label`. */
export function usable(
  name: ValueName,
  value: bigint | Unusable,
  label: string,
  line: number,
  remarks: Remarks,
): bigint | undefined {
  if (typeof value !== "bigint") remarks.error(`${label} ${value.problem}`, line);
  else if (value < (name === "n" ? 2n : 1n)) remarks.error(`${label} is too small to be a key`, line);
  else return value;
  return undefined;
}

/** A value, and the line that gives it. */
interface Given {
  /** Undefined if it cannot be used: it has its remark, and is not reported missing too. */
  readonly value: bigint | undefined;
  readonly line: number;
}

/** Gathers the values of each server type from a configuration until n and its counterpart are complete. */
export class ServerValues {
  readonly #file: string;
  readonly #remarks: Remarks;
  readonly #label: (server: ServerType, name: ValueName) => string;
  readonly #values = new Map<ServerType, Map<ValueName, Given>>();

  /** `label` spells a value as the configuration does ("Key.Auth.N"). */
  constructor(file: string, remarks: Remarks, label: (server: ServerType, name: ValueName) => string) {
    this.#file = file;
    this.#remarks = remarks;
    this.#label = label;
  }

  /**
   * Takes one value from a line: g in decimal, all others in base64. If a value is given twice, the last one counts, as
   * in the programs.
   */
  set(server: ServerType, name: ValueName, text: string | Unusable, line: number): void {
    const values = this.#values.get(server) ?? new Map<ValueName, Given>();
    this.#values.set(server, values);
    const label = this.#label(server, name);
    if (values.has(name)) this.#remarks.note(`${label} is given twice: the last one counts`, line);
    const read = name === "g" ? numberOfDecimal : numberOfBase64;
    const number = typeof text === "string" ? read(text) : text;
    values.set(name, { value: usable(name, number, label, line, this.#remarks), line });
  }

  /** The server types that have both n and a. */
  serverKeys(): ServerKey[] {
    return this.#pairs("a").map(({ server, n, value, g }) => ({
      server,
      n,
      a: value,
      g,
      source: `server private value of ${server}, ${this.#file}`,
    }));
  }

  /** The server types that have both n and x. */
  clientKeys(): ClientKey[] {
    return this.#pairs("x").map(({ server, n, value, g }) => ({
      server,
      n,
      x: value,
      g,
      source: `public values of ${server}, ${this.#file}`,
    }));
  }

  #pairs(counterpart: "a" | "x"): { server: ServerType; n: bigint; value: bigint; g: bigint }[] {
    const pairs = [];
    for (const [server, values] of this.#values) {
      const n = values.get("n")?.value;
      const value = values.get(counterpart)?.value;
      if (n !== undefined && value !== undefined) {
        pairs.push({ server, n, value, g: values.get("g")?.value ?? defaultGenerators[server] });
      } else {
        this.#reportMissing(server, values, "n", counterpart);
        this.#reportMissing(server, values, counterpart, "n");
      }
    }
    return pairs;
  }

  #reportMissing(
    server: ServerType,
    values: ReadonlyMap<ValueName, Given>,
    given: ValueName,
    missing: ValueName,
  ): void {
    const line = values.get(given)?.line;
    if (line === undefined || values.has(missing)) return;
    this.#remarks.error(`${this.#label(server, given)} is given without ${this.#label(server, missing)}`, line);
  }
}
