import { array } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";

/** A transformation that is not the identity, row by row. Source: corrections section 4; CoreLib/hsMatrix44.cpp. */
export const hsMatrix44 = array(f32, 16);
