import { plAgeInfoStruct } from "./common/plAgeInfoStruct.js";
import { plAgeLinkStruct } from "./common/plAgeLinkStruct.js";
import { plCoopCoordinator } from "./common/plCoopCoordinator.js";
import { plCreatableGenericValue } from "./common/plCreatableGenericValue.js";
import { plAnimStage } from "./plArmatureBrain/plAnimStage.js";
import { plAvBrainClimb } from "./plArmatureBrain/plAvBrainClimb.js";
import { plAvBrainCoop } from "./plArmatureBrain/plAvBrainCoop.js";
import { plAvBrainCritter } from "./plArmatureBrain/plAvBrainCritter.js";
import { plAvBrainDrive } from "./plArmatureBrain/plAvBrainDrive.js";
import { plAvBrainGeneric } from "./plArmatureBrain/plAvBrainGeneric.js";
import { plAvBrainHuman } from "./plArmatureBrain/plAvBrainHuman.js";
import { plAvBrainRideAnimatedPhysical } from "./plArmatureBrain/plAvBrainRideAnimatedPhysical.js";
import { plAvBrainSwim } from "./plArmatureBrain/plAvBrainSwim.js";
import { plAvAnimTask } from "./plAvTask/plAvAnimTask.js";
import { plAvOneShotLinkTask } from "./plAvTask/plAvOneShotLinkTask.js";
import { plAvOneShotTask } from "./plAvTask/plAvOneShotTask.js";
import { plAvSeekTask } from "./plAvTask/plAvSeekTask.js";
import { plAvTaskBrain } from "./plAvTask/plAvTaskBrain.js";
import { plAvTaskSeek } from "./plAvTask/plAvTaskSeek.js";
import { plCreatable } from "./plCreatable.js";
import { pfBackdoorMsg } from "./plMessage/pfBackdoorMsg.js";
import { pfKIMsg } from "./plMessage/pfKIMsg.js";
import { pfMarkerMsg } from "./plMessage/pfMarkerMsg.js";
import { plAngularVelocityMsg } from "./plMessage/plAngularVelocityMsg.js";
import { plAnimCmdMsg } from "./plMessage/plAnimCmdMsg.js";
import { plArmatureEffectStateMsg } from "./plMessage/plArmatureEffectStateMsg.js";
import { plAttachMsg } from "./plMessage/plAttachMsg.js";
import { plAvatarInputStateMsg } from "./plMessage/plAvatarInputStateMsg.js";
import { plAvatarMsg } from "./plMessage/plAvatarMsg.js";
import { plAvBrainGenericMsg } from "./plMessage/plAvBrainGenericMsg.js";
import { plAvCoopMsg } from "./plMessage/plAvCoopMsg.js";
import { plAvOneShotMsg } from "./plMessage/plAvOneShotMsg.js";
import { plAvPopBrainMsg } from "./plMessage/plAvPopBrainMsg.js";
import { plAvPushBrainMsg } from "./plMessage/plAvPushBrainMsg.js";
import { plAvSeekMsg } from "./plMessage/plAvSeekMsg.js";
import { plAvTaskMsg } from "./plMessage/plAvTaskMsg.js";
import { plAvTaskSeekDoneMsg } from "./plMessage/plAvTaskSeekDoneMsg.js";
import { plBulletMsg } from "./plMessage/plBulletMsg.js";
import { plCCRBanLinkingMsg } from "./plMessage/plCCRBanLinkingMsg.js";
import { plCCRCommunicationMsg } from "./plMessage/plCCRCommunicationMsg.js";
import { plCCRInvisibleMsg } from "./plMessage/plCCRInvisibleMsg.js";
import { plCCRPetitionMsg } from "./plMessage/plCCRPetitionMsg.js";
import { plCCRSilencePlayerMsg } from "./plMessage/plCCRSilencePlayerMsg.js";
import { plClientMsg } from "./plMessage/plClientMsg.js";
import { plClimbEventMsg } from "./plMessage/plClimbEventMsg.js";
import { plClimbMsg } from "./plMessage/plClimbMsg.js";
import { plClothingMsg } from "./plMessage/plClothingMsg.js";
import { plConsoleMsg } from "./plMessage/plConsoleMsg.js";
import { plControlEventMsg } from "./plMessage/plControlEventMsg.js";
import { plDampMsg } from "./plMessage/plDampMsg.js";
import { plDynamicTextMsg } from "./plMessage/plDynamicTextMsg.js";
import { plEnableMsg } from "./plMessage/plEnableMsg.js";
import { plEventCallbackMsg } from "./plMessage/plEventCallbackMsg.js";
import { plImpulseMsg } from "./plMessage/plImpulseMsg.js";
import { plInputEventMsg } from "./plMessage/plInputEventMsg.js";
import { plInputIfaceMgrMsg } from "./plMessage/plInputIfaceMgrMsg.js";
import { plLinearVelocityMsg } from "./plMessage/plLinearVelocityMsg.js";
import { plLinkEffectsTriggerMsg } from "./plMessage/plLinkEffectsTriggerMsg.js";
import { plLinkingMgrMsg } from "./plMessage/plLinkingMgrMsg.js";
import { plLinkToAgeMsg } from "./plMessage/plLinkToAgeMsg.js";
import { plLoadAvatarMsg } from "./plMessage/plLoadAvatarMsg.js";
import { plLoadCloneMsg } from "./plMessage/plLoadCloneMsg.js";
import { plLoadClothingMsg } from "./plMessage/plLoadClothingMsg.js";
import { plMessageWithCallbacks } from "./plMessage/plMessageWithCallbacks.js";
import { plMultistageModMsg } from "./plMessage/plMultistageModMsg.js";
import { plNotifyMsg } from "./plMessage/plNotifyMsg.js";
import { plOneShotMsg } from "./plMessage/plOneShotMsg.js";
import { plParticleKillMsg } from "./plMessage/plParticleKillMsg.js";
import { plParticleTransferMsg } from "./plMessage/plParticleTransferMsg.js";
import { plParticleUpdateMsg } from "./plMessage/plParticleUpdateMsg.js";
import { plPseudoLinkEffectMsg } from "./plMessage/plPseudoLinkEffectMsg.js";
import { plRefMsg } from "./plMessage/plRefMsg.js";
import { plResponderMsg } from "./plMessage/plResponderMsg.js";
import { plRideAnimatedPhysMsg } from "./plMessage/plRideAnimatedPhysMsg.js";
import { plServerReplyMsg } from "./plMessage/plServerReplyMsg.js";
import { plSetNetGroupIDMsg } from "./plMessage/plSetNetGroupIDMsg.js";
import { plSubWorldMsg } from "./plMessage/plSubWorldMsg.js";
import { plSwimMsg } from "./plMessage/plSwimMsg.js";
import { plWarpMsg } from "./plMessage/plWarpMsg.js";
import { plNetMsgGameMessage } from "./plNetMessage/plNetMsgGameMessage.js";
import { plNetMsgGameMessageDirected } from "./plNetMessage/plNetMsgGameMessageDirected.js";
import { plNetMsgGameStateRequest } from "./plNetMessage/plNetMsgGameStateRequest.js";
import { plNetMsgGetSharedState } from "./plNetMessage/plNetMsgGetSharedState.js";
import { plNetMsgGroupOwner } from "./plNetMessage/plNetMsgGroupOwner.js";
import { plNetMsgInitialAgeStateSent } from "./plNetMessage/plNetMsgInitialAgeStateSent.js";
import { plNetMsgListenListUpdate } from "./plNetMessage/plNetMsgListenListUpdate.js";
import { plNetMsgLoadClone } from "./plNetMessage/plNetMsgLoadClone.js";
import { plNetMsgMembersList } from "./plNetMessage/plNetMsgMembersList.js";
import { plNetMsgMembersListReq } from "./plNetMessage/plNetMsgMembersListReq.js";
import { plNetMsgMemberUpdate } from "./plNetMessage/plNetMsgMemberUpdate.js";
import { plNetMsgObjectUpdateFilter } from "./plNetMessage/plNetMsgObjectUpdateFilter.js";
import { plNetMsgObjStateRequest } from "./plNetMessage/plNetMsgObjStateRequest.js";
import { plNetMsgPagingRoom } from "./plNetMessage/plNetMsgPagingRoom.js";
import { plNetMsgPlayerPage } from "./plNetMessage/plNetMsgPlayerPage.js";
import { plNetMsgRelevanceRegions } from "./plNetMessage/plNetMsgRelevanceRegions.js";
import { plNetMsgSDLState } from "./plNetMessage/plNetMsgSDLState.js";
import { plNetMsgSDLStateBCast } from "./plNetMessage/plNetMsgSDLStateBCast.js";
import { plNetMsgServerToClient } from "./plNetMessage/plNetMsgServerToClient.js";
import { plNetMsgTestAndSet } from "./plNetMessage/plNetMsgTestAndSet.js";
import { plNetMsgVoice } from "./plNetMessage/plNetMsgVoice.js";
import { proActivateEventData } from "./proEventData/proActivateEventData.js";
import { proBookEventData } from "./proEventData/proBookEventData.js";
import { proCallbackEventData } from "./proEventData/proCallbackEventData.js";
import { proClickDragEventData } from "./proEventData/proClickDragEventData.js";
import { proClimbingBlockerHitEventData } from "./proEventData/proClimbingBlockerHitEventData.js";
import { proCollisionEventData } from "./proEventData/proCollisionEventData.js";
import { proContainedEventData } from "./proEventData/proContainedEventData.js";
import { proControlKeyEventData } from "./proEventData/proControlKeyEventData.js";
import { proCoopEventData } from "./proEventData/proCoopEventData.js";
import { proEventData } from "./proEventData/proEventData.js";
import { proFacingEventData } from "./proEventData/proFacingEventData.js";
import { proMultiStageEventData } from "./proEventData/proMultiStageEventData.js";
import { proOfferLinkingBookEventData } from "./proEventData/proOfferLinkingBookEventData.js";
import { proPickedEventData } from "./proEventData/proPickedEventData.js";
import { proResponderStateEventData } from "./proEventData/proResponderStateEventData.js";
import { proSpawnedEventData } from "./proEventData/proSpawnedEventData.js";
import { proVariableEventData } from "./proEventData/proVariableEventData.js";

/**
 * Registers every declared class with the family that looks it up while decoding. Classes that no factory of the
 * engine makes (plNetMessage, plNetMsgRoomsList, plNetMsgObject, plNetMsgStreamedObject, plNetMsgSharedState,
 * plNetMsgStream, plMessage, plSimulationMsg, plCCRMessage, plAvTask, plArmatureBrain) are left out.
 */
plCreatable.register(
  plNetMsgPagingRoom,
  plNetMsgGameStateRequest,
  plNetMsgTestAndSet,
  plNetMsgSDLState,
  plNetMsgSDLStateBCast,
  plNetMsgGetSharedState,
  plNetMsgObjStateRequest,
  plNetMsgGameMessage,
  plNetMsgGameMessageDirected,
  plNetMsgLoadClone,
  plNetMsgVoice,
  plNetMsgObjectUpdateFilter,
  plNetMsgMembersListReq,
  plNetMsgServerToClient,
  plNetMsgGroupOwner,
  plNetMsgMembersList,
  plNetMsgMemberUpdate,
  plNetMsgInitialAgeStateSent,
  plNetMsgListenListUpdate,
  plNetMsgRelevanceRegions,
  plNetMsgPlayerPage,
);
plCreatable.register(
  plLoadCloneMsg,
  plLoadAvatarMsg,
  plEnableMsg,
  plServerReplyMsg,
  plEventCallbackMsg,
  plMessageWithCallbacks,
  plAnimCmdMsg,
  plAvatarMsg,
  plAvTaskMsg,
  plAvSeekMsg,
  plAvOneShotMsg,
  plAvPushBrainMsg,
  plAvPopBrainMsg,
  plAvTaskSeekDoneMsg,
  plAvBrainGenericMsg,
  plNotifyMsg,
  plLinkEffectsTriggerMsg,
  plLinkToAgeMsg,
  plLinkingMgrMsg,
  plPseudoLinkEffectMsg,
  plRefMsg,
  plResponderMsg,
  plOneShotMsg,
  plAttachMsg,
  plImpulseMsg,
  plDampMsg,
  plLinearVelocityMsg,
  plAngularVelocityMsg,
  plParticleUpdateMsg,
  plParticleTransferMsg,
  plParticleKillMsg,
  plInputEventMsg,
  plControlEventMsg,
  plAvatarInputStateMsg,
  plInputIfaceMgrMsg,
  pfKIMsg,
  pfMarkerMsg,
  pfBackdoorMsg,
  plConsoleMsg,
  plCCRInvisibleMsg,
  plCCRBanLinkingMsg,
  plCCRSilencePlayerMsg,
  plCCRPetitionMsg,
  plClientMsg,
  plArmatureEffectStateMsg,
  plLoadClothingMsg,
  plCCRCommunicationMsg,
  plWarpMsg,
  plSubWorldMsg,
  plSetNetGroupIDMsg,
  plDynamicTextMsg,
  plClothingMsg,
  plMultistageModMsg,
  plBulletMsg,
  plClimbMsg,
  plClimbEventMsg,
  plSwimMsg,
  plRideAnimatedPhysMsg,
  plAvCoopMsg,
);
plCreatable.register(plAvAnimTask, plAvSeekTask, plAvTaskSeek, plAvOneShotTask, plAvOneShotLinkTask, plAvTaskBrain);
plCreatable.register(
  plAvBrainHuman,
  plAvBrainRideAnimatedPhysical,
  plAvBrainCritter,
  plAvBrainDrive,
  plAvBrainGeneric,
  plAvBrainCoop,
  plAvBrainSwim,
  plAvBrainClimb,
  plAnimStage,
);
plCreatable.register(plAgeLinkStruct, plAgeInfoStruct, plCoopCoordinator, plCreatableGenericValue);
proEventData.register(
  proCollisionEventData,
  proPickedEventData,
  proControlKeyEventData,
  proVariableEventData,
  proFacingEventData,
  proContainedEventData,
  proActivateEventData,
  proCallbackEventData,
  proResponderStateEventData,
  proMultiStageEventData,
  proSpawnedEventData,
  proClickDragEventData,
  proCoopEventData,
  proOfferLinkingBookEventData,
  proBookEventData,
  proClimbingBlockerHitEventData,
);

export { plCreatable, proEventData };
