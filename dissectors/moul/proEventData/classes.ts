/** Every kind of event, one line each. */

export { proActivateEventData } from "./proActivateEventData.js";
export { proBookEventData } from "./proBookEventData.js";
export { proCallbackEventData } from "./proCallbackEventData.js";
export { proClickDragEventData } from "./proClickDragEventData.js";
export { proClimbingBlockerHitEventData } from "./proClimbingBlockerHitEventData.js";
export { proCollisionEventData } from "./proCollisionEventData.js";
export { proContainedEventData } from "./proContainedEventData.js";
export { proControlKeyEventData } from "./proControlKeyEventData.js";
export { proCoopEventData } from "./proCoopEventData.js";
export { proFacingEventData } from "./proFacingEventData.js";
export { proMultiStageEventData } from "./proMultiStageEventData.js";
export { proOfferLinkingBookEventData } from "./proOfferLinkingBookEventData.js";
export { proPickedEventData } from "./proPickedEventData.js";
export { proResponderStateEventData } from "./proResponderStateEventData.js";
export { proSpawnedEventData } from "./proSpawnedEventData.js";
export { proVariableEventData } from "./proVariableEventData.js";
