import type { Message } from "../../dissect/message.js";
import { payloadId } from "../../dissect/payload-id.js";
import type { Origin } from "../../network/conversation.js";
import type { NameLookup } from "../../schema/language/field-tree.js";
import type { AnsweredBy, Referent } from "../../schema/language/message-context.js";
import { Ascii } from "../writers/ascii.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";
import type { FieldWriter } from "./field-writer.js";
import { writeNames } from "./names-json.js";

const EPOCH = new PackedBytes(',"epoch":"');
const SECONDS = new PackedBytes('","seconds":');
const LENGTH = new PackedBytes(',"length":');
const PAYLOAD_ID = new PackedBytes(',"payloadId":');
const ANSWERS = new PackedBytes(',"answers":{"number":');
const ANSWERED_BY = new PackedBytes(',"answeredBy":{"number":');
const MESSAGE = new PackedBytes(',"message":');
const MILLISECONDS = new PackedBytes(',"milliseconds":');
const ERROR = new PackedBytes(',"error":');
const PLAYER = ',"player":{"id":';
const AGE = ',"age":{"id":';

/** Writes what is known about a message besides its contents: each member only where that is known. */
export function writeFacts(writer: FieldWriter, message: Message): void {
  const { origin, length, nodes } = message;
  if (origin.capture !== undefined) writer.constant(captureJson(origin.capture));
  writeEpoch(writer, origin);
  writer.constant(LENGTH);
  writer.integer(length);
  const id = payloadId(message);
  if (nodes === undefined || id === undefined) return;
  writer.constant(PAYLOAD_ID);
  writer.hexString(id);
  const { context, names } = nodes;
  if (context !== undefined) {
    const { answers, answeredBy, error, player, place } = context;
    if (answers !== undefined) writeLink(writer, ANSWERS, answers);
    if (answeredBy !== undefined) writeLink(writer, ANSWERED_BY, answeredBy);
    if (error !== undefined) {
      writer.constant(ERROR);
      writer.name(error);
    }
    if (player !== undefined) writer.constant(players.json(player, names));
    if (place !== undefined) writer.constant(ages.json(place, names));
  }
  writeNames(writer, nodes);
}

let lastCapture: Origin["capture"];
let lastJson = new PackedBytes("");

function captureJson(capture: NonNullable<Origin["capture"]>): PackedBytes {
  if (capture !== lastCapture) {
    const { name, index } = capture;
    lastJson = new PackedBytes(`,"capture":${safeJson({ name, index })}`);
    lastCapture = capture;
  }
  return lastJson;
}

/** Up to this second, doubles tell microseconds apart. */
const LATEST = 2 ** 33;

/** The time in nanoseconds since 1970, as text, and in seconds, as a number. */
function writeEpoch(writer: FieldWriter, { seconds, nanoseconds }: Origin): void {
  writer.constant(EPOCH);
  if (seconds > 0) {
    writer.integer(seconds);
    writer.digits(nanoseconds, 9);
  } else writer.ascii(String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds)));
  writer.constant(SECONDS);
  const micros = Math.floor(nanoseconds / 1000);
  if (micros * 1000 !== nanoseconds || seconds < 0 || seconds > LATEST) {
    writer.number(seconds + nanoseconds / 1e9);
    return;
  }
  writer.integer(seconds);
  if (micros === 0) return;
  writer.byte(Ascii.Point);
  let [digits, width] = [micros, 6];
  for (; digits % 10 === 0; digits /= 10) width--;
  writer.digits(digits, width);
}

function writeLink(writer: FieldWriter, key: PackedBytes, { number, name, milliseconds }: AnsweredBy): void {
  writer.constant(key);
  writer.number(number);
  writer.constant(MESSAGE);
  writer.name(name);
  if (milliseconds !== undefined) {
    writer.constant(MILLISECONDS);
    writer.number(milliseconds);
  }
  writer.byte(Ascii.ClosingBrace);
}

/** An id that is the decimal form of a number that every reader of JSON takes exactly. */
const NUMBER = /^(0|[1-9]\d{0,14})$/;

/** A player or an age, and what has been shown of it. */
interface Party {
  readonly id: string;
  readonly name: string | undefined;
  readonly json: PackedBytes;
  /** Where its name was last looked up, and the revision of these names. */
  names: NameLookup | undefined;
  revision: number | undefined;
}

/** The JSON of players or ages: dissectors tend to use one object for many messages. */
class Parties {
  readonly #known = new WeakMap<Referent, Party>();

  /** @param idJson the id as JSON */
  constructor(
    readonly beginning: string,
    readonly idJson: (id: string) => string,
  ) {}

  json(party: Referent, names: NameLookup | undefined): PackedBytes {
    const { kind, id } = party;
    const revision = names?.revision;
    const known = this.#known.get(party);
    const isKnown = known !== undefined && known.id === id;
    if (isKnown && known.names === names && revision !== undefined && known.revision === revision) return known.json;
    const name = names?.get(kind, id);
    if (isKnown && known.name === name) {
      known.names = names;
      known.revision = revision;
      return known.json;
    }
    const json = new PackedBytes(
      `${this.beginning}${this.idJson(id)}${name === undefined ? "" : `,"name":${safeJson(name)}`}}`,
    );
    this.#known.set(party, { id, name, json, names, revision });
    return json;
  }
}

const players = new Parties(PLAYER, (id) => (NUMBER.test(id) ? id : safeJson(id)));
const ages = new Parties(AGE, (id) => safeJson(id));
