import { empty } from "../../common/empty.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { JsonWriter } from "./json-writer.js";

const NULL = new PackedBytes("null");

/** A value that is not of the JSON type that its field has. */
export interface Misfit {
  readonly node: number;
  /** The value; undefined for the bytes of the node. */
  readonly text: string | undefined;
}

/** Builds the JSON of fields, and collects what a message says about them elsewhere. */
export class FieldWriter extends JsonWriter {
  /** Nodes with numbers that may have a name, in wire order. */
  readonly references: number[] = [];
  readonly misfits: Misfit[] = [];

  override clear(): void {
    super.clear();
    empty(this.references);
    empty(this.misfits);
  }

  null(): void {
    this.constant(NULL);
  }

  /** Writes null for a value of another type than that of its field. @param text the value; none for its bytes */
  misfit(node: number, text?: string): void {
    this.null();
    this.misfits.push({ node, text });
  }
}
