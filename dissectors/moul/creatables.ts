import * as creatables from "./classes.js";
import { plCreatable } from "./plCreatable.js";
import * as events from "./proEventData/classes.js";
import { proEventData } from "./proEventData/proEventData.js";

/** Registers every declared class with the family that looks it up while decoding. */
plCreatable.register(...Object.values(creatables));
proEventData.register(...Object.values(events));

export { plCreatable, proEventData };
