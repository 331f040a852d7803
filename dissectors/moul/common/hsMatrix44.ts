import { array } from "../../../src/schema/index.js";
import { f32 } from "../../../src/schema/little-endian.js";

/** A transformation that is not the identity, row by row. Source: corrections section 4; CoreLib/hsMatrix44.cpp. */
export const hsMatrix44 = array(f32, 16);
