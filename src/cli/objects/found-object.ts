import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { counted } from "../../common/counted.js";
import type { PictureEvent } from "../../dissector/state-event.js";
import { opusInOgg, opusSamples, speexInOgg, wav } from "../../export/ogg.js";
import { partyText } from "../../output/state/common.js";
import type { FoundObject } from "../../output/state/objects.js";
import type { Moment } from "../../state/moment.js";
import type { TransferredFile } from "../../state/transfers.js";
import type { Speech } from "../../state/voice-log.js";

/** An object, and the bytes of the file that it becomes. */
export interface WritableObject extends FoundObject {
  readonly content: Uint8Array;
}

/** Rate of recordings with Opus and Speex in MOUL clients: wideband. Source: plAudible/plVoiceChat. */
const VOICE_RATE = 24_000;
const SAMPLE_RATE = 8000;

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

/** What somebody said, in a file that players know. */
export function voiceObject({ from, codec, at, frames }: Speech): WritableObject {
  const known = { kind: "voice", at, from, state: counted(frames.length, "frame") } as const;
  const called = (ending: string) => `${partyText(from)} ${at.number}${ending}`;
  switch (codec) {
    case "opus": {
      const content = opusInOgg(frames, VOICE_RATE);
      const seconds = frames.reduce((sum, frame) => sum + opusSamples(frame), 0) / 48_000;
      return { ...known, name: called(".opus"), bytes: content.length, seconds, content };
    }
    case "speex": {
      const content = speexInOgg(frames, 0);
      return { ...known, name: called(".spx"), bytes: content.length, seconds: frames.length * 0.02, content };
    }
    case "pcm": {
      const content = wav(Buffer.concat(frames), SAMPLE_RATE);
      return {
        ...known,
        name: called(".wav"),
        bytes: content.length,
        seconds: (content.length - 44) / 2 / SAMPLE_RATE,
        content,
      };
    }
  }
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
