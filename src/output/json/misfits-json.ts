import type { Dissected } from "../../dissect/message.js";
import { Ascii } from "../writers/ascii.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import type { FieldWriter } from "./field-writer.js";
import { PathWalk } from "./path-walk.js";

const MISFITS = new PackedBytes(',"misfits":[');
const PATH = new PackedBytes('{"path":"');
const VALUE = new PackedBytes('","value":');

const walk = new PathWalk();

/**
 * Writes the member `misfits`, if there are any: values that are null in `fields`, where another JSON type belongs,
 * each with its path.
 */
export function writeMisfits(writer: FieldWriter, { nodes }: Dissected): void {
  const { misfits } = writer;
  if (misfits.length === 0 || nodes === undefined) return;
  writer.constant(MISFITS);
  walk.begin();
  for (const [index, { node, text }] of misfits.entries()) {
    if (index > 0) writer.byte(Ascii.Comma);
    writer.constant(PATH);
    walk.write(writer, nodes, node);
    writer.constant(VALUE);
    if (text === undefined) writer.hexString(nodes.bytes(node));
    else writer.string(text);
    writer.byte(Ascii.ClosingBrace);
  }
  writer.byte(Ascii.ClosingBracket);
}
