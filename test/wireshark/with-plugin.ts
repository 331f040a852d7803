import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { wiresharkPlugin } from "../../src/wireshark/index.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { differenceOf } from "./compare.js";
import { messagesIn, type ShownField } from "./pdml.js";

/** The tshark that the plugin is tried with: another version than the one installed, where this variable names it. */
export const tsharkProgram = process.env["MOUL_DISSECT_TSHARK"] ?? "tshark";

/** True if there is a tshark here: without it, nothing of the plugin can be tried. */
export const hasTshark = spawnSync(tsharkProgram, ["--version"]).status === 0;

/** A run that takes longer, in milliseconds, will never end. */
const LONGEST = 120_000;

/** What tshark says of a message. */
export interface Named {
  readonly message: string;
  readonly status: string;
}

/** The plugin in a folder of its own, for tshark. */
export class WithPlugin {
  readonly folder = mkdtempSync(join(tmpdir(), "moul-dissect-wireshark-"));
  readonly #plugin = join(this.folder, "moul-dissect.lua");
  #fields: readonly string[] | undefined;

  /** @param source of the plugin */
  constructor(source: string = wiresharkPlugin("test")) {
    writeFileSync(this.#plugin, source);
  }

  /** The options with which tshark loads the plugin. */
  get script(): readonly string[] {
    return ["-X", `lua_script:${this.#plugin}`];
  }

  /** Deletes the folder. */
  close(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Writes a file into the folder; returns its path. */
  file(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** Runs tshark on a capture; returns what it prints. Nothing may be on its standard error, such as errors of Lua. */
  tshark(capture: string, args: readonly string[]): string {
    const given = [...this.script, "-r", capture, ...args];
    const { stdout, stderr } = spawnSync(tsharkProgram, given, {
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      timeout: LONGEST,
    });
    expect(stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Running as user"))).toEqual([]);
    return stdout;
  }

  /** The names of the plugin's fields. */
  fields(): readonly string[] {
    this.#fields ??= this.#listed();
    return this.#fields;
  }

  #listed(): readonly string[] {
    const { stdout } = spawnSync(tsharkProgram, ["-G", "fields", ...this.script], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    const names = stdout.split("\n").flatMap((line) => /^F\t[^\t]*\t((?:moul|bzflag)\.\S+)/.exec(line)?.[1] ?? []);
    return [...new Set(names)].sort();
  }

  /** The messages that tshark shows of a capture. */
  shown(
    capture: string,
    protocol: string,
    options: readonly string[] = [],
    filter: readonly string[] = ["-Y", protocol],
  ): ShownField[] {
    return messagesIn(this.tshark(capture, [...options, ...filter, "-T", "pdml"]), protocol);
  }

  /** What tshark shows of each packet: its number, and fields. */
  columns(
    capture: string,
    protocol: string,
    fields: readonly string[],
    options: readonly string[] = [],
  ): readonly (readonly string[])[] {
    const columns = ["frame.number", ...fields.map((field) => `${protocol}.${field}`)];
    const args = ["-T", "fields", ...columns.flatMap((column) => ["-e", column])];
    const lines = this.tshark(capture, [...options, ...args]).split("\n");
    return lines.flatMap((line) => (line === "" ? [] : [line.split("\t")]));
  }

  /** What tshark calls the messages of a capture: much faster than all of their fields. */
  named(
    capture: string,
    protocol: string,
    options: readonly string[] = [],
    filter: readonly string[] = ["-Y", protocol],
  ): Named[] {
    return this.namedByFrame(capture, protocol, options, filter).flatMap(({ messages }) => messages);
  }

  /** The same by the frames that have messages. */
  namedByFrame(
    capture: string,
    protocol: string,
    options: readonly string[],
    filter: readonly string[],
  ): { readonly frame: number; readonly messages: readonly Named[] }[] {
    const rows = this.columns(capture, protocol, ["message", "status"], [...options, ...filter]);
    return rows.flatMap(([frame, messages = "", statuses = ""]) => {
      if (messages === "") return [];
      const all = statuses.split(",");
      expect(all.length).toBe(messages.split(",").length);
      const named = messages.split(",").map((message, index) => ({ message, status: all[index] ?? "" }));
      return [{ frame: Number(frame), messages: named }];
    });
  }

  /** Expects that tshark shows the same messages of a capture, with the same fields, as this program does. */
  async expectSame(
    capture: string,
    protocol: string,
    {
      tshark = [],
      own: ownOptions = [],
      filter = ["-Y", protocol],
    }: {
      readonly tshark?: readonly string[];
      readonly own?: readonly string[];
      readonly filter?: readonly string[];
    } = {},
  ): Promise<void> {
    const shown = this.shown(capture, protocol, ["-2", ...tshark], filter);
    const own = jsonLines((await uncheckedRun([capture, "--format", "json-tree", ...ownOptions])).stdout);
    const facts = (fact: string) => shown.map((one) => factOf(one, protocol, fact));
    expect(facts("message")).toEqual(own.map(({ message }) => message));
    expect(facts("status")).toEqual(own.map(({ status }) => status));
    expect(facts("number").map(Number)).toEqual(own.map(({ number }) => number));
    expect(facts("protocol")).toEqual(own.map(({ protocol: spoken }) => spoken));
    expect(facts("direction")).toEqual(own.map(({ direction }) => direction));
    const differences = own.flatMap(({ number, message, tree }, index) => {
      const one = shown[index];
      const difference = one && differenceOf(one, tree, protocol);
      return difference === undefined ? [] : [`#${number} ${message}: ${difference}`];
    });
    expect(differences.slice(0, 5)).toEqual([]);
    const summaries = own.flatMap(({ number, summary }, index) => {
      const one = shown[index];
      const line = one === undefined ? "" : factOf(one, protocol, "summary");
      return line === summary ? [] : [`#${number} ${line} instead of ${summary}`];
    });
    expect(summaries.slice(0, 5)).toEqual([]);
  }
}

/** Of the columns that tshark shows, some. */
export function columnsOf(
  all: readonly (readonly string[])[],
  fields: readonly string[],
  some: readonly string[],
): readonly (readonly (string | undefined)[])[] {
  const places = [0, ...some.map((field) => 1 + fields.indexOf(field))];
  return all.map((row) => places.map((place) => row[place]));
}

/** What is known about a message beside its fields: "status"; empty if it is not shown. */
export function factOf({ fields }: ShownField, protocol: string, name: string): string {
  return fields.find((field) => field.name === `${protocol}.${name}`)?.show ?? "";
}
