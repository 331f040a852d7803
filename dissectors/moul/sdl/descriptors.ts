import type { DefinitionFile, KeyFile } from "moul-dissect/dissector";
import type { StructType, Type } from "moul-dissect/schema";
import { decryptions, encryptionOf } from "../keys/encrypted-file.js";
import { remarkText } from "../keys/key-material.js";
import { droidKeysIn } from "../keys/moul-keys.js";
import { Remarks } from "../keys/remarks.js";
import { linesOfText } from "../keys/text-file.js";
import { engineDescriptors } from "./engine-descriptors.js";
import { parseSdl } from "./parse.js";
import { recordType } from "./record.js";
import { type StateDescriptor, titleOf } from "./state-descriptor.js";

/** All definition files of a shard together have less than 1 MB. */
const LARGEST_FILE = 16 * 1024 * 1024;

/** A file of state descriptors that was read. */
class SdlFile implements DefinitionFile {
  readonly recognised: boolean;
  readonly remarks: readonly string[];
  readonly #descriptors: readonly StateDescriptor[];

  constructor(fileName: string, bytes: Uint8Array, keys: readonly KeyFile[], earlier: readonly DefinitionFile[]) {
    const remarks = new Remarks(fileName);
    const lines = sdlLines(bytes, keys, remarks);
    this.#descriptors = lines === undefined ? [] : parseSdl(lines, remarks);
    this.recognised = this.#descriptors.length > 0;
    if (lines !== undefined && !this.recognised) remarks.error("no usable state descriptor in this file");
    remarkChanges(this.#descriptors, SdlFile.descriptors(earlier), remarks);
    this.remarks = remarks.list().map(remarkText);
  }

  static descriptors(files: readonly DefinitionFile[]): StateDescriptor[] {
    return files.flatMap((file) => (file instanceof SdlFile ? file.#descriptors : []));
  }
}

/**
 * Reads a `.sdl` file, plain or encrypted, whatever its name. Never throws.
 *
 * @param earlier files that were read before it: its declarations override theirs, with a remark where they differ
 */
export function readSdlFile(
  fileName: string,
  bytes: Uint8Array,
  keys: readonly KeyFile[],
  earlier: readonly DefinitionFile[] = [],
): DefinitionFile {
  return new SdlFile(fileName, bytes, keys, earlier);
}

/** The lines of a definition file; undefined for any other file. */
function sdlLines(bytes: Uint8Array, keys: readonly KeyFile[], remarks: Remarks): string[] | undefined {
  if (bytes.length > LARGEST_FILE) {
    remarks.error(`larger than a .sdl file can be (${LARGEST_FILE} bytes)`);
    return undefined;
  }
  const encryption = encryptionOf(bytes);
  if (encryption === undefined) return descriptorLines(bytes);
  for (const content of decryptions(bytes, droidKeysIn(keys))) {
    const lines = descriptorLines(content);
    if (lines !== undefined) return lines;
  }
  remarks.error(
    `encrypted (${encryption}), and no key turns it into a .sdl file; give its key with --sdl-key or --keys`,
  );
  return undefined;
}

/** The lines of a text that declares state descriptors; undefined for anything else. */
function descriptorLines(bytes: Uint8Array): string[] | undefined {
  const lines = linesOfText(bytes);
  return lines?.some((line) => /\bSTATEDESC\b/i.test(line)) ? lines : undefined;
}

/** Remarks on descriptors that are declared again and differently. */
function remarkChanges(descriptors: readonly StateDescriptor[], earlier: StateDescriptor[], remarks: Remarks): void {
  const known = new Map(earlier.map((descriptor) => [keyOf(descriptor), descriptor]));
  for (const descriptor of descriptors) {
    const before = known.get(keyOf(descriptor));
    if (before !== undefined && JSON.stringify(before.variables) !== JSON.stringify(descriptor.variables)) {
      remarks.note(`${titleOf(descriptor)} was declared before, and differently; this declaration counts`);
    }
    known.set(keyOf(descriptor), descriptor);
  }
}

/** The engine ignores the case of names. */
function keyOf({ name, version }: { readonly name: string; readonly version: number }): string {
  return `${version} ${name.toLowerCase()}`;
}

/** Most spellings of names that are found quickly: case does not matter, so one name has many. */
const MOST_FOUND = 1000;

/** The state descriptors that were given for a run, and the types of their records. */
export class SdlDescriptors {
  readonly #descriptors = new Map<string, StateDescriptor>();
  readonly #newest = new Map<string, number>();
  /** For each descriptor the versions of those that it nests, by name. */
  readonly #nested = new Map<string, ReadonlyMap<string, number>>();
  readonly #types = new Map<StateDescriptor, StructType<unknown>>();
  /** Types that were found, by name as a record has it, and version: records of the same few come over and over. */
  readonly #found = new Map<string, Map<number, StructType<unknown>>>();

  /** @param others have what is not among these */
  constructor(
    descriptors: readonly StateDescriptor[],
    readonly others?: SdlDescriptors,
  ) {
    for (const descriptor of descriptors) this.#add(descriptor);
  }

  #add(descriptor: StateDescriptor): void {
    const name = descriptor.name.toLowerCase();
    this.#descriptors.set(keyOf(descriptor), descriptor);
    this.#newest.set(name, Math.max(this.#newest.get(name) ?? descriptor.version, descriptor.version));
    // Which version is nested is settled when the engine first reads the declaration, not when a record comes, and not
    // when it reads the same declaration again.
    const before = this.#nested.get(keyOf(descriptor));
    const nested = new Map<string, number>();
    for (const { type } of descriptor.variables) {
      if (!("nested" in type)) continue;
      const version = before?.get(type.nested) ?? this.#newest.get(type.nested.toLowerCase());
      if (version !== undefined) nested.set(type.nested, version);
    }
    this.#nested.set(keyOf(descriptor), nested);
  }

  /** The types of the records of these descriptors, by version and name in lower case. */
  *recordTypes(): IterableIterator<[key: string, StructType<unknown>]> {
    for (const [key, descriptor] of this.#descriptors) yield [key, this.#typeOf(descriptor)];
  }

  /** The type of a descriptor's records, or why there is none. */
  record(name: string, version: number): Type<unknown> | string {
    const { others } = this;
    const found = this.#find(name, version) ?? (others === undefined ? undefined : others.#find(name, version));
    return found ?? notSupplied(name, version);
  }

  #find(name: string, version: number): Type<unknown> | undefined {
    const known = this.#found.get(name)?.get(version);
    if (known !== undefined) return known;
    const descriptor = this.#descriptors.get(keyOf({ name, version }));
    if (descriptor === undefined) return undefined;
    const type = this.#typeOf(descriptor);
    if (this.#found.size >= MOST_FOUND) this.#found.clear();
    const versions = this.#found.get(name) ?? new Map<number, StructType<unknown>>();
    this.#found.set(name, versions.set(version, type));
    return type;
  }

  #typeOf(descriptor: StateDescriptor): StructType<unknown> {
    let type = this.#types.get(descriptor);
    if (type === undefined) {
      type = recordType(descriptor, (name) => this.#nestedIn(descriptor, name));
      this.#types.set(descriptor, type);
    }
    return type;
  }

  #nestedIn(descriptor: StateDescriptor, name: string): Type<unknown> | string {
    const version = this.#nested.get(keyOf(descriptor))?.get(name) ?? this.#newest.get(name.toLowerCase());
    const nested = version === undefined ? undefined : this.#descriptors.get(keyOf({ name, version }));
    if (nested !== undefined) return this.#typeOf(nested);
    return `SDL descriptor ${name}, which ${titleOf(descriptor)} nests, was not supplied; give its .sdl file with --sdl`;
  }
}

function notSupplied(name: string, version: number): string {
  return `SDL descriptor ${name} version ${version} was not supplied; give its .sdl file with --sdl`;
}

let ofEngine: SdlDescriptors | undefined;

/** The descriptors of the engine, whose types are made once for all runs. */
function engine(): SdlDescriptors {
  ofEngine ??= new SdlDescriptors(engineDescriptors);
  return ofEngine;
}

/** No record has a known layout. */
export const noDescriptors = new SdlDescriptors([]);

/** The type of the records of a descriptor, from the settings of the run, or why there is none. */
export function recordTypeIn(settings: unknown, name: string, version: number): Type<unknown> | string {
  return (settings instanceof SdlDescriptors ? settings : engine()).record(name, version);
}

/** The types of the records of the engine's own descriptors, as `SdlDescriptors.recordTypes` has them. */
export function engineRecordTypes(): Iterable<[key: string, StructType<unknown>]> {
  return engine().recordTypes();
}

const descriptorsOf = new WeakMap<readonly DefinitionFile[], SdlDescriptors>();

/** What the files of the last run declare: many captures are read with the same ones, and types stay in memory. */
let last: { readonly declared: string; readonly descriptors: SdlDescriptors } | undefined;

/** The descriptors in definition files; they do not change during a run, and serve all of its conversations. */
export function descriptorsIn(files: readonly DefinitionFile[]): SdlDescriptors {
  let descriptors = descriptorsOf.get(files);
  if (descriptors === undefined) {
    const given = SdlFile.descriptors(files);
    const declared = JSON.stringify(given);
    descriptors = last?.declared === declared ? last.descriptors : new SdlDescriptors(given, engine());
    last = { declared, descriptors };
    descriptorsOf.set(files, descriptors);
  }
  return descriptors;
}
