import type { Origin } from "../../network/conversation.js";
import type { PlayerSession, Step } from "../../state/sessions.js";
import type { Palette } from "../text/palette.js";
import { printable } from "../writers/sanitise.js";
import { cutEnd, widthOf } from "../writers/text-width.js";
import { timeBetween } from "../writers/time.js";
import { partyText } from "./common.js";
import { whoPlayed } from "./sessions.js";

/** Columns for a time, and from one lane to the next. */
const TIME = 12;
const STEP = 9;

/** Something that goes from one lane to another. */
interface Arrow {
  readonly number: number;
  readonly at: Origin;
  readonly server: string;
  readonly isAnswer: boolean;
  readonly isRefusal: boolean;
  readonly text: string;
}

/**
 * A session as a sequence diagram in text: a lane for the client, and one for each kind of server.
 *
 * @param width the most columns of a line
 */
export function sequenceText(session: PlayerSession, begin: Origin, colors: Palette, width: number): string {
  const arrows = session.parts
    .flatMap(({ steps }) => steps.flatMap(arrowsOf))
    .sort((one, other) => one.number - other.number);
  const servers = [...new Set(arrows.map(({ server }) => server))];
  const names = ["client", ...servers.map((protocol) => printable(protocol.split(".").at(-1) ?? protocol))];
  const head = names
    .map((name) => cutEnd(name, STEP - 1).text.padEnd(STEP))
    .join("")
    .trimEnd();
  const margin = " ".repeat(TIME + 2);
  const lines = arrows.map((arrow) => arrowLine(arrow, servers, begin, colors, width));
  return `${colors.heading(whoPlayed(session))}\n${margin}${colors.faint(head)}\n${lines.join("")}`;
}

/** A request, and what is answered; or what comes without having been asked for. */
function arrowsOf({ step, protocol, asked, answered, outcome, detail, player, place, error }: Step): Arrow[] {
  const named = [detail, player && partyText(player), place && partyText(place)].filter((part) => part !== undefined);
  const text = [step, ...named].join(" ");
  const isAlone = answered?.number === asked.number;
  const request = { number: asked.number, at: asked.origin, server: protocol, isAnswer: false, isRefusal: false, text };
  if (answered === undefined) return [{ ...request, text: `${text}: no answer` }];
  const result = outcome === "failed" ? error || "failed" : outcome;
  const answer = {
    number: answered.number,
    at: answered.origin,
    server: protocol,
    isAnswer: true,
    isRefusal: outcome === "failed",
    text: isAlone ? `${text}: ${result}` : result,
  };
  return isAlone ? [answer] : [request, answer];
}

function arrowLine(arrow: Arrow, servers: readonly string[], begin: Origin, colors: Palette, width: number): string {
  const { number, at, server, isAnswer, isRefusal, text } = arrow;
  const lane = servers.indexOf(server) + 1;
  const length = lane * STEP - 1;
  const line = isAnswer
    ? `<${(isRefusal ? "- " : "-").repeat(length).slice(0, length - 1)}`
    : `${"-".repeat(length - 1)}>`;
  const others = `${" ".repeat(STEP - 1)}|`.repeat(servers.length - lane);
  const art = `|${line}|${others}`;
  const time = timeBetween(begin, at).padStart(TIME);
  const label = `#${number} ${printable(text)}`;
  const shown = cutEnd(label, Math.max(8, width - TIME - 2 - widthOf(art) - 2)).text;
  return `${colors.faint(time)}  ${art}  ${isRefusal ? colors.severity("error")(shown) : shown}\n`;
}
