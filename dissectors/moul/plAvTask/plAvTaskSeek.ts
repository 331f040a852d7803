import { derive } from "moul-dissect/schema";
import { plAvTask } from "./plAvTask.js";

/** Walks an avatar to a place. It has no fields. Source: corrections section 2; plAvatar/plAvTaskSeek.h. */
export const plAvTaskSeek = derive("plAvTaskSeek", plAvTask, {}, { tag: 0x0390 });
