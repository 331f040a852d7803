import { bool, choice, enumeration, notEquals, struct, u8 } from "moul-dissect/schema";
import { f32, f64, i32, u32 } from "moul-dissect/schema/little-endian";
import { SafeString } from "./SafeString.js";

/** Source: pnNetCommon/plGenericVar.h, plGenericType::Types. */
const Types = {
  kInt: 0,
  kFloat: 1,
  kBool: 2,
  kString: 3,
  kChar: 4,
  kAny: 5,
  kUInt: 6,
  kDouble: 7,
  kNone: 0xff,
};

/**
 * A value with its type. A number may be that of a player: plLinkingMgrMsg has the KI number of the one who wants to
 * come (plNetClient/plNetLinkingMgr.cpp). Source: corrections section 1, row 1; pnNetCommon/plGenericVar.cpp.
 */
export const plGenericType = struct("plGenericType", {
  type: enumeration(u8, Types),
  data: choice("type", {
    [Types.kInt]: i32.sensitive("any-number"),
    [Types.kFloat]: f32,
    [Types.kBool]: bool.inJson("boolData"),
    [Types.kString]: SafeString.inJson("textData"),
    [Types.kChar]: u8.doc("Code of the character."),
    [Types.kAny]: SafeString.doc("Converted to whatever the reader asks for.").inJson("textData"),
    [Types.kUInt]: u32.sensitive("any-number"),
    [Types.kDouble]: f64,
  }).when(notEquals("type", Types.kNone)),
});
