import { array, bool, struct, utf16 } from "moul-dissect/schema";
import { i32, u32 } from "moul-dissect/schema/little-endian";
import { ageInstanceUuid, namesAge } from "../../common/ids/ageInstanceUuid.js";
import { vaultNodeId } from "../../common/ids/vaultNodeId.js";
import { ageNames } from "../../sensitiveKinds.js";
import { message, netString, result, transactionId } from "../message.js";

/** Asks for the public instances of an age. Source: auth_server "GetPublicAgeList"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_GetPublicAgeList = message("Cli2Auth_GetPublicAgeList", 41, {
  transactionId,
  ageFileName: netString.public().inSummary(),
});

/** A record on an instance of an age. Source: auth_server "PublicAgeList"; pnNetProtocol/pnNpCommon.h. */
const NetAgeInfo = struct(
  "NetAgeInfo",
  {
    instanceUuid: ageInstanceUuid,
    fileName: utf16(64 * 2).public(),
    instanceName: utf16(64 * 2),
    userDefinedName: utf16(64 * 2).sensitive(ageNames),
    description: utf16(1024 * 2).sensitive(ageNames),
    sequenceNumber: i32,
    language: i32,
    ownerCount: u32,
    currentPopulation: u32,
  },
  {
    introduces: namesAge("instanceUuid", {
      userDefinedName: "userDefinedName",
      instanceName: "instanceName",
      fileName: "fileName",
    }),
  },
);

/** Lists the public instances of an age. Source: auth_server "PublicAgeList". */
export const Auth2Cli_PublicAgeList = message("Auth2Cli_PublicAgeList", 40, {
  transactionId,
  result,
  ageInstanceCount: u32.inSummary(),
  ageInstances: array(NetAgeInfo, "ageInstanceCount"),
});

/** Makes an instance of an age public, or private. Source: auth_server "SetAgePublic". */
export const Cli2Auth_SetAgePublic = message("Cli2Auth_SetAgePublic", 42, {
  ageInfoNodeId: vaultNodeId.inSummary(),
  public: bool.inSummary(),
});
