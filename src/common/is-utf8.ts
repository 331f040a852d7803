/**
 * True if bytes are valid UTF-8: without overlong forms, surrogates, and what is beyond the last code point (Unicode
 * Standard, table 3-7). For the short texts of messages, this takes less time than a call of the platform's function.
 */
export function isUtf8(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let at = 0; at < length; ) {
    const lead = bytes[at++] ?? 0;
    if (lead < 0x80) continue;
    // A sequence continues with bytes of which the first may have a narrower range.
    let more = 1;
    let least = 0x80;
    let most = 0xbf;
    if (lead < 0xc2 || lead > 0xf4) return false;
    if (lead >= 0xf0) {
      more = 3;
      if (lead === 0xf0) least = 0x90;
      else if (lead === 0xf4) most = 0x8f;
    } else if (lead >= 0xe0) {
      more = 2;
      if (lead === 0xe0) least = 0xa0;
      else if (lead === 0xed) most = 0x9f;
    }
    for (; more > 0; more--, least = 0x80, most = 0xbf) {
      const byte = bytes[at++] ?? 0;
      if (byte < least || byte > most) return false;
    }
  }
  return true;
}
