/** How many colours protocols have. Those of errors and warnings are not among them. */
export const HUES = 6;

/**
 * Places of well-known protocols among the hues: those of one session differ. Another protocol has the hue that follows
 * from its name, so that it is the same in every session.
 */
const FIXED: ReadonlyMap<string, number> = new Map([
  ["moul.auth", 0],
  ["moul.game", 1],
  ["moul.gatekeeper", 2],
  ["moul.file", 3],
  ["moul.csr", 4],
  ["moul.status", 5],
  ["bzflag.list", 1],
  ["bzflag.ping", 2],
]);

/** The number of a protocol's colour, from 0: the same in every session. */
export function hueOf(protocol: string): number {
  return FIXED.get(protocol) ?? numberOf(protocol) % HUES;
}

/** A number that follows from the name of a protocol alone; its versions ("bzflag.107e") have the same. */
function numberOf(protocol: string): number {
  let number = 0;
  for (const character of protocol.replace(/\.\d\w*$/, ""))
    number = (31 * number + (character.codePointAt(0) ?? 0)) % 0xffff;
  return number;
}
