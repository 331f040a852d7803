import type { OtherReading } from "moul-dissect/dissector";
import { Family, polymorphic, type StructType, type Type } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { classNames } from "./classIndices.js";
import { WIDE_NOTE, wideClientGuid } from "./common/plNetCommon/plClientGuid.js";
import { wideMemberInfo } from "./common/plNetMsgMemberInfoHelper.js";
import { plNetMessage } from "./plNetMessage/plNetMessage.js";
import { wideMembersList } from "./plNetMessage/plNetMsgMembersList.js";
import { wideMemberUpdate } from "./plNetMessage/plNetMsgMemberUpdate.js";

/** Messages with the wide form of a plClientGuid, in which DIRTSAND and libHSPlasma differ from the engine. */
const wideMessages = new Family("plCreatable", "classIndex", u16, { names: classNames });
wideMessages.register(wideMembersList, wideMemberUpdate);

/** Any of them, after its class index. */
export const wideNetMessage = polymorphic(wideMessages, plNetMessage);

function ofClass(type: StructType<unknown>): Type<unknown> {
  return polymorphic(wideMessages, type);
}

/** What the wide form is part of, by name: for values on their own. */
export const wideForms: ReadonlyMap<string, OtherReading> = new Map(
  Object.entries<Type<unknown>>({
    plClientGuid: wideClientGuid,
    plNetMsgMemberInfoHelper: wideMemberInfo,
    plNetMsgMembersList: ofClass(wideMembersList),
    plNetMsgMemberUpdate: ofClass(wideMemberUpdate),
    plNetMsgServerToClient: wideNetMessage,
    plNetMessage: wideNetMessage,
    plCreatable: wideNetMessage,
  }).map(([name, type]) => [name, { type, note: WIDE_NOTE }]),
);
