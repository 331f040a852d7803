import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { counted } from "../../common/counted.js";
import type { PictureEvent } from "../../dissector/state-event.js";
import { framesOf, type Silence, secondsOf, speechFile } from "../../export/speech.js";
import { partyText } from "../../output/state/common.js";
import type { FoundObject } from "../../output/state/objects.js";
import type { Moment } from "../../state/moment.js";
import type { TransferredFile } from "../../state/transfers.js";
import type { Speech } from "../../state/voice-log.js";
import type { VoiceToWav } from "./voice-to-wav.js";

/** An object, and the bytes of the file that it becomes. */
export interface WritableObject extends FoundObject {
  readonly content: Uint8Array;
}

/** A file that was transferred: unpacked if the list says that it is packed, and held against the list. */
export async function fileObject(file: TransferredFile, mostBytes: number): Promise<WritableObject> {
  const { name, at, size, bytes, isWhole, error, listed } = file;
  const made = (state: string, content = bytes, called = name): WritableObject => {
    return {
      kind: "file",
      name: called,
      at,
      bytes: content.length,
      seconds: undefined,
      from: undefined,
      state,
      content,
    };
  };
  if (error !== undefined) return made(`refused: ${error}`);
  if (!isWhole) return made(`incomplete: ${bytes.length} of ${counted(size, "byte")}`);
  if (listed === undefined) return made("whole; no list has it");
  if (listed.transferHash !== "" && md5(bytes) !== listed.transferHash.toLowerCase())
    return made("not what the list says: the MD5 differs");
  if (!listed.isPacked) return made("whole, as listed");
  try {
    const content = await promisify(gunzip)(bytes, { maxOutputLength: Math.min(mostBytes, Math.max(listed.size, 1)) });
    const isSame = md5(content) === listed.hash.toLowerCase();
    return made(
      isSame ? "whole, as listed, unpacked" : "unpacked; not what the list says: the MD5 differs",
      content,
      listed.name,
    );
  } catch {
    return made("whole, as listed; it cannot be unpacked");
  }
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
  const made = (ending: string, content: Uint8Array, state = counted(count, "frame")): WritableObject => {
    const name = `${partyText(from)} ${at.number}${ending}`;
    return { kind: "voice", name, at, bytes: content.length, seconds, from, state, content };
  };
  const decoded = await toWav?.wavOf(codec, frames);
  if (decoded !== undefined) {
    return made(".wav", decoded.content, [counted(count, "frame"), ...decoded.remarks].join("; "));
  }
  const { ending, bytes } = speechFile(codec, () => frames);
  return made(ending, bytes());
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
