import { suggestion } from "../common/nearest.js";
import { UsageError } from "../common/usage-error.js";
import type { Dissected, MessageNote } from "../dissect/message.js";
import { messageNotes } from "../dissect/message-notes.js";
import type { DefinitionFile, Dissector } from "../dissector/dissector.js";
import { blaming } from "../dissector/failure.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import type { Limits } from "../limits.js";
import { Decoder } from "../schema/decode/decode.js";
import { Extent } from "../schema/decode/window.js";
import { viewOf } from "../schema/language/byte-source.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { Opcode } from "../schema/language/opcode.js";
import type { Type } from "../schema/language/type.js";
import { type DeclaredType, declaredTypes } from "./declared-types.js";

/** @throws UsageError if no dissector declares a type of this name */
export function declaredType(typeName: string, dissectors: readonly Dissector[]): DeclaredType {
  const types = declaredTypes(dissectors);
  const declared = types.get(typeName);
  if (declared !== undefined) return declared;
  const kinds =
    "; examples are a common type (plUoid), a class (plNotifyMsg), a family (plNetMessage), a message " +
    "(Cli2Auth_AgeRequest) and sdl";
  throw new UsageError(`${typeName} is not a declared type${suggestion(typeName, types.keys()) || kinds}`);
}

/** Returns a function that dissects bytes as a value of a type; each value is valid until the next one. */
export function valueDissector(
  { typeName, type, dissector, other }: DeclaredType,
  definitions: readonly DefinitionFile[],
  limits: Limits,
): (bytes: Uint8Array) => Dissected {
  const decoder = new Decoder(limits);
  decoder.settings = blaming(dissector.name, () => {
    const settings = dissector.settingsFor?.(definitions);
    expectNoPromise(settings, "settingsFor()");
    return settings;
  });
  const { nodes } = decoder;
  /** Decodes bytes as a type; returns whether they make sense as that. */
  const makesSense = (bytes: Uint8Array, as: Type<unknown>): boolean => {
    decoder.decode(as, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact);
    return nodes.outcome === "ok";
  };
  return (bytes) => {
    const isUsual = makesSense(bytes, type);
    const isOther = !isUsual && other !== undefined && makesSense(bytes, other.type);
    // The usual form is what is shown if neither makes sense.
    if (!isUsual && !isOther && other !== undefined) makesSense(bytes, type);
    const name = nameOf(type, nodes) ?? typeName;
    const notes = messageNotes(nodes);
    const remarks: MessageNote[] = isOther ? [{ severity: "note", path: "", text: other.note }] : [];
    const all = [...remarks, ...notes];
    return { name, status: nodes.outcome, nodes, offset: 0, length: bytes.length, notes: all };
  };
}

/** The class that was found where another one was asked for. */
function nameOf({ descriptor }: Type<unknown>, nodes: FieldTree): string | undefined {
  const { opcode, struct } = nodes.field(0);
  const isOther =
    opcode === Opcode.Polymorphic && descriptor.base !== undefined && struct?.isA(descriptor.base) === false;
  return isOther ? struct.name : undefined;
}
