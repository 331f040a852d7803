import { type Family, polymorphic, StructType, struct, type Type, uuid } from "moul-dissect/schema";
import { plKey } from "./common/pnKeyedObject/plKey.js";
import { plLoadMask } from "./common/pnKeyedObject/plLoadMask.js";
import { plLocation } from "./common/pnKeyedObject/plLocation.js";
import { plNetGroupId } from "./common/pnKeyedObject/plNetGroupId.js";
import { plUoid } from "./common/pnKeyedObject/plUoid.js";
import { hsBitVector } from "./common/values/hsBitVector.js";
import { plUnifiedTime } from "./common/values/plUnifiedTime.js";
import { SafeStringParts } from "./common/values/SafeString.js";
import { SafeWStringParts } from "./common/values/SafeWString.js";
import { connectPackets, otherConnectPackets } from "./connection/connect-packet.js";
import { Cli2Srv_Connect, Srv2Cli_Encrypt, Srv2Cli_Error } from "./connection/setup-packets.js";
import {
  StatusContent,
  StatusOtherRequest,
  StatusReply,
  StatusRequest,
  StatusText,
} from "./connection/status/status-messages.js";
import { plCreatable, proEventData } from "./creatables.js";
import { ofGames, ofManager } from "./messages/game/gameMgr.js";
import { gameStructs } from "./messages/game/games/index.js";
import { servers } from "./messages/index.js";
import { csrNet } from "./messages/simpleNet/simpleNet.js";
import { NetVaultNode } from "./messages/vault/NetVaultNode.js";
import { plMessage } from "./plMessage/plMessage.js";
import { plNetMessage } from "./plNetMessage/plNetMessage.js";
import { sdlBlob } from "./sdl/sdlBlob.js";

/** Structs that are read on their own, without a tag before them. */
const structs: readonly StructType<unknown>[] = [
  SafeStringParts,
  SafeWStringParts,
  hsBitVector,
  plUnifiedTime,
  plLocation,
  plLoadMask,
  plUoid,
  plKey,
  plNetGroupId,
  NetVaultNode,
  Cli2Srv_Connect,
  Srv2Cli_Encrypt,
  Srv2Cli_Error,
  ...connectPackets.values(),
  ...otherConnectPackets,
  ...csrNet.messages(),
  StatusRequest,
  StatusReply,
  StatusText,
  StatusContent,
  ...[ofManager, ofGames].flatMap(({ c2s, s2c }) => [...c2s, ...s2c]),
  ...gameStructs,
];

/** Values whose class is read from their own bytes: any class of a family, or any that is derived from a given one. */
const families: readonly [string, Type<unknown>][] = [
  ["plCreatable", polymorphic(plCreatable)],
  ["plNetMessage", polymorphic(plCreatable, plNetMessage)],
  ["plMessage", polymorphic(plCreatable, plMessage)],
  ["proEventData", polymorphic(proEventData)],
];

/** A UUID by itself, for `decode`. Source: pnUUID/pnUUID.h. */
const UUID = struct("UUID", { uuid });

function classesOf(family: Family): [string, Type<unknown>][] {
  return [...family.classes()].map((declared) => [declared.name, polymorphic(family, new StructType(declared))]);
}

function byName(declared: readonly StructType<unknown>[]): [string, Type<unknown>][] {
  return declared.map((type) => [type.struct.name, type]);
}

/** Every declared type of MOUL by name. A class is read after its class index, an event after its type. */
export const types: ReadonlyMap<string, Type<unknown>> = new Map<string, Type<unknown>>([
  ...classesOf(plCreatable),
  ...classesOf(proEventData),
  ...byName(structs),
  ["StatusRequest.other", StatusOtherRequest],
  ["UUID", UUID],
  ["sdl", sdlBlob],
  ...families,
  ...byName(servers.flatMap(({ c2s, s2c }) => [...c2s.messages(), ...s2c.messages()])),
]);
