import { type StateDescriptor, type StateVariable, variableType } from "./state-descriptor.js";

/**
 * Descriptors of the records that the engine itself writes, whatever the age: all clients have the same, so that no
 * `.sdl` file is needed for them. Those that others nest come first.
 *
 * Source: plAvatar/plAvatarSDLModifier.cpp, plClothingSDLModifier.cpp, plAGMasterSDLModifier.cpp and their like, which
 * name the variables; SDL/avatar.sdl, clothing.sdl, physical.sdl, morph.sdl, animation.sdl, particle.sdl, responder.sdl,
 * sound.sdl, cloneMessage.sdl, xregion.sdl, for types, order and versions.
 */
export const engineDescriptors: readonly StateDescriptor[] = [
  descriptor("avatarPhysical", 1, ["POINT3 position = (0, 0, 0)", "FLOAT rotation = 0", "PLKEY subworld"]),
  descriptor("physical", 2, [
    "POINT3 position = (0, 0, 0)",
    "QUATERNION orientation = (0, 0, 0, 1)",
    "VECTOR3 linear = (0, 0, 0)",
    "VECTOR3 angular = (0, 0, 0)",
    "PLKEY subworld",
  ]),
  descriptor("clothingItem", 3, ["PLKEY item", "RGB8 tint = (1, 1, 1)", "RGB8 tint2 = (1, 1, 1)"]),
  descriptor("appearanceOptions", 2, ["RGB8 skinTint = (1, 1, 1)", "BYTE faceBlends[] = 0"]),
  descriptor("clothing", 4, ["$clothingItem wardrobe[]", "$appearanceOptions appearance", "PLKEY linkInAnim = nil"]),
  descriptor("MorphSet", 2, ["PLKEY mesh = nil", "BYTE weights[] = 0"]),
  descriptor("MorphSequence", 2, ["BYTE targetID = 0", "$MorphSet morphs[]"]),
  descriptor("AnimTimeConvert", 6, [
    "INT flags = 0",
    "FLOAT lastStateAnimTime = 0",
    "FLOAT loopEnd = 0",
    "FLOAT loopBegin = 0",
    "FLOAT speed = 1",
    "BYTE currentEaseCurve = 0",
    "TIME currentEaseBeginWorldTime = 0",
    "TIME lastStateChange = 0",
  ]),
  descriptor("AGMaster", 5, ["$AnimTimeConvert atcs[]", "BYTE blends[]"]),
  descriptor("Layer", 6, [
    "$AnimTimeConvert atc",
    "INT passThruChannels = 0",
    "FLOAT transform[]",
    "BYTE channelData[]",
  ]),
  descriptor("ParticleSystem", 1, ["INT numParticles = 0"]),
  descriptor("Responder", 3, [
    "INT curState = 0",
    "INT curCommand = -1",
    "BOOL netRequest = false",
    "INT completedEvents[]",
    "BOOL enabled = true",
    "PLKEY playerKey",
    "PLKEY triggerer",
  ]),
  descriptor("SoundState", 1, ["FLOAT desiredVolume = 0", "TIME time = 0", "BOOL playing = false"]),
  descriptor("Sound", 1, ["$SoundState sounds[]"]),
  descriptor("CloneMessage", 1, ["CREATABLE message"]),
  descriptor("XRegion", 1, ["BOOL cleared = false"]),
  descriptor("standardStage", 3, [
    "STRING32 name",
    "SHORT numLoops = 0",
    "BYTE forward = 0",
    "BYTE backward = 0",
    "BYTE stageAdvance = 0",
    "BYTE stageRegress = 0",
    "BOOL notifyEnter = false",
    "BOOL notifyLoop = false",
    "BOOL notifyStageAdvance = false",
    "BOOL notifyStageRegress = false",
    "BOOL useGlobalCoords = false",
    "FLOAT localTime = 0",
    "SHORT currentLoop = 0",
    "BOOL isAttached = false",
  ]),
  descriptor("genericBrain", 3, [
    "BOOL noBrain = true",
    "$standardStage stages[]",
    "BYTE currentStage = 0",
    "BOOL freezePhysicalAtEnd = false",
    "PLKEY callbackRcvr",
    "BOOL movingForward = true",
    "BYTE exitFlags = 0",
    "BYTE type",
    "BYTE mode",
    "FLOAT fadeIn = 1",
    "FLOAT fadeOut = 1",
    "BYTE moveMode",
    "BYTE bodyUsage",
  ]),
  descriptor("climbBrain", 1, [
    "INT curMode",
    "INT nextMode",
    "INT allowedDirections",
    "INT allowedDismounts",
    "FLOAT vertProbeLength",
    "FLOAT horizProbeLength",
    "BOOL curStageAttached",
    "INT curStage",
    "FLOAT curStageTime",
    "FLOAT curStageStrength",
    "BOOL exitStageAttached",
    "INT exitStage",
    "FLOAT exitStageTime",
    "BOOL exitStageStrength",
  ]),
  descriptor("driveBrain", 1, ["INT unUsed"]),
  descriptor("brainUnion", 1, [
    "$genericBrain fGenericBrain[]",
    "$climbBrain fClimbBrain[]",
    "$driveBrain fDriveBrain[]",
  ]),
  descriptor("avatar", 7, ["$brainUnion brainStack[]", "BYTE invisibilityLevel = 0"]),
];

/**
 * @param variables each with its type, its name, `[]` if each record says how many elements it has (else it has one),
 * and the value that it has where records leave it out
 */
function descriptor(name: string, version: number, variables: readonly string[]): StateDescriptor {
  return { name, version, variables: variables.map(variable) };
}

function variable(declaration: string): StateVariable {
  const [, typeWord = "", name = "", brackets, defaultValue] =
    /^(\S+) (\w+)(\[\])?(?: = (.+))?$/.exec(declaration) ?? [];
  const type = variableType(typeWord);
  if (type === undefined) throw new Error(`${declaration}: ${typeWord} is no type`);
  return { name, type, length: brackets === undefined ? 1 : undefined, defaultValue };
}
