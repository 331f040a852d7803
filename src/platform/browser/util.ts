/** What `pcap-parser` uses of the module `util` of Node.js. */

type Constructor = { prototype: object };

export function inherits(child: Constructor, parent: Constructor): void {
  Object.setPrototypeOf(child.prototype, parent.prototype);
}

/** Only for one text in a message, which nobody sees: other files never reach `pcap-parser`. */
export function format(text: string, value: unknown): string {
  return text.replace("%s", String(value));
}
