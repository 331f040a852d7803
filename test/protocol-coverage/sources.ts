/**
 * The numbers of classes and messages, taken from the sources and not from the declarations, which
 * `protocol-coverage.test.ts` checks against them.
 */

/** Class indices given in the specification and its corrections. */
export const statedClasses = readPairs(`
plCoopCoordinator=0x011b plMessage=0x0202 plAnimCmdMsg=0x0206 plInputEventMsg=0x020b plControlEventMsg=0x0210
plNetMsgPagingRoom=0x0218 plEventCallbackMsg=0x0250 plLoadCloneMsg=0x0253 plEnableMsg=0x0254 plWarpMsg=0x0255
plNetMessage=0x025e plNetMsgRoomsList=0x0263 plNetMsgGroupOwner=0x0264 plNetMsgGameStateRequest=0x0265
plNetMsgObject=0x0268 plCCRInvisibleMsg=0x0269 plNetMsgGameMessage=0x026b plNetMsgStream=0x026c
plServerReplyMsg=0x026f plNetMsgVoice=0x0279 plNetMsgStreamedObject=0x027b plNetMsgSharedState=0x027c
plNetMsgTestAndSet=0x027d plNetMsgGetSharedState=0x027e plMessageWithCallbacks=0x0283
plNetMsgObjStateRequest=0x0286 plAvatarMsg=0x0297 plAvTaskMsg=0x0298 plAvSeekMsg=0x0299 plAvOneShotMsg=0x029a
plNetMsgObjectUpdateFilter=0x029d plNetMsgMembersListReq=0x02ad plNetMsgMembersList=0x02ae
plNetMsgMemberUpdate=0x02b1 plNetMsgServerToClient=0x02b2 plCCRCommunicationMsg=0x02b7
plNetMsgInitialAgeStateSent=0x02b8 plAvTaskSeekDoneMsg=0x02c0 plNetMsgListenListUpdate=0x02c8
plNetMsgSDLState=0x02cd plLinkToAgeMsg=0x02e6 plNotifyMsg=0x02ed plLinkEffectsTriggerMsg=0x0300
plNetMsgSDLStateBCast=0x0329 plNetMsgGameMessageDirected=0x032e plParticleTransferMsg=0x0333
plParticleKillMsg=0x0334 plDynamicTextMsg=0x0340 plAvatarInputStateMsg=0x0347 plLinkingMgrMsg=0x034b
plClothingMsg=0x0357 plArmatureBrain=0x035b plAvBrainHuman=0x035c plAvBrainCritter=0x035d plAvBrainDrive=0x035e
plAvBrainGeneric=0x0360 plInputIfaceMgrMsg=0x0363 pfKIMsg=0x0364 plAvPushBrainMsg=0x0367 plAvPopBrainMsg=0x0368
plAvTask=0x036a plAvAnimTask=0x036b plAvSeekTask=0x036c plAvOneShotTask=0x036e plAvTaskBrain=0x0370
plAnimStage=0x0371 plAvBrainGenericMsg=0x038f plAvTaskSeek=0x0390 plMultistageModMsg=0x03a3 plBulletMsg=0x03a6
plNetMsgRelevanceRegions=0x03ac plLoadAvatarMsg=0x03b1 plNetMsgLoadClone=0x03b3 plNetMsgPlayerPage=0x03b4
plSubWorldMsg=0x03bf plAvBrainSwim=0x042d plClimbMsg=0x0451 plAvBrainClimb=0x0453 plSwimMsg=0x0456
pfMarkerMsg=0x045a plAvCoopMsg=0x045e plAvBrainCoop=0x045f plSetNetGroupIDMsg=0x0464 plAvOneShotLinkTask=0x0488
plPseudoLinkEffectMsg=0x0494 plRideAnimatedPhysMsg=0x049d plAvBrainRideAnimatedPhysical=0x049e
`);

/** Message types. Source: the enums in NucleusLib/pnNetProtocol/pnNpCli2*.h, and of the 2011 release for CSR; pnCsrNet.h there. */
export const statedMessages = readPairs(`
Cli2Auth_PingRequest=0 Cli2Auth_ClientRegisterRequest=1 Cli2Auth_ClientSetCCRLevel=2 Cli2Auth_AcctLoginRequest=3
Cli2Auth_AcctSetEulaVersion=4 Cli2Auth_AcctSetDataRequest=5 Cli2Auth_AcctSetPlayerRequest=6
Cli2Auth_AcctCreateRequest=7 Cli2Auth_AcctChangePasswordRequest=8 Cli2Auth_AcctSetRolesRequest=9
Cli2Auth_AcctSetBillingTypeRequest=10 Cli2Auth_AcctActivateRequest=11 Cli2Auth_AcctCreateFromKeyRequest=12
Cli2Auth_PlayerDeleteRequest=13 Cli2Auth_PlayerUndeleteRequest=14 Cli2Auth_PlayerSelectRequest=15
Cli2Auth_PlayerRenameRequest=16 Cli2Auth_PlayerCreateRequest=17 Cli2Auth_PlayerSetStatus=18
Cli2Auth_PlayerChat=19 Cli2Auth_UpgradeVisitorRequest=20 Cli2Auth_SetPlayerBanStatusRequest=21
Cli2Auth_KickPlayer=22 Cli2Auth_ChangePlayerNameRequest=23 Cli2Auth_SendFriendInviteRequest=24
Cli2Auth_VaultNodeCreate=25 Cli2Auth_VaultNodeFetch=26 Cli2Auth_VaultNodeSave=27 Cli2Auth_VaultNodeDelete=28
Cli2Auth_VaultNodeAdd=29 Cli2Auth_VaultNodeRemove=30 Cli2Auth_VaultFetchNodeRefs=31
Cli2Auth_VaultInitAgeRequest=32 Cli2Auth_VaultNodeFind=33 Cli2Auth_VaultSetSeen=34 Cli2Auth_VaultSendNode=35
Cli2Auth_AgeRequest=36 Cli2Auth_FileListRequest=37 Cli2Auth_FileDownloadRequest=38
Cli2Auth_FileDownloadChunkAck=39 Cli2Auth_PropagateBuffer=40 Cli2Auth_GetPublicAgeList=41
Cli2Auth_SetAgePublic=42 Cli2Auth_LogPythonTraceback=43 Cli2Auth_LogStackDump=44
Cli2Auth_LogClientDebuggerConnect=45 Cli2Auth_ScoreCreate=46 Cli2Auth_ScoreDelete=47 Cli2Auth_ScoreGetScores=48
Cli2Auth_ScoreAddPoints=49 Cli2Auth_ScoreTransferPoints=50 Cli2Auth_ScoreSetPoints=51 Cli2Auth_ScoreGetRanks=52
Cli2Auth_AccountExistsRequest=53 Cli2Auth_AgeRequestEx=4096 Cli2Auth_ScoreGetHighScores=4097
Auth2Cli_PingReply=0 Auth2Cli_ServerAddr=1 Auth2Cli_NotifyNewBuild=2 Auth2Cli_ClientRegisterReply=3
Auth2Cli_AcctLoginReply=4 Auth2Cli_AcctData=5 Auth2Cli_AcctPlayerInfo=6 Auth2Cli_AcctSetPlayerReply=7
Auth2Cli_AcctCreateReply=8 Auth2Cli_AcctChangePasswordReply=9 Auth2Cli_AcctSetRolesReply=10
Auth2Cli_AcctSetBillingTypeReply=11 Auth2Cli_AcctActivateReply=12 Auth2Cli_AcctCreateFromKeyReply=13
Auth2Cli_PlayerList=14 Auth2Cli_PlayerChat=15 Auth2Cli_PlayerCreateReply=16 Auth2Cli_PlayerDeleteReply=17
Auth2Cli_UpgradeVisitorReply=18 Auth2Cli_SetPlayerBanStatusReply=19 Auth2Cli_ChangePlayerNameReply=20
Auth2Cli_SendFriendInviteReply=21 Auth2Cli_FriendNotify=22 Auth2Cli_VaultNodeCreated=23
Auth2Cli_VaultNodeFetched=24 Auth2Cli_VaultNodeChanged=25 Auth2Cli_VaultNodeDeleted=26
Auth2Cli_VaultNodeAdded=27 Auth2Cli_VaultNodeRemoved=28 Auth2Cli_VaultNodeRefsFetched=29
Auth2Cli_VaultInitAgeReply=30 Auth2Cli_VaultNodeFindReply=31 Auth2Cli_VaultSaveNodeReply=32
Auth2Cli_VaultAddNodeReply=33 Auth2Cli_VaultRemoveNodeReply=34 Auth2Cli_AgeReply=35 Auth2Cli_FileListReply=36
Auth2Cli_FileDownloadChunk=37 Auth2Cli_PropagateBuffer=38 Auth2Cli_KickedOff=39 Auth2Cli_PublicAgeList=40
Auth2Cli_ScoreCreateReply=41 Auth2Cli_ScoreDeleteReply=42 Auth2Cli_ScoreGetScoresReply=43
Auth2Cli_ScoreAddPointsReply=44 Auth2Cli_ScoreTransferPointsReply=45 Auth2Cli_ScoreSetPointsReply=46
Auth2Cli_ScoreGetRanksReply=47 Auth2Cli_AccountExistsReply=48 Auth2Cli_AgeReplyEx=4096
Auth2Cli_ScoreGetHighScoresReply=4097 Auth2Cli_ServerCaps=4098 Cli2File_PingRequest=0 Cli2File_BuildIdRequest=10
Cli2File_ManifestRequest=20 Cli2File_FileDownloadRequest=21 Cli2File_ManifestEntryAck=22
Cli2File_FileDownloadChunkAck=23 Cli2File_UNUSED_1=30 File2Cli_PingReply=0 File2Cli_BuildIdReply=10
File2Cli_BuildIdUpdate=11 File2Cli_ManifestReply=20 File2Cli_FileDownloadReply=21 File2Cli_UNUSED_1=30
Cli2Game_PingRequest=0 Cli2Game_JoinAgeRequest=1 Cli2Game_PropagateBuffer=2 Cli2Game_GameMgrMsg=3
Game2Cli_PingReply=0 Game2Cli_JoinAgeReply=1 Game2Cli_PropagateBuffer=2 Game2Cli_GameMgrMsg=3
Cli2GateKeeper_PingRequest=0 Cli2GateKeeper_FileSrvIpAddressRequest=1 Cli2GateKeeper_AuthSrvIpAddressRequest=2
GateKeeper2Cli_PingReply=0 GateKeeper2Cli_FileSrvIpAddressReply=1 GateKeeper2Cli_AuthSrvIpAddressReply=2
Cli2Csr_PingRequest=0 Cli2Csr_RegisterRequest=1 Cli2Csr_LoginRequest=2 Cli2Csr_PatchRequest=3
Csr2Cli_PingReply=0 Csr2Cli_RegisterReply=1 Csr2Cli_LoginReply=2 Csr2Cli_PatchReply=3
CsrNet_ExecConsoleCmd=0
`);

/** Classes derived from plMessage, according to the headers of the engine. */
export const messageClasses: ReadonlySet<string> = new Set(
  `
plObjRefMsg plNodeRefMsg plMessage plRefMsg plGenRefMsg plTimeMsg plAnimCmdMsg plParticleUpdateMsg plLayRefMsg
plMatRefMsg plCameraMsg plInputEventMsg plKeyEventMsg plMouseEventMsg plEvalMsg plTransformMsg plControlEventMsg
plLOSRequestMsg plLOSHitMsg plSingleModMsg plMultiModMsg plAvatarPhysicsEnableCallbackMsg plMemberUpdateMsg
plActivatorMsg plMeshRefMsg plPreResourceMsg plIntRefMsg plCorrectionMsg plPickedMsg plCollideMsg plTriggerMsg
plInterestingModMsg plDebugKeyEventMsg plMatrixUpdateMsg plCondRefMsg plTimerCallbackMsg plEventCallbackMsg
plSpawnModMsg plSpawnRequestMsg plLoadCloneMsg plEnableMsg plWarpMsg plAttachMsg plRenderMsg plSoundMsg
plInterestingPing plNodeCleanupMsg plCCRInvisibleMsg plLinkInDoneMsg plAudioSysMsg plServerReplyMsg
plDeviceRecreateMsg plIMouseXEventMsg plIMouseYEventMsg plIMouseBEventMsg plLightRefMsg plSharedStateMsg
plNetClientMgrMsg plLoadAgeMsg plMessageWithCallbacks plClientMsg plClientRefMsg plCCRPetitionMsg
plSimulationMsg plSimulationSynchMsg plAvatarMsg plAvTaskMsg plAvSeekMsg plAvOneShotMsg plSatisfiedMsg
plProxyDrawMsg plSelfDestructMsg plConnectedToVaultMsg plCCRCommunicationMsg plInitialAgeStateLoadedMsg
plAvTaskSeekDoneMsg plResPatcherMsg plSDLModifierMsg plCCRBanLinkingMsg plCCRSilencePlayerMsg plRenderRequestMsg
plRenderRequestAck plLinkToAgeMsg plPlayerPageMsg plCmdIfaceModMsg plListenerMsg plClothingUpdateBCMsg
plNotifyMsg plFakeOutMsg plCursorChangeMsg plNodeChangeMsg plLinkCallbackMsg plTransitionMsg plConsoleMsg
plLinkEffectsTriggerMsg plLinkEffectBCMsg plResponderEnableMsg plResponderMsg plOneShotMsg pfGameGUIMsg
plReplaceGeometryMsg plLinkOutUnloadMsg plAGCmdMsg plParticleTransferMsg plParticleKillMsg plExcludeRegionMsg
plDynamicTextMsg plCameraTargetFadeMsg plAgeLoadedMsg plLinkEffectsTriggerPrepMsg plLinkEffectPrepBCMsg
plAvatarInputStateMsg plSDLNotificationMsg plLinkingMgrMsg plVaultNotifyMsg plSwapSpansRefMsg plDISpansMsg
plDelayedTransformMsg plElementRefMsg plClothingMsg pfGUINotifyMsg plInputIfaceMgrMsg pfKIMsg
plRemoteAvatarInfoMsg plAvPushBrainMsg plAvPopBrainMsg plRoomLoadNotifyMsg plNetCommAuthConnectedMsg
plAvBrainGenericMsg plAGInstanceCallbackMsg plArmatureEffectMsg plArmatureEffectStateMsg plShadowCastMsg
plResMgrHelperMsg plNetCommAuthMsg plNetCommFileListMsg plNetCommLinkToAgeMsg plNetCommPlayerListMsg
plNetCommActivePlayerMsg plNetCommCreatePlayerMsg plNetCommDeletePlayerMsg plNetCommPublicAgeListMsg
plNetCommPublicAgeMsg plNetCommRegisterAgeMsg plMultistageModMsg plBulletMsg plDynaDecalEnableMsg
plArmatureUpdateMsg plAvatarFootMsg plNetOwnershipMsg plParticleFlockMsg plAvatarBehaviorNotifyMsg
plLoadAvatarMsg plAvatarSetTypeMsg plRippleShapeMsg plSubWorldMsg plAvatarSpawnNotifyMsg plSetListenerMsg
plSynchEnableMsg plAvatarStealthModeMsg plEventCallbackInterceptMsg plDynamicEnvMapMsg plClimbMsg
plIfaceFadeAvatarMsg plSharedMeshBCMsg plNetVoiceListMsg plSwimMsg pfMarkerMsg plPipeResMakeMsg plPipeRTMakeMsg
plPipeGeoMakeMsg plAvCoopMsg plAgeBeginLoadingMsg plSetNetGroupIDMsg pfBackdoorMsg plAIMsg plAIBrainCreatedMsg
plAIArrivedAtGoalMsg plCCRMessage plAvatarOpacityCallbackMsg plAGDetachCallbackMsg pfMovieEventMsg plMovieMsg
plPipeTexMakeMsg plCaptureRenderMsg plAgeLoaded2Msg plPseudoLinkEffectMsg plPseudoLinkAnimTriggerMsg
plPseudoLinkAnimCallbackMsg plClimbEventMsg plAccountUpdateMsg plLinearVelocityMsg plAngularVelocityMsg
plRideAnimatedPhysMsg pfGameScoreMsg pfGameScoreListMsg pfGameScoreTransferMsg pfGameScoreUpdateMsg
plLoadClothingMsg plSDLModifierStateMsg plConfirmationMsg plLocalizedConfirmationMsg plSubtitleMsg
plDisplayScaleChangedMsg plAIBrainDestroyedMsg plAIGoToGoalMsg
`.split(/\s+/),
);

/**
 * Messages that the client sends to others: classes whose net-propagate flag is set somewhere, in a constructor, by
 * their sender or in exported ages. Source: all of the engine (commit 8d6f88b91) that calls
 * SetBCastFlag(plMessage::kNetPropagate); what such messages carry (plAvatarMgr.cpp, plLoadClothingMsg); what the
 * client takes from others and nothing there sends (plCCRMsg.h).
 */
export const sentClasses: ReadonlySet<string> = new Set(
  `
pfBackdoorMsg pfKIMsg pfMarkerMsg plAngularVelocityMsg plAnimCmdMsg plAttachMsg plAvBrainGenericMsg plAvCoopMsg
plAvOneShotMsg plAvPopBrainMsg plAvPushBrainMsg plAvSeekMsg plAvTaskMsg plAvatarInputStateMsg plBulletMsg
plArmatureEffectStateMsg plCCRBanLinkingMsg plCCRCommunicationMsg plCCRInvisibleMsg plCCRSilencePlayerMsg plClientMsg
plClimbEventMsg plClimbMsg plClothingMsg plConsoleMsg
plControlEventMsg plDampMsg plDynamicTextMsg plEnableMsg plImpulseMsg plInputIfaceMgrMsg plLinearVelocityMsg
plLinkEffectsTriggerMsg plLinkToAgeMsg plLinkingMgrMsg plLoadAvatarMsg plLoadCloneMsg
plLoadClothingMsg plMultistageModMsg plNotifyMsg plOneShotMsg plParticleKillMsg plParticleTransferMsg plParticleUpdateMsg plPseudoLinkEffectMsg plSetNetGroupIDMsg
plSubWorldMsg plSwimMsg plWarpMsg
`
    .trim()
    .split(/\s+/),
);

/** Classes that are only bases of others: they never have objects of their own. */
export const abstractClasses: ReadonlySet<string> = new Set(
  "plMessage plNetMessage plNetMsgRoomsList plNetMsgObject plNetMsgStreamedObject plNetMsgSharedState plNetMsgStream plAvTask plArmatureBrain plCCRMessage plSimulationMsg plSimInfluenceMsg".split(
    " ",
  ),
);

/**
 * Classes that nothing sends, although their fields are known. Source: plMessage/plSimInfluenceMsg.h and .cpp of the
 * release of 2011, where the code that reads and writes them is commented out.
 */
export const unsentClasses: ReadonlySet<string> = new Set(
  "plForceMsg plOffsetForceMsg plTorqueMsg plOffsetImpulseMsg plAngularImpulseMsg plShiftMassMsg".split(" "),
);

/** Numbers of connection types. Source: pnAsyncCore/Private/pnAcIo.h (2011), kConnType. */
export const connectionTypes = readPairs(`
Nil=0 Debug=1 CliToAuth=10 CliToGame=11 SrvToAgent=12 SrvToMcp=13 SrvToVault=14 SrvToDb=15 CliToFile=16 SrvToState=17
SrvToLog=18 SrvToScore=19 CliToCsr=20 SimpleNet=21 CliToGateKeeper=22 AdminInterface=97
`);

function readPairs(text: string): ReadonlyMap<string, number> {
  const words = text.trim().split(/\s+/);
  return new Map(
    words.map((word): [string, number] => {
      const [name = "", value] = word.split("=");
      return [name, Number(value)];
    }),
  );
}
