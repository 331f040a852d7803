import type { JsonVersion } from "../../output/writers/json-version.js";
import { UsageError } from "../usage-error.js";

/** Formats of dissected data, whether from a capture or not. */
export const valueFormats = ["tree", "summary", "json", "json-tree"] as const;
export type ValueFormat = (typeof valueFormats)[number];
/** Formats of the messages of captures. */
export const formats = [...valueFormats, "fields"] as const;
export type Format = (typeof formats)[number];

/** The options that say what is printed, and how, as the command line gives them. */
export interface FormatOptions<F extends Format> {
  readonly format?: F;
  readonly json?: boolean;
  readonly jsonVersion?: JsonVersion;
  readonly hex?: boolean;
  readonly time?: string;
  readonly field?: readonly string[];
  readonly csv?: boolean;
  readonly wide?: boolean;
  readonly columns?: string;
  readonly colorFilter?: readonly string[];
  readonly colorFilters?: string;
  readonly saveColorFilters?: string;
}

/** Options that make sense only with some formats. */
const ONLY_WITH = [
  { key: "field", option: "-e", with: ["fields"] },
  { key: "csv", option: "--csv", with: ["fields"] },
  { key: "jsonVersion", option: "--json-version", with: ["json", "json-tree"] },
  { key: "hex", option: "--hex", with: ["tree"] },
  { key: "wide", option: "--wide", with: ["summary"] },
  { key: "columns", option: "--columns", with: ["summary"] },
  { key: "colorFilter", option: "--color-filter", with: ["summary"] },
  { key: "colorFilters", option: "--color-filters", with: ["summary"] },
  { key: "saveColorFilters", option: "--save-color-filters", with: ["summary"] },
  { key: "time", option: "--time", with: ["tree", "summary"] },
] as const;

/**
 * Returns the format that `--format` or `--json` asks for.
 *
 * @param usual the one without either
 * @throws UsageError if they contradict each other
 */
export function formatOrJson<F extends string, U extends string>(
  { format, json }: { readonly format?: F; readonly json?: boolean },
  usual: U,
): F | U | "json" {
  if (!json) return format ?? usual;
  if (format !== undefined && format !== "json") {
    throw new UsageError(`--json is the same as --format json, which contradicts --format ${format}`);
  }
  return "json";
}

/**
 * Returns the requested format of messages.
 *
 * @throws UsageError if options contradict it or each other
 */
export function formatOf<F extends Format>(options: FormatOptions<F>): F | "tree" | "json" {
  const format = options.json ? "json" : (options.format ?? "tree");
  for (const { key, option, with: its } of ONLY_WITH) {
    if (options[key] === undefined || its.some((name) => name === format)) continue;
    throw new UsageError(`${option} works only with --format ${its.join(" or ")}, not with ${format}`);
  }
  return formatOrJson(options, "tree");
}
