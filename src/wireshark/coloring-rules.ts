/** A colour of Wireshark's: red, green and blue, of 16 bits each. */
type Color = readonly [red: number, green: number, blue: number];

interface Rule {
  readonly name: string;
  readonly filter: string;
  readonly background: Color;
  readonly foreground: Color;
}

const BLACK: Color = [0, 0, 0];
const WHITE: Color = [65535, 65535, 65535];

/** The colours that both protocols have: what is wrong, the worst first. */
function statusRules(prefix: string, title: string): Rule[] {
  const rule = (what: string, status: string, background: Color, foreground = BLACK): Rule => {
    return { name: `${title}: ${what}`, filter: `${prefix}.status == "${status}"`, background, foreground };
  };
  return [
    rule("malformed", "malformed", [42148, 0, 0], WHITE),
    rule("truncated or missing", "truncated", [64764, 44975, 15934]),
    rule("encrypted", "encrypted", [52428, 52428, 52428]),
    rule("not declared", "unknown", [65535, 65535, 49344]),
  ];
}

const RULES: readonly Rule[] = [
  ...statusRules("moul", "MOUL"),
  ...statusRules("bzflag", "BZFlag"),
  {
    name: "MOUL: refused",
    // In a packet with several replies, "!=" is only true if all of them are refused.
    filter: "moul.result > 0",
    background: [65535, 41120, 31354],
    foreground: BLACK,
  },
  { name: "MOUL: chat", filter: "moul.pfKIMsg", background: [55769, 61680, 53970], foreground: [0, 24672, 0] },
  { name: "MOUL: voice", filter: "moul.plNetMsgVoice", background: [61680, 57568, 65535], foreground: BLACK },
  {
    name: "MOUL: vault",
    filter: 'moul.message contains "Vault"',
    background: [65278, 62194, 54741],
    foreground: BLACK,
  },
  { name: "MOUL: game", filter: 'moul.protocol == "moul.game"', background: [57054, 62965, 65535], foreground: BLACK },
  { name: "MOUL", filter: "moul", background: [59367, 59110, 65535], foreground: BLACK },
  { name: "BZFlag: chat", filter: "bzflag.MsgMessage", background: [55769, 61680, 53970], foreground: [0, 24672, 0] },
  { name: "BZFlag", filter: "bzflag", background: [57054, 62965, 65535], foreground: BLACK },
];

const HEAD = [
  "# Colouring rules for Wireshark with the plugin of moul-dissect. To use them: View, Coloring Rules, Import.",
  "# Without a window, put them before the rules in the file colorfilters in Wireshark's folder for configuration.",
];

/** Colouring rules for messages that the plugin shows, as a file that Wireshark imports: the first that fits counts. */
export function coloringRules(): string {
  const color = (parts: Color) => `[${parts.join(",")}]`;
  const lines = RULES.map(
    ({ name, filter, background, foreground }) => `@${name}@${filter}@${color(background)}${color(foreground)}`,
  );
  return `${HEAD.join("\n")}\n${lines.join("\n")}\n`;
}
