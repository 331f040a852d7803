import type { Disclosure, Json, NameBinding, Names } from "moul-dissect/schema";
import { namesAge, namesAgeNode, namesAgePoorly } from "../../common/ids/ageInstanceUuid.js";
import { namesPlayer } from "../../common/ids/kiNumber.js";
import { Language } from "../../common/plNetCommon/plAgeInfoStruct.js";
import { ageIds, ageNames, kiNumbers } from "../../sensitiveKinds.js";
import { NodeTypes } from "./NodeTypes.js";
import { StandardNodes } from "./StandardNodes.js";
import { spawnPoints, visit } from "./vaultTexts.js";

/** What a text note is for. Source: vault "Text Note"; plVault/plVaultConstants.h. */
const NoteTypes = {
  kNoteType_Generic: 0,
  kNoteType_CCRPetition: 1,
  kNoteType_Device: 2,
  kNoteType_Invite: 3,
  kNoteType_Visit: 4,
  kNoteType_UnVisit: 5,
};

/** Source: plVault/plVaultConstants.h. */
const NoteSubTypes = { kNoteSubType_Generic: 0 };

/** Format of an image. Source: vault "Image"; plVault/plVaultNodeAccess.h, VaultImageNode. */
const ImageTypes = { kNone: 0, kJPEG: 1, kPNG: 2 };

/** The fields of a node that have a different meaning for each type of node. Source: vault "Vault node structure". */
export type GenericField =
  | `int32_${1 | 2 | 3 | 4}`
  | `uint32_${1 | 2 | 3 | 4}`
  | `uuid_${1 | 2 | 3 | 4}`
  | `string64_${1 | 2 | 3 | 4 | 5 | 6}`
  | `iString64_${1 | 2}`
  | `text_${1 | 2}`
  | `blob_${1 | 2}`;

/** A field of one type of node. */
export interface NodeField {
  /** The generic field that holds it. */
  readonly in: GenericField;
  /** Names of its numbers. */
  readonly names?: Names;
  /** What its number or UUID refers to. */
  readonly refersTo?: readonly string[];
  /** Reads the value that its bytes hold. */
  readonly read?: (bytes: Uint8Array) => Json;
  /** What is private in it, or that it is public. */
  readonly sensitive?: Disclosure;
}

/** One type of node: what its fields are called, and what they mean. */
export interface NodeKind {
  readonly type: number;
  readonly name: string;
  /** By name, in the order of the wire. */
  readonly fields: Readonly<Record<string, NodeField>>;
  /** The fields that tell nodes of this type apart, for people; a reference is shown by the name of its target. */
  readonly title: readonly string[];
  readonly introduces: readonly NameBinding[];
  /** Values derived from the fields. */
  readonly adds?: (fields: Readonly<Record<string, Json>>) => Readonly<Record<string, Json>>;
}

function nodeKind(
  name: string,
  type: number,
  fields: Readonly<Record<string, GenericField | NodeField>>,
  more: Partial<Pick<NodeKind, "title" | "introduces" | "adds">> = {},
): NodeKind {
  const entries = Object.entries(fields).map(([own, field]): [string, NodeField] => [
    own,
    typeof field === "string" ? { in: field } : field,
  ]);
  const when = { field: "nodeType", is: type };
  const introduces = (more.introduces ?? []).map((binding) => ({ ...binding, when }));
  return { title: [], ...more, name, type, fields: Object.fromEntries(entries), introduces };
}

const folderType: NodeField = { in: "int32_1", names: StandardNodes };

/**
 * All types of nodes that the vault holds. Each is described under its name in the documentation ("vault"), and by a
 * class of the same name in the engine (plVault/plVaultNodeAccess.h, Vault...Node).
 */
export const nodeKinds: readonly NodeKind[] = [
  nodeKind(
    "Player",
    NodeTypes.kNodeType_VNodeMgrPlayer,
    {
      disabled: "int32_1",
      explorer: "int32_2",
      onlineTime: "uint32_1",
      accountUuid: { in: "uuid_1", refersTo: ["account"], sensitive: "account-id" },
      inviteUuid: { in: "uuid_2", refersTo: ["invite"], sensitive: "token" },
      avatarShapeName: "string64_1",
      playerName: { in: "iString64_1", sensitive: "player-name" },
    },
    { introduces: [namesPlayer("nodeId", "iString64_1")] },
  ),
  nodeKind(
    "Age",
    NodeTypes.kNodeType_VNodeMgrAge,
    {
      ageInstanceGuid: { in: "uuid_1", refersTo: ["age"], sensitive: ageIds },
      parentAgeInstanceGuid: { in: "uuid_2", refersTo: ["age"], sensitive: ageIds },
      ageName: { in: "string64_1", sensitive: "public" },
    },
    { title: ["ageInstanceGuid"], introduces: [namesAgePoorly("uuid_1", "string64_1")] },
  ),
  nodeKind(
    "Folder",
    NodeTypes.kNodeType_Folder,
    { folderType, folderName: "string64_1" },
    { title: ["folderType", "folderName"] },
  ),
  nodeKind(
    "PlayerInfo",
    NodeTypes.kNodeType_PlayerInfo,
    {
      online: "int32_1",
      ccrLevel: "int32_2",
      playerId: { in: "uint32_1", refersTo: ["player"], sensitive: kiNumbers },
      ageInstUuid: { in: "uuid_1", refersTo: ["age"], sensitive: ageIds },
      ageInstName: { in: "string64_1", sensitive: ageNames },
      playerName: { in: "iString64_1", sensitive: "player-name" },
    },
    {
      title: ["playerId"],
      introduces: [namesPlayer("uint32_1", "iString64_1"), namesAgePoorly("uuid_1", "string64_1")],
    },
  ),
  nodeKind("System", NodeTypes.kNodeType_System, { ccrStatus: "int32_1" }),
  nodeKind(
    "Image",
    NodeTypes.kNodeType_Image,
    {
      imageType: { in: "int32_1", names: ImageTypes },
      imageTitle: { in: "string64_1", sensitive: "text" },
      imageData: { in: "blob_1", sensitive: "image" },
    },
    { title: ["imageTitle"] },
  ),
  nodeKind(
    "TextNote",
    NodeTypes.kNodeType_TextNote,
    {
      noteType: { in: "int32_1", names: NoteTypes },
      noteSubType: { in: "int32_2", names: NoteSubTypes },
      noteTitle: { in: "string64_1", sensitive: "text" },
      noteText: { in: "text_1", sensitive: "text" },
    },
    { title: ["noteTitle"], adds: visitOf },
  ),
  nodeKind(
    "SDL",
    NodeTypes.kNodeType_SDL,
    { sdlIdent: "int32_1", sdlName: { in: "string64_1", sensitive: "public" }, sdlData: "blob_1" },
    { title: ["sdlName"] },
  ),
  nodeKind("AgeLink", NodeTypes.kNodeType_AgeLink, {
    unlocked: "int32_1",
    volatile: "int32_2",
    spawnPoints: { in: "blob_1", read: spawnPoints },
  }),
  nodeKind(
    "Chronicle",
    NodeTypes.kNodeType_Chronicle,
    { entryType: "int32_1", entryName: "string64_1", entryValue: { in: "text_1", sensitive: "text" } },
    { title: ["entryName"] },
  ),
  nodeKind(
    "PlayerInfoList",
    NodeTypes.kNodeType_PlayerInfoList,
    { folderType, folderName: "string64_1" },
    { title: ["folderType", "folderName"] },
  ),
  nodeKind(
    "AgeInfo",
    NodeTypes.kNodeType_AgeInfo,
    {
      ageSequenceNumber: "int32_1",
      isPublic: "int32_2",
      ageLanguage: { in: "int32_3", names: Language },
      ageId: { in: "uint32_1", refersTo: ["vaultNode"], sensitive: kiNumbers },
      ageCzarId: { in: "uint32_2", sensitive: kiNumbers },
      ageInfoFlags: "uint32_3",
      ageInstanceGuid: { in: "uuid_1", refersTo: ["age"], sensitive: ageIds },
      parentAgeInstanceGuid: { in: "uuid_2", refersTo: ["age"], sensitive: ageIds },
      ageFilename: { in: "string64_2", sensitive: "public" },
      ageInstanceName: "string64_3",
      ageUserDefinedName: { in: "string64_4", sensitive: ageNames },
      ageDescription: { in: "text_1", sensitive: ageNames },
    },
    {
      title: ["ageInstanceGuid"],
      introduces: [
        namesAge("uuid_1", { userDefinedName: "string64_4", instanceName: "string64_3", fileName: "string64_2" }),
        namesAgeNode("uint32_1", "uuid_1"),
      ],
    },
  ),
  nodeKind(
    "AgeInfoList",
    NodeTypes.kNodeType_AgeInfoList,
    { folderType, folderName: "string64_1" },
    { title: ["folderType", "folderName"] },
  ),
  nodeKind(
    "MarkerGame",
    NodeTypes.kNodeType_MarkerGame,
    {
      gameGuid: { in: "uuid_1", refersTo: ["markerGame"] },
      gameName: { in: "text_1", sensitive: "text" },
      reward: { in: "text_2", sensitive: "text" },
      markerData: "blob_1",
    },
    { title: ["gameName"] },
  ),
];

/** The instance of an age that a note of the two types for this invites to, or no longer invites to. */
function visitOf({ noteType, noteText }: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const isVisit = noteType === NoteTypes.kNoteType_Visit || noteType === NoteTypes.kNoteType_UnVisit;
  const info = isVisit && typeof noteText === "string" ? visit(noteText) : undefined;
  return info === undefined ? {} : { visit: info };
}
