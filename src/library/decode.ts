import type { Dissected, MessageNote, Status } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import { defaultLimits, type Limits } from "../limits.js";
import { valueLine, valueTreeLine } from "../output/json/json.js";
import type { ValueJson, ValueTree } from "../output/json/message-json.js";
import { dissectors as builtIn } from "../pipeline/dissectors.js";
import { declaredType, valueDissector } from "../reference/value-dissector.js";
import { encode as encodeValue } from "../schema/encode/encode.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { readDefinitionFiles } from "../session/files/definition-files.js";
import { readKeyFiles } from "../session/files/key-files.js";
import type { GivenFile } from "../session/files/offered-file.js";

/** What decoding of bytes may need. */
export interface DecodeOptions {
  /** Dissectors that know the type, in the order in which they are asked; by default, the built-in ones. */
  readonly dissectors?: readonly Dissector[];
  /** Definition files (`.sdl`), and key files for those that are encrypted. */
  readonly definitions?: readonly GivenFile[];
  readonly keys?: readonly GivenFile[];
  readonly limits?: Partial<Limits>;
}

/** A value that was decoded from bytes outside a capture. */
export class DecodedValue implements Dissected {
  readonly name: string;
  readonly status: Status;
  readonly nodes: FieldTree | undefined;
  readonly offset = 0;
  readonly length: number;
  readonly notes: readonly MessageNote[];

  constructor({ name, status, nodes, length, notes }: Dissected) {
    this.name = name;
    this.status = status;
    this.nodes = nodes?.snapshot();
    this.length = length;
    this.notes = notes;
  }

  /** The object that `decode --json` prints. */
  toJSON(): ValueJson {
    return JSON.parse(valueLine(this));
  }

  /** The object that `decode --format json-tree` prints. */
  toTree(): ValueTree {
    return JSON.parse(valueTreeLine(this));
  }
}

/**
 * Decodes bytes as a value of a declared type: a message (`Cli2Auth_AgeRequest`), a class (`plNotifyMsg`), a family
 * (`plNetMessage`) or a common type (`plUoid`).
 *
 * @throws UsageError if no dissector declares such a type
 */
export async function decode(typeName: string, bytes: Uint8Array, options: DecodeOptions = {}): Promise<DecodedValue> {
  const { dissectors = builtIn, definitions: given = [], keys: keyFiles = [], limits } = options;
  const declared = declaredType(typeName, dissectors);
  const { keys } = await readKeyFiles(keyFiles, dissectors);
  const { definitions } = await readDefinitionFiles(given, dissectors, keys);
  const own = definitions.get(declared.dissector) ?? [];
  return new DecodedValue(valueDissector(declared, own, { ...defaultLimits, ...limits })(bytes));
}

/**
 * Encodes a value of a declared type, the inverse of `decode`. Numbers are numbers (bigints for 64 bits), bytes are
 * `Uint8Array`s, a struct is an object with its fields by name, and an object of a family has its class in `class`.
 * Counts and lengths that are left out are computed.
 *
 * @throws UsageError if no dissector declares such a type, EncodeError if a field is missing or cannot hold its value
 */
export function encode(
  typeName: string,
  value: unknown,
  { dissectors = builtIn }: Pick<DecodeOptions, "dissectors"> = {},
): Uint8Array {
  return encodeValue(declaredType(typeName, dissectors).type, value);
}
