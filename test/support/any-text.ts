import fc from "fast-check";

/** Characters of every width in UTF-8 and UTF-16. Halves of surrogate pairs are not characters. */
const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xff }),
    fc.integer({ min: 0x100, max: 0x7ff }),
    fc.integer({ min: 0x800, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0xffff }),
    fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
  )
  .map((code) => String.fromCodePoint(code));

/**
 * Texts of any characters, and sometimes names that JavaScript knows. The unit "binary" of fast-check makes a table of
 * all characters first, which takes a second.
 */
export function anyText(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  const any = fc.array(character, lengths).map((characters) => characters.join(""));
  return fc.oneof({ weight: 9, arbitrary: any }, { weight: 1, arbitrary: fc.string(lengths) });
}
