import type { Dissector, TextForm } from "./dissector.js";
import { blaming } from "./failure.js";
import { expectNoPromise } from "./promise-check.js";

/**
 * The ways in which messages of these dissectors have text in bytes.
 *
 * @throws DissectorFailure from `encode` if a dissector fails there, or returns something that is no bytes
 */
export function textFormsOf(dissectors: readonly Pick<Dissector, "name" | "textForms">[]): readonly TextForm[] {
  return dissectors.flatMap(({ name: dissector, textForms = [] }) =>
    textForms.map((form) => ({
      name: form.name,
      encode: (text) => blaming(dissector, () => checkedBytes(form.encode(text))),
    })),
  );
}

function checkedBytes(encoded: unknown): Uint8Array | undefined {
  if (encoded === undefined || encoded instanceof Uint8Array) return encoded;
  expectNoPromise(encoded, "encode()");
  throw new TypeError("encode() of a form of text returned something that is no bytes");
}
