import { derive } from "../../../src/schema/index.js";
import { plAvTask } from "./plAvTask.js";

/** Source: specification "plAvOneShotTask"; plAvatar/plAvatarTasks.h. */
export const plAvOneShotTask = derive("plAvOneShotTask", plAvTask, {}, { tag: 0x036e });
