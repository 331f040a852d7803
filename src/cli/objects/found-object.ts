import { counted } from "../../common/counted.js";
import type { PictureEvent } from "../../dissector/state-event.js";
import { damageIn, framesOf, type Silence, secondsOf, speechFile } from "../../export/speech.js";
import { partyText } from "../../output/state/common.js";
import type { FoundObject } from "../../output/state/objects.js";
import { checkedFile } from "../../state/checked-file.js";
import type { Moment } from "../../state/moment.js";
import type { TransferredFile } from "../../state/transfers.js";
import type { Speech } from "../../state/voice-log.js";
import type { VoiceToWav } from "./voice-to-wav.js";

/** An object, and the bytes of the file that it becomes. */
export interface WritableObject extends FoundObject {
  readonly content: Uint8Array;
}

/** A file that was transferred: unpacked if the list says that it is packed, and held against the list. */
export function fileObject(file: TransferredFile, mostBytes: number): WritableObject {
  const { name, content, state } = checkedFile(file, mostBytes);
  const none = { seconds: undefined, from: undefined };
  return { kind: "file", name, at: file.at, bytes: content.length, ...none, state, content };
}

export function pictureObject({ title, ending, bytes, node }: PictureEvent, at: Moment): WritableObject {
  const name = `${node} ${title}${ending}`;
  return {
    kind: "picture",
    name,
    at,
    bytes: bytes.length,
    seconds: undefined,
    from: undefined,
    state: "whole",
    content: bytes,
  };
}

/** What becomes of voice. */
export interface VoiceForm {
  readonly silence: Silence;
  /** Undefined to leave it encoded. */
  readonly toWav: VoiceToWav | undefined;
}

/** What somebody said, in a file that players know. */
export async function voiceObject(speech: Speech, { silence, toWav }: VoiceForm): Promise<WritableObject> {
  const { from, codec, at, parts } = speech;
  const count = parts.reduce((sum, part) => sum + part.frames.length, 0);
  const frames = framesOf(codec, parts, silence);
  const seconds = secondsOf(codec, frames);
  const made = (ending: string, content: Uint8Array, remarks: readonly string[]): WritableObject => {
    const name = `${partyText(from)} ${at.number}${ending}`;
    const state = [counted(count, "frame"), ...remarks].join("; ");
    return { kind: "voice", name, at, bytes: content.length, seconds, from, state, content };
  };
  const decoded = await toWav?.wavOf(codec, frames);
  if (decoded !== undefined) return made(".wav", decoded.content, decoded.remarks);
  const { ending, bytes } = speechFile(codec, () => frames);
  return made(ending, bytes(), damageIn(codec, frames));
}
