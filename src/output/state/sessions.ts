import { endpointText } from "../../network/address.js";
import type { Origin } from "../../network/conversation.js";
import type { PlayerSession, Presence, SessionPart, Step } from "../../state/sessions.js";
import type { Palette } from "../text/palette.js";
import { printable, safeJson } from "../writers/sanitise.js";
import { SESSION_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime, timeBetween } from "../writers/time.js";
import { fullText, momentJson, partyJson, partyText } from "./common.js";

/** One line of `players --json`. @param others who came and went, as its conversations were told */
export function sessionLine(session: PlayerSession, others: readonly Presence[]): string {
  const { player, address, parts } = session;
  return `${safeJson({
    schema: SESSION_SCHEMA,
    player: partyJson(player),
    address,
    conversations: parts.map(partJson),
    others: others.map(({ at, player: other, isThere }) => ({
      ...momentJson(at),
      player: partyJson(other),
      there: isThere,
    })),
  })}\n`;
}

function partJson({ conversation, protocol, steps, ended }: SessionPart) {
  const { stream, client, server, first, last } = conversation;
  return {
    ...{ stream, protocol, client: endpointText(client), server: endpointText(server) },
    ...{ start: absoluteTime(first), last: absoluteTime(last) },
    ended: ended?.reason ?? null,
    endedBy: ended?.by === undefined ? null : ended.by === "c2s" ? "client" : "server",
    steps: steps.map((step) => ({
      ...{ step: step.step, protocol: step.protocol, asked: momentJson(step.asked) },
      answered: step.answered === undefined ? null : momentJson(step.answered),
      ...{ outcome: step.outcome, detail: step.detail ?? null, error: step.error ?? null },
      ...{ player: partyJson(step.player), place: partyJson(step.place) },
    })),
  };
}

/** Something that happened in a conversation of a session. */
export interface SessionLine {
  readonly at: Origin;
  readonly what: string;
  /** Undefined for what nobody has asked for. */
  readonly outcome: Step["outcome"] | undefined;
  /** What became of it, in words; empty if `what` says it. */
  readonly result: string;
  /** Numbers of its messages. */
  readonly numbers: readonly number[];
}

/** What happened in a conversation, in order: its steps, and who came and went. */
export function linesOf({ conversation, steps }: SessionPart, others: readonly Presence[]): SessionLine[] {
  const told = others.filter(({ at }) => at.stream === conversation.stream);
  return [...steps.map(stepLine), ...told.map(presenceLine)].sort(
    ({ numbers: [one = 0] }, { numbers: [other = 0] }) => one - other,
  );
}

/** How a conversation ended, in words; undefined if it has not. */
export function endingOf({ ended }: SessionPart): string | undefined {
  if (ended === undefined) return undefined;
  const by = ended.by === undefined ? "" : ` by the ${ended.by === "c2s" ? "client" : "server"}`;
  return {
    fin: `closed${by}`,
    rst: `reset${by}`,
    reused: "its ports are used again",
    idle: "silent",
    "capture-end": "still open when the capture ends",
  }[ended.reason];
}

/** Who played, with the number of that player, or where nobody knows the client's address. */
export function whoPlayed({ player, address }: PlayerSession): string {
  return printable(player === undefined ? `${address} (no player chosen)` : fullText(player));
}

/** A session as text: its conversations, the steps in each, and how it ended. */
export function sessionText(
  session: PlayerSession,
  others: readonly Presence[],
  begin: Origin,
  colors: Palette,
): string {
  let text = `${colors.heading(whoPlayed(session))}\n`;
  for (const part of session.parts) {
    const { conversation, protocol } = part;
    const { stream, client, first } = conversation;
    const where = `stream ${stream}, ${endpointText(client)}`;
    text += `  ${sinceText(begin, first)}  ${colors.protocol(protocol)(printable(protocol))} ${colors.faint(where)}\n`;
    for (const line of linesOf(part, others)) text += lineText(line, begin, colors);
    text += endText(part, begin, colors);
  }
  return text;
}

function stepLine({ step, asked, answered, outcome, detail, player, place, error }: Step): SessionLine {
  const named = [detail, player && partyText(player), place && partyText(place)].filter((part) => part !== undefined);
  const what = [step, ...named.map((part) => printable(part))].join(" ");
  const isAlone = answered === undefined || answered.number === asked.number;
  const numbers = isAlone ? [asked.number] : [asked.number, answered.number];
  const result = {
    asked: "no answer",
    done: "done",
    failed: error ? `failed: ${printable(error)}` : "failed",
  }[outcome];
  return { at: asked.origin, what, outcome, result, numbers };
}

function presenceLine({ at, player, isThere }: Presence): SessionLine {
  const what = `${printable(partyText(player))} ${isThere ? "is there" : "has left"}`;
  return { at: at.origin, what, outcome: undefined, result: "", numbers: [at.number] };
}

function lineText({ at, what, outcome, result, numbers }: SessionLine, begin: Origin, colors: Palette): string {
  const listed = colors.faint(numbers.map((number) => `#${number}`).join(", "));
  const color = outcome === "asked" ? colors.severity("warning") : colors.severity("error");
  const became = outcome === undefined ? "" : `: ${outcome === "done" ? result : color(result)}`;
  return `  ${sinceText(begin, at)}    ${what}${became} ${listed}\n`;
}

function endText(part: SessionPart, begin: Origin, colors: Palette): string {
  const { ended, last } = part;
  const how = endingOf(part);
  if (ended === undefined || how === undefined || last === undefined) return "";
  return `  ${sinceText(begin, ended.at)}    ${how}; ${colors.faint(`last sign of life ${sinceText(begin, last.origin).trim()}, #${last.number}`)}\n`;
}

function sinceText(begin: Origin, at: Origin): string {
  return timeBetween(begin, at).padStart(12);
}

/** Sessions as a sequence diagram of Mermaid: who asks whom for what, and what is answered. */
export function mermaid(sessions: readonly PlayerSession[]): string {
  const steps = sessions
    .flatMap((session) => session.parts.flatMap(({ steps }) => steps.map((step) => ({ session, step }))))
    .sort((one, other) => one.step.asked.number - other.step.asked.number);
  const clients = sessions.map(nameOf);
  const servers = [...new Set(steps.map(({ step }) => step.protocol))];
  const names = new Map([...clients, ...servers].map((name, index) => [name, `p${index}`]));
  const lines = ["sequenceDiagram", ...[...names].map(([name, id]) => `  participant ${id} as ${label(name)}`)];
  for (const { session, step } of steps) {
    const [client, server] = [names.get(nameOf(session)), names.get(step.protocol)];
    const { asked, answered, outcome, error } = step;
    const named = [step.step, step.detail ?? (step.player && partyText(step.player)) ?? ""].join(" ").trim();
    if (answered?.number !== asked.number) lines.push(`  ${client}->>${server}: ${label(`#${asked.number} ${named}`)}`);
    if (answered === undefined) lines.push(`  Note over ${server}: ${label(`no answer to #${asked.number}`)}`);
    else {
      const arrow = outcome === "failed" ? "--x" : "-->>";
      lines.push(`  ${server}${arrow}${client}: ${label(`#${answered.number} ${error ?? outcome}`)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function nameOf({ player, address }: PlayerSession): string {
  return player === undefined ? address : partyText(player);
}

/** Text that Mermaid takes for nothing but text. */
function label(text: string): string {
  return printable(text).replace(/[#;:<>"%{}\\]/g, (character) => `#${character.charCodeAt(0)};`);
}
