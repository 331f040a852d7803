import { bool, derive, isTrue } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { SafeString } from "../common/values/SafeString.js";
import { plAvTask } from "../plAvTask/plAvTask.js";
import { creatable } from "../plCreatable.js";
import { plLoadCloneMsg } from "./plLoadCloneMsg.js";

/** Loads or unloads an avatar. Source: specification "plLoadAvatarMsg"; plMessage/plLoadAvatarMsg.cpp. */
export const plLoadAvatarMsg = derive(
  "plLoadAvatarMsg",
  plLoadCloneMsg,
  {
    isPlayer: bool,
    spawnPoint: plKey,
    initialTaskPresent: bool,
    initialTask: creatable(plAvTask).when(isTrue("initialTaskPresent")),
    userString: SafeString.sensitive("text"),
  },
  { tag: 0x03b1 },
);
