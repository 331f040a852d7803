import { derive } from "moul-dissect/schema";
import { plAvTask } from "./plAvTask.js";

/** Floats an avatar to a place. It has no fields. Source: corrections section 2; plAvatar/plAvatarTasks.h. */
export const plAvSeekTask = derive("plAvSeekTask", plAvTask, {}, { tag: 0x036c });
