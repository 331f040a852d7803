import { derive } from "moul-dissect/schema";
import { plAvBrainHuman } from "./plAvBrainHuman.js";

/** Lets an avatar ride on something that moves. Source: plAvatar/plAvBrainRideAnimatedPhysical.h. */
export const plAvBrainRideAnimatedPhysical = derive(
  "plAvBrainRideAnimatedPhysical",
  plAvBrainHuman,
  {},
  { tag: 0x049e },
);
