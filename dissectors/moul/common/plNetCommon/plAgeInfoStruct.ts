import { enumeration, flag, flags, struct, text, u8 } from "moul-dissect/schema";
import { i32, u16 } from "moul-dissect/schema/little-endian";
import { ageNames } from "../../sensitiveKinds.js";
import { ageInstanceUuid, namesAge } from "../ids/ageInstanceUuid.js";

/** Source: plNetCommon/plNetServerSessionInfo.h, plAgeInfoStruct. */
const AgeInfoFlags = {
  kHasAgeFilename: 1 << 0,
  kHasAgeInstanceName: 1 << 1,
  kHasAgeInstanceGuid: 1 << 2,
  kHasAgeUserDefinedName: 1 << 3,
  kHasAgeSequenceNumber: 1 << 4,
  kHasAgeDescription: 1 << 5,
  kHasAgeLanguage: 1 << 6,
};

/** Source: plResMgr/plLocalization.h, Language. */
export const Language = {
  kEnglish: 0,
  kFrench: 1,
  kGerman: 2,
  kSpanish: 3,
  kItalian: 4,
  kJapanese: 5,
  kDutch: 6,
  kRussian: 7,
  kPolish: 8,
  kCzech: 9,
};

/** Describes an age instance. Source: corrections section 4; plNetCommon/plNetServerSessionInfo.cpp. */
export const plAgeInfoStruct = struct(
  "plAgeInfoStruct",
  {
    flags: flags(u8, AgeInfoFlags),
    ageFileNameLength: u16.when(flag("flags", AgeInfoFlags.kHasAgeFilename)),
    ageFileName: text("ageFileNameLength").public().when(flag("flags", AgeInfoFlags.kHasAgeFilename)).inSummary(),
    ageInstanceNameLength: u16.when(flag("flags", AgeInfoFlags.kHasAgeInstanceName)),
    ageInstanceName: text("ageInstanceNameLength").when(flag("flags", AgeInfoFlags.kHasAgeInstanceName)),
    ageInstanceUuid: ageInstanceUuid.when(flag("flags", AgeInfoFlags.kHasAgeInstanceGuid)),
    ageUserDefinedNameLength: u16.when(flag("flags", AgeInfoFlags.kHasAgeUserDefinedName)),
    ageUserDefinedName: text("ageUserDefinedNameLength")
      .sensitive(ageNames)
      .when(flag("flags", AgeInfoFlags.kHasAgeUserDefinedName)),
    ageSequenceNumber: i32
      .when(flag("flags", AgeInfoFlags.kHasAgeSequenceNumber))
      .doc("Distinguishes instances with the same user-defined name."),
    ageDescriptionLength: u16.when(flag("flags", AgeInfoFlags.kHasAgeDescription)),
    ageDescription: text("ageDescriptionLength")
      .sensitive(ageNames)
      .when(flag("flags", AgeInfoFlags.kHasAgeDescription)),
    ageLanguage: enumeration(i32, Language).when(flag("flags", AgeInfoFlags.kHasAgeLanguage)),
  },
  {
    tag: 0x0348,
    introduces: namesAge("ageInstanceUuid", {
      userDefinedName: "ageUserDefinedName",
      instanceName: "ageInstanceName",
      fileName: "ageFileName",
    }),
  },
);
