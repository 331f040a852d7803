import { derive } from "moul-dissect/schema";
import { plAvTask } from "./plAvTask.js";

/** Source: specification "plAvOneShotTask"; plAvatar/plAvatarTasks.h. */
export const plAvOneShotTask = derive("plAvOneShotTask", plAvTask, {}, { tag: 0x036e });
