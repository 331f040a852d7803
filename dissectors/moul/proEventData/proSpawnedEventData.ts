import { struct } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/** A non-player avatar appeared. Source: specification "proSpawnedEventData"; pnMessage/plNotifyMsg.cpp. */
export const proSpawnedEventData = struct(
  "proSpawnedEventData",
  {
    spawner: plKey,
    spawnee: plKey,
  },
  { tag: EventType.kSpawned },
);
