import "../../../dissectors/moul/creatables.js";
import {
  Auth2Cli_VaultNodeAdded,
  Auth2Cli_VaultNodeChanged,
  Auth2Cli_VaultNodeFetched,
  Auth2Cli_VaultNodeRefsFetched,
  Auth2Cli_VaultSaveNodeReply,
  Cli2Auth_VaultNodeFetch,
  Cli2Auth_VaultNodeSave,
} from "../../../dissectors/moul/messages/auth/vault.js";
import { Cli2Game_PropagateBuffer, Game2Cli_PropagateBuffer } from "../../../dissectors/moul/messages/game/game.js";
import { Cli2Game_PingRequest, Game2Cli_PingReply } from "../../../dissectors/moul/messages/game/global.js";
import { descriptorsIn, readSdlFile } from "../../../dissectors/moul/sdl/descriptors.js";
import type { Direction } from "../../../src/dissector/dissector.js";
import { encode } from "../../../src/schema/encode/encode.js";
import type { StructType } from "../../../src/schema/index.js";
import type { Random } from "./random.js";

/** The descriptors of the SDL states in the traffic, in the form of a `.sdl` file. */
export const SDL = `STATEDESC avatarPhysical
{
  VERSION 1
  VAR POINT3 position[1]
  VAR QUATERNION rotation[1] DEFAULTOPTION=VAULT
  VAR VECTOR3 linearVelocity[1]
  VAR STRING32 subworld[1]
}

STATEDESC xStateToggler
{
  VERSION 3
  VAR BOOL Enabled[1]
  VAR BOOL State[1]
  VAR INT Presses[1]
}
`;

const settings = descriptorsIn([readSdlFile("traffic.sdl", Buffer.from(SDL), [], [])]);

/** A message in the clear. */
export interface TrafficMessage {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  /** Offset of the sending time, if the message has one: the sender fills it in. */
  readonly timeAt?: number;
}

/** Offset of the sending time in a plNetMessage, after message type, class, length, class again and flags. */
const TIME_AT = 16;

type Members = Readonly<Record<string, unknown>>;

const PLAYERS = 24;
const NAMES = ["Yeesha", "Atrus", "Zandi", "Böb", "Alice of D'ni", "Dr. Watson", "Ōtani", "Rehn"] as const;
const OBJECTS = [
  "cSnsrClkBookcase",
  "RespFountainWater",
  "cPythHoodClock",
  "RgnSensorFountain",
  "AgeSDLHook",
  "JourneyCloth05",
  "LinkOutPanel",
] as const;
const ANIMATIONS = ["Walk", "Run", "SwimForward", "Wave", "Dance", "LinkOut", "ClimbUp", "SitDown"] as const;
const SENTENCES = [
  "shorah!",
  "has anybody seen the cloth behind the waterfall in Teledahn?",
  "brb, the cat is on the keyboard",
  "Für den nächsten Schritt brauchen wir vier Leute auf den Platten, bitte kommt alle in die Halle.",
  "the door needs the code from the third journal, and then you have about thirty seconds to get through",
] as const;

const HAS_TIME_AND_PLAYER = 0x1001;
const NEEDS_RELIABLE_SEND = 0x4_0000;

/** Makes messages of a game server and of an authentication server, each with new content. */
export class MessageMaker {
  #pings = 0;

  constructor(readonly random: Random) {}

  /** What players do: the mix of a busy evening. */
  game(): TrafficMessage {
    const { random } = this;
    const share = random.below(100);
    if (share < 26) return this.#propagated("plNetMsgGameMessage", { stream: stream(this.#input()), ...AT_ONCE });
    if (share < 45) return this.#propagated("plNetMsgGameMessage", { stream: stream(this.#animation()), ...AT_ONCE });
    if (share < 62) return this.#propagated("plNetMsgSDLStateBCast", this.#state());
    if (share < 74) return this.#propagated("plNetMsgGameMessage", { stream: stream(this.#notify()), ...AT_ONCE });
    if (share < 90) return this.#propagated("plNetMsgVoice", this.#voice(3 + random.below(5)));
    if (share < 97) {
      const receivers = Array.from({ length: 1 + random.below(6) }, () => this.#player());
      const chat = { stream: stream(this.#chat()), ...AT_ONCE, receivers };
      return this.#propagated("plNetMsgGameMessageDirected", chat);
    }
    return this.#ping();
  }

  /** What the vault sends. */
  auth(): TrafficMessage {
    const { random } = this;
    const transactionId = random.below(5000);
    const nodeId = 10_000 + random.below(3000);
    const revisionId = "6b0d6ae8-7d9f-4a3b-9c52-0b1f1f0a7d11";
    switch (random.below(8)) {
      case 0:
      case 1:
        return c2s(Cli2Auth_VaultNodeFetch, { transactionId, nodeId });
      case 2:
      case 3:
        return s2c(Auth2Cli_VaultNodeFetched, { transactionId, result: 0, nodeData: this.#node(nodeId) });
      case 4:
        return s2c(Auth2Cli_VaultNodeChanged, { nodeId, revisionId });
      case 5: {
        const ref = () => ({
          parentNodeId: nodeId,
          childNodeId: 10_000 + random.below(3000),
          ownerNodeId: this.#player(),
          seen: false,
        });
        const refs = Array.from({ length: random.below(12) }, ref);
        return s2c(Auth2Cli_VaultNodeRefsFetched, { transactionId, result: 0, refs });
      }
      case 6:
        return c2s(Cli2Auth_VaultNodeSave, { transactionId, nodeId, revisionId, nodeData: this.#node(nodeId) });
      default:
        return random.below(2) === 0
          ? s2c(Auth2Cli_VaultSaveNodeReply, { transactionId, result: 0 })
          : s2c(Auth2Cli_VaultNodeAdded, { parentNodeId: nodeId, childNodeId: nodeId + 1, ownerNodeId: 0 });
    }
  }

  /** A message of 50 bytes. */
  short(): TrafficMessage {
    const { random } = this;
    const voiceData = { ignored: 0, data: random.bytes(9) };
    const voice = { voiceFlags: 5, frameCount: 0, voiceData, receivers: [this.#player()] };
    return this.#propagated("plNetMsgVoice", voice);
  }

  /** A message of 1 MiB: a picture in the vault. */
  long(): TrafficMessage {
    const nodeId = 10_000 + this.random.below(3000);
    const picture = new Uint8Array(1024 * 1024 - 46);
    for (let at = 0; at < picture.length; at += 4096) picture.set(this.random.bytes(4), at);
    // Node number, type, and the first blob.
    const nodeData = { fieldFlags: 0x4000_0081n, nodeId, nodeType: 25, blob_1: picture };
    return s2c(Auth2Cli_VaultNodeFetched, { transactionId: this.random.below(5000), result: 0, nodeData });
  }

  #propagated(name: string, members: Members): TrafficMessage {
    const { random } = this;
    const reliable = random.below(3) > 0 ? NEEDS_RELIABLE_SEND : 0;
    const flags = HAS_TIME_AND_PLAYER | reliable;
    const buffer = {
      class: name,
      flags,
      timeSent: { seconds: 0, microseconds: 0 },
      playerId: this.#player(),
      ...members,
    };
    // One player sends it, and the server passes it on to the others.
    const isSent = random.below(4) === 0;
    const classIndex = classIndices[name];
    const message = isSent
      ? c2s(Cli2Game_PropagateBuffer, { classIndex, buffer })
      : s2c(Game2Cli_PropagateBuffer, { classIndex, buffer });
    return { ...message, timeAt: TIME_AT };
  }

  #player(): number {
    return 10_100 + this.random.below(PLAYERS);
  }

  #uoid(objectName: string, isClone: boolean): Members {
    const { random } = this;
    const sequenceNumber = isClone ? 0xff05_0002 : 0x21 + 0x1_0000 * random.below(4) + random.below(8);
    return {
      flags: isClone ? 1 : 0,
      location: { sequenceNumber, flags: 0 },
      classIndex: isClone ? 1 : random.pick([45, 124, 162]),
      objectId: random.below(2000),
      objectName,
      ...(isClone && { cloneId: 1, ignored: 0, clonerKiNumber: this.#player() }),
    };
  }

  #key(isClone: boolean): Members {
    const name = isClone ? this.random.pick(["Male", "Female"]) : this.random.pick(OBJECTS);
    return { nonNull: true, uoid: this.#uoid(name, isClone) };
  }

  #message(name: string, members: Members): Members {
    const { random } = this;
    const sender = random.below(3) === 0 ? { nonNull: false } : this.#key(false);
    return { class: name, sender, receivers: [this.#key(true)], timestamp: 0, broadcastFlags: 0x8641, ...members };
  }

  #input(): Members {
    return this.#message("plAvatarInputStateMsg", { state: 1 << this.random.below(9) });
  }

  #animation(): Members {
    const { random } = this;
    return this.#message("plAnimCmdMsg", {
      callbacks: [],
      commands: { bitVector: [1 << random.below(27)] },
      begin: 0,
      end: random.between(0, 4),
      loopEnd: 0,
      loopBegin: 0,
      speed: 1,
      speedChangeRate: 0,
      time: random.between(0, 1000),
      animationName: random.pick(ANIMATIONS),
      loopName: "",
    });
  }

  #notify(): Members {
    const { random } = this;
    const hitPoint = { x: random.between(-90, 90), y: random.between(-90, 90), z: random.between(0, 20) };
    const picked = { type: 2, picker: this.#key(true), picked: this.#key(false), enabled: true, hitPoint };
    const events = [
      { class: "proPickedEventData", ...picked },
      { class: "proActivateEventData", type: 7, active: true, activate: true },
    ];
    return this.#message("plNotifyMsg", { notificationType: 0, state: 1, id: -1, events });
  }

  #chat(): Members {
    const { random } = this;
    return this.#message("pfKIMsg", {
      command: 0,
      senderName: random.pick(NAMES),
      senderKiNumber: this.#player(),
      messageText: random.pick(SENTENCES),
      flags: 1,
      channel: 0,
      reservedFlags: 0,
      delay: 0,
      value: 0,
    });
  }

  #state(): Members {
    const { random } = this;
    const isAvatar = random.below(4) > 0;
    const timestamp = { seconds: 1_763_600_000 + random.below(80_000), microseconds: random.below(1_000_000) };
    const coordinates = (count: number) => Array.from({ length: count }, () => random.between(-90, 90));
    const simple = (value: unknown) => ({
      variableFlags: 2,
      notificationInfo: { flags: 0, hint: "" },
      flags: 0x14,
      timestamp,
      values: [value],
    });
    const simpleVariables = isAvatar
      ? [simple(coordinates(3)), simple(coordinates(4)), simple(coordinates(3)), simple("subworld01")]
      : [simple(true), simple(random.below(2) === 1), simple(random.below(500))];
    const count = simpleVariables.length;
    const record = {
      flags: 0,
      ioVersion: 6,
      simpleVariableCount: count,
      simpleVariables,
      nestedVariableCount: 0,
      nestedVariables: [],
    };
    const data = {
      headerFlags: 0x8000,
      descriptorName: isAvatar ? "avatarPhysical" : "xStateToggler",
      descriptorVersion: isAvatar ? 1 : 3,
      record,
    };
    const uoid = this.#uoid(isAvatar ? "Male" : random.pick(OBJECTS), isAvatar);
    return { uoid, stream: stream(data), isInitialState: false, persistOnServer: !isAvatar, isAvatarState: isAvatar };
  }

  #voice(frameCount: number): Members {
    const { random } = this;
    const frame = () => ({ data: random.bytes(20 + random.below(18)) });
    const voiceData = Array.from({ length: frameCount }, frame);
    const receivers = Array.from({ length: 1 + random.below(5) }, () => this.#player());
    return { voiceFlags: 3, frameCount, voiceData, receivers };
  }

  #ping(): TrafficMessage {
    this.#pings++;
    const pingTime = this.#pings >> 1;
    return this.#pings % 2 === 1 ? c2s(Cli2Game_PingRequest, { pingTime }) : s2c(Game2Cli_PingReply, { pingTime });
  }

  #node(nodeId: number): Members {
    const { random } = this;
    const created = 1_500_000_000 + random.below(200_000_000);
    const head = { nodeId, createTime: created, modifyTime: created + 100, creatorId: this.#player() };
    // A text note: node, times, creator, type, kind, title and text.
    if (random.below(2) === 0) {
      const text = `${random.pick(SENTENCES)} `.repeat(1 + random.below(4));
      const note = { nodeType: 26, int32_1: 0, string64_1: `Note ${nodeId}`, text_1: text };
      return { fieldFlags: 0x1010_01c7n, ...head, ...note };
    }
    // A player's entry: node, times, creator, type, number, whereabouts and name.
    const player = this.#player();
    const age = { uuid_1: "a9c1c8b1-6a3b-4c8d-8f40-33f4ad6f8f3e", string64_1: "city" };
    const entry = { nodeType: 23, int32_1: 1, uint32_1: player, ...age, iString64_1: NAMES[player % NAMES.length] };
    return { fieldFlags: 0x0411_11c7n, ...head, ...entry };
  }
}

const AT_ONCE = { deliveryTimePresent: false };

const classIndices: Readonly<Record<string, number>> = {
  plNetMsgGameMessage: 0x026b,
  plNetMsgGameMessageDirected: 0x032e,
  plNetMsgSDLStateBCast: 0x0329,
  plNetMsgVoice: 0x0279,
};

function stream(data: Members): Members {
  return { uncompressedLength: 0, compressionType: 0, data };
}

function c2s(type: StructType<unknown>, members: Members): TrafficMessage {
  return { direction: "c2s", bytes: encoded(type, members) };
}

function s2c(type: StructType<unknown>, members: Members): TrafficMessage {
  return { direction: "s2c", bytes: encoded(type, members) };
}

function encoded(type: StructType<unknown>, members: Members): Uint8Array {
  return encode<unknown>(type, { messageType: type.struct.tag, ...members }, { settings });
}
