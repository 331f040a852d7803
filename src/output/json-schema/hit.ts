import { hitPlaces } from "../../find/search.js";
import { HIT_SCHEMA } from "../writers/schema-names.js";
import { CAPTURE } from "./envelope.js";
import { COUNT, type JsonSchema, list, object, ofCapture, TEXT } from "./terms.js";

/** A message in which `find` has found the text. */
export function hitSchema(): JsonSchema {
  const { number, time, stream, direction, protocol } = CAPTURE;
  const known = { place: { enum: hitPlaces }, path: TEXT, text: TEXT, at: COUNT, length: COUNT };
  const bytes = object({ form: TEXT, source: COUNT, offset: COUNT });
  return ofCapture({
    schema: { const: HIT_SCHEMA },
    ...{ number, time, stream, direction, protocol },
    ...{ message: TEXT, summary: TEXT },
    hits: list(object({ ...known, bytes }, Object.keys(known))),
  });
}
