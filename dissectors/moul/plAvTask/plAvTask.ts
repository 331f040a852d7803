import { struct } from "moul-dissect/schema";

/**
 * Base of what an avatar can be told to do; it has no fields. Source: specification "plAvTask";
 * plAvatar/plAvatarTasks.h.
 */
export const plAvTask = struct("plAvTask", {}, { tag: 0x036a });
