import {
  choice,
  enumeration,
  flags,
  optionalBy,
  reference,
  remarked,
  struct,
  type Type,
  uuid,
} from "moul-dissect/schema";
import { i32, u32, u64 } from "moul-dissect/schema/little-endian";
import { ageInstanceUuid, namesAgePoorly } from "../../common/ids/ageInstanceUuid.js";
import { vaultNodeId } from "../../common/ids/vaultNodeId.js";
import { unixTime } from "../../common/values/unixTime.js";
import { markerGameData } from "./markerGameData.js";
import { NodeTypes } from "./NodeTypes.js";
import { namedFields, namesIn, referencesIn, sensitiveIn, titleOf, typeTitleOf } from "./namedFields.js";
import { type GenericField, nodeKinds } from "./nodeKinds.js";
import { sdlData } from "./sdlData.js";
import { vaultBlob, vaultString } from "./vaultLeaves.js";

/** Which fields a vault node carries. Source: vault "Vault node network format"; pnNetProtocol/pnNpCommon.h. */
const NodeFields = {
  kNodeId: 1 << 0,
  kCreateTime: 1 << 1,
  kModifyTime: 1 << 2,
  kCreateAgeName: 1 << 3,
  kCreateAgeUuid: 1 << 4,
  kCreatorAcct: 1 << 5,
  kCreatorId: 1 << 6,
  kNodeType: 1 << 7,
  kInt32_1: 1 << 8,
  kInt32_2: 1 << 9,
  kInt32_3: 1 << 10,
  kInt32_4: 1 << 11,
  kUInt32_1: 1 << 12,
  kUInt32_2: 1 << 13,
  kUInt32_3: 1 << 14,
  kUInt32_4: 1 << 15,
  kUuid_1: 1 << 16,
  kUuid_2: 1 << 17,
  kUuid_3: 1 << 18,
  kUuid_4: 1 << 19,
  kString64_1: 1 << 20,
  kString64_2: 1 << 21,
  kString64_3: 1 << 22,
  kString64_4: 1 << 23,
  kString64_5: 1 << 24,
  kString64_6: 1 << 25,
  kIString64_1: 1 << 26,
  kIString64_2: 1 << 27,
  kText_1: 1 << 28,
  kText_2: 1 << 29,
  kBlob_1: 1 << 30,
  kBlob_2: 1 << 31,
};

const optional = optionalBy("fieldFlags", NodeFields);

/** A number that has names for some types of nodes. */
function enumerated(field: GenericField): Type<number> {
  const choices = namesIn(field).map(([type, names]) => [type, remarked(i32, (value) => names.get(value))] as const);
  return choice("nodeType", Object.fromEntries(choices), i32);
}

/** A number or UUID that refers to something for some types of nodes. */
function referring<V extends number | string>(field: GenericField, plain: Type<V>): Type<V> {
  const choices = referencesIn(field).map(([type, to]) => [type, reference(plain, ...to)] as const);
  return choice("nodeType", Object.fromEntries(choices), plain);
}

/** What is private in a field depends on the type of node; where the type is missing, the field may be anything. */
function guarded<V>(field: GenericField, type: Type<V>): Type<V> {
  return type.sensitive(sensitiveIn(field, "unknown"));
}

/** Most types of nodes have bytes of their own kind in their blobs, if any. */
const content = choice(
  "nodeType",
  {
    [NodeTypes.kNodeType_MarkerGame]: markerGameData.inJson("blob_1_content"),
    [NodeTypes.kNodeType_SDL]: sdlData.inJson("blob_1_content"),
  },
  vaultBlob,
);

/** One node of the vault. Source: vault "Vault node network format"; pnNetProtocol/pnNpCommon.cpp, NetVaultNode. */
export const NetVaultNode = struct(
  "NetVaultNode",
  {
    fieldFlags: flags(u64, NodeFields).doc("Which of the fields follow."),
    nodeId: optional(vaultNodeId.inSummary(), "kNodeId"),
    createTime: optional(unixTime, "kCreateTime"),
    modifyTime: optional(unixTime, "kModifyTime"),
    createAgeName: optional(
      vaultString.public().doc("File name of the age in which the node was made."),
      "kCreateAgeName",
    ),
    createAgeUuid: optional(ageInstanceUuid.doc("Instance of the age in which the node was made."), "kCreateAgeUuid"),
    creatorAcct: optional(
      reference(uuid, "account", "age")
        .sensitive("account-id")
        .doc("Account or age instance from which the node originates."),
      "kCreatorAcct",
    ),
    creatorId: optional(vaultNodeId.doc("Player or age node from which the node originates."), "kCreatorId"),
    nodeType: optional(enumeration(u32, NodeTypes).inSummary(), "kNodeType"),
    int32_1: optional(enumerated("int32_1"), "kInt32_1"),
    int32_2: optional(enumerated("int32_2"), "kInt32_2"),
    int32_3: optional(enumerated("int32_3"), "kInt32_3"),
    int32_4: optional(i32, "kInt32_4"),
    uint32_1: optional(guarded("uint32_1", referring("uint32_1", u32)), "kUInt32_1"),
    uint32_2: optional(guarded("uint32_2", u32), "kUInt32_2"),
    uint32_3: optional(guarded("uint32_3", u32), "kUInt32_3"),
    uint32_4: optional(guarded("uint32_4", u32), "kUInt32_4"),
    uuid_1: optional(guarded("uuid_1", referring("uuid_1", uuid)), "kUuid_1"),
    uuid_2: optional(guarded("uuid_2", referring("uuid_2", uuid)), "kUuid_2"),
    uuid_3: optional(guarded("uuid_3", uuid), "kUuid_3"),
    uuid_4: optional(guarded("uuid_4", uuid), "kUuid_4"),
    string64_1: optional(guarded("string64_1", vaultString), "kString64_1"),
    string64_2: optional(guarded("string64_2", vaultString), "kString64_2"),
    string64_3: optional(guarded("string64_3", vaultString), "kString64_3"),
    string64_4: optional(guarded("string64_4", vaultString), "kString64_4"),
    string64_5: optional(guarded("string64_5", vaultString), "kString64_5"),
    string64_6: optional(guarded("string64_6", vaultString), "kString64_6"),
    iString64_1: optional(guarded("iString64_1", vaultString).doc("Compared without regard to case."), "kIString64_1"),
    iString64_2: optional(guarded("iString64_2", vaultString).doc("Compared without regard to case."), "kIString64_2"),
    text_1: optional(guarded("text_1", vaultString), "kText_1"),
    text_2: optional(guarded("text_2", vaultString), "kText_2"),
    blob_1: optional(guarded("blob_1", content), "kBlob_1"),
    blob_2: optional(guarded("blob_2", vaultBlob), "kBlob_2"),
  },
  {
    derived: [namedFields],
    introduces: [
      ...nodeKinds.flatMap(({ introduces }) => introduces),
      namesAgePoorly("createAgeUuid", "createAgeName"),
      { kind: "vaultNode", id: "nodeId", name: titleOf, except: 0 },
      { kind: "vaultNode", id: "nodeId", name: typeTitleOf, except: 0, provisional: true },
    ],
  },
);
