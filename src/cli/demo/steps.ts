/** One station of the tour: a command, and what to notice. */
export interface Step {
  readonly text: string;
  /** Its arguments; the capture is named by `SAMPLE`. */
  readonly args: readonly string[];
  /** The most lines of its output that are shown: a station fits on a screen. */
  readonly most: number;
}

/** Stands for the path of the capture. */
export const SAMPLE = "SAMPLE";

/** What the tour begins with. */
export const OPENING = `Two players, Alice and Böb, were recorded on a DIRTSAND shard of Myst Online: Uru Live: how they log in, create their
avatars, link to an age, chat, and leave. The connections are encrypted; the keys of the shard lie beside the recording.`;

/** Seven stations, from the whole to a detail and back. */
export const steps: readonly Step[] = [
  {
    text: "Each message is a line: when, in which conversation, from whom to whom, and what it says.",
    args: [SAMPLE, "--format", "summary", "-c", "8"],
    most: 8,
  },
  {
    text: "Nobody reads 574 lines. What should a person look at?",
    args: ["diagnose", SAMPLE, "--only", "refusal,unanswered,reconnect"],
    most: 16,
  },
  {
    text: "The filter below a finding shows its messages. One of them in full, to the last byte:",
    args: [SAMPLE, "-Y", "number == 72", "--hex"],
    most: 16,
  },
  {
    text: "What do the players say? Filters are those of Wireshark; -e makes columns, for a table or a script.",
    args: [
      SAMPLE,
      "-Y",
      'pfKIMsg.messageText matches "." and direction == c2s',
      "-e",
      "time",
      "-e",
      "senderName",
      "-e",
      "messageText",
    ],
    most: 8,
  },
  {
    text: "Where does an object occur? Names, values and bytes are searched, in every form that text has on the wire.",
    args: ["find", "cPythHoodClock", SAMPLE, "-c", "3"],
    most: 12,
  },
  {
    text: "How much of everything was there? (Players, reply times and errors are further down.)",
    args: ["stats", SAMPLE, "-Y", "moul.game"],
    most: 20,
  },
  {
    text: "And what are these bytes from a debugger?",
    args: ["decode", "plUoid", "0021000100000001000500000005f0af939e9691"],
    most: 12,
  },
];

/** Where to go from here. */
export const ENDING = `That was the tour. Your own session:

  sudo moul-dissect live --keys dirtsand.ini        records and shows it at once
  moul-dissect session.pcap --keys dirtsand.ini     shows what tcpdump or Wireshark has recorded
  moul-dissect help                                 all commands

The other recordings that came with the program, and what to try on them, are in README.md in its folder.`;
