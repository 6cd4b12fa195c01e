/* Made by `npm run generate` from the routes; change those. */
import type {
  AcceptChannelAdminReply,
  AcceptChannelAdminRequest,
  AddContactReply,
  AddContactRequest,
  AddProductReply,
  AddProductRequest,
  AddSuppressionsReply,
  AddSuppressionsRequest,
  Agent,
  AgentListReply,
  AgentTurnQuery,
  AgentTurnsReply,
  AgentUsageQuery,
  AgentUsageReply,
  AllContactsQuery,
  AllContactsReply,
  AllInstancesReply,
  ArchiveChatReply,
  ArchiveChatRequest,
  AuditQueryParameters,
  AuditReply,
  BlockReply,
  BlockRequest,
  BlocklistReply,
  BusinessCategoriesQuery,
  BusinessCategoriesReply,
  BusinessProfileReply,
  BusinessProfileRequest,
  CampaignCourseQuery,
  CampaignCourseReply,
  CancelExportReply,
  CancelExportRequest,
  CancelJobReply,
  CancelJobRequest,
  CancelScheduledQuery,
  CancelScheduledReply,
  ChangeInstancesReply,
  ChangeInstancesRequest,
  ChangeProductReply,
  ChangeProductRequest,
  Chat,
  ChatDetailsRequest,
  ChatEphemeralReply,
  ChatEphemeralRequest,
  ChatNotesReply,
  ChatNotesRequest,
  ChatwootConfigReply,
  CheckNumbersReply,
  CheckNumbersRequest,
  CheckSuppressionsReply,
  CheckSuppressionsRequest,
  ClearAllCampaignsReply,
  ClearDoneCampaignsReply,
  ClearDoneCampaignsRequest,
  ConnectReply,
  ConnectRequest,
  ConnectionHistoryQuery,
  ConnectionHistoryReply,
  ContactPresenceReply,
  CopyCampaignReply,
  CopyCampaignRequest,
  CreateAdvancedCampaignReply,
  CreateAdvancedCampaignRequest,
  CreateCallLinkReply,
  CreateCallLinkRequest,
  CreateChannelReply,
  CreateChannelRequest,
  CreateCommunityReply,
  CreateCommunityRequest,
  CreateGroupRequest,
  CreateInstanceReply,
  CreateInstanceRequest,
  CreateKeyReply,
  CreateKeyRequest,
  CreateSimpleCampaignReply,
  CreateSimpleCampaignRequest,
  DeadLettersQuery,
  DeadLettersReply,
  DeleteChannelPostReply,
  DeleteChannelPostRequest,
  DeleteChannelReply,
  DeleteChannelRequest,
  DeleteChatReply,
  DeleteChatRequest,
  DeleteInstanceReply,
  DeleteKeyReply,
  DeleteMessageReply,
  DeleteMessageRequest,
  DeleteProductReply,
  DeleteProductRequest,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryReply,
  DisconnectReply,
  DisconnectRequest,
  DownloadReply,
  DownloadRequest,
  DrainNodeReply,
  EditAgentRequest,
  EditCampaignReply,
  EditCampaignRequest,
  EditChannelPostReply,
  EditChannelPostRequest,
  EditChatNotesReply,
  EditChatNotesRequest,
  EditCommunityReply,
  EditCommunityRequest,
  EditFunctionRequest,
  EditKnowledgeRequest,
  EditLabelReply,
  EditLabelRequest,
  EditLeadRequest,
  EditMessageReply,
  EditMessageRequest,
  EditQuickReplyReply,
  EditQuickReplyRequest,
  EditScheduledReply,
  EditScheduledRequest,
  EditTriggerRequest,
  EndListedPassReply,
  EndPassReply,
  FiguresReply,
  FindChannelReply,
  FindChannelRequest,
  FindChatsReply,
  FindChatsRequest,
  FindGroupsReply,
  FindGroupsRequest,
  FindInstancesReply,
  FindInstancesRequest,
  FindMessagesReply,
  FindMessagesRequest,
  FollowChannelReply,
  FollowChannelRequest,
  FunctionListReply,
  FunctionRecord,
  GlobalDeadLettersQuery,
  GlobalDeadLettersReply,
  GlobalDeliveriesQuery,
  GlobalDeliveriesReply,
  GlobalDeliveryReply,
  GlobalReceiverFiguresQuery,
  GlobalReceiverFiguresReply,
  GlobalWebhookErrorsQuery,
  GlobalWebhookErrorsReply,
  Group,
  GroupEphemeralReply,
  GroupEphemeralRequest,
  GroupInfoRequest,
  GroupListQuery,
  GroupListReply,
  HealthReply,
  HideInCatalogReply,
  HideInCatalogRequest,
  HistorySyncReply,
  HistorySyncRequest,
  ImportCampaignReply,
  ImportCampaignRequest,
  ImportInstanceReply,
  ImportInstanceRequest,
  ImportSessionReply,
  ImportSessionRequest,
  Instance,
  InstanceHealthReply,
  InstanceProxy,
  InviteChannelAdminReply,
  InviteChannelAdminRequest,
  InviteInfoRequest,
  InviteLinkReply,
  JoinGroupReply,
  JoinGroupRequest,
  KeepMessageReply,
  KeepMessageRequest,
  KeysReply,
  Knowledge,
  KnowledgeListReply,
  LabelChatReply,
  LabelChatRequest,
  LabelListReply,
  LeaveGroupReply,
  LeaveGroupRequest,
  LidMapping,
  ListAgentsQuery,
  ListBlockedQuery,
  ListCampaignMessagesReply,
  ListCampaignMessagesRequest,
  ListCampaignsQuery,
  ListCampaignsReply,
  ListCatalogReply,
  ListCatalogRequest,
  ListChannelPostsReply,
  ListChannelPostsRequest,
  ListChannelUpdatesReply,
  ListChannelUpdatesRequest,
  ListChannelsQuery,
  ListChannelsReply,
  ListContactsReply,
  ListContactsRequest,
  ListEventsQuery,
  ListEventsReply,
  ListFunctionsQuery,
  ListInstancesQuery,
  ListKeysQuery,
  ListKnowledgeQuery,
  ListLabelsQuery,
  ListLidsQuery,
  ListLidsReply,
  ListMessageReactionsQuery,
  ListMessageVotesQuery,
  ListNodesQuery,
  ListPassesQuery,
  ListQuickRepliesQuery,
  ListQuickRepliesReply,
  ListShardsQuery,
  ListTriggersQuery,
  ListWebhooksQuery,
  ListWebhooksReply,
  MakeCallReply,
  MakeCallRequest,
  MarkPostsViewedReply,
  MarkPostsViewedRequest,
  MarkReadReply,
  MarkReadRequest,
  MessageInfoReply,
  MessageInfoRequest,
  MessageReactionsReply,
  MessageVotesReply,
  MuteChannelReply,
  MuteChannelRequest,
  MuteChatReply,
  MuteChatRequest,
  NodesReply,
  OpenInstancePassReply,
  OpenInstancePassRequest,
  OpenPairingLinkReply,
  OpenPairingLinkRequest,
  OpenPassCodeReply,
  OpenPassCodeRequest,
  OpenPassReply,
  OpenPassRequest,
  OptOutWordsReply,
  PassesReply,
  PasskeyConfirmReply,
  PasskeyConfirmRequest,
  PasskeyReply,
  PasskeyResponseReply,
  PasskeyResponseRequest,
  PinChatReply,
  PinChatRequest,
  PinMessageReply,
  PinMessageRequest,
  PlacementReply,
  PresenceReply,
  PresenceRequest,
  QueueClearReply,
  QueueStatusReply,
  ReactReply,
  ReactRequest,
  ReactToPostReply,
  ReactToPostRequest,
  ReadChatReply,
  ReadChatRequest,
  ReadingSettingsReply,
  ReadyReply,
  ReceiverFiguresQuery,
  ReceiverFiguresReply,
  RecordStanzasRequest,
  RecordingReply,
  RefreshChatNotesReply,
  RefreshChatNotesRequest,
  RefreshLabelsReply,
  RefreshLabelsRequest,
  RejectCallReply,
  RejectCallRequest,
  RemoveChannelAdminReply,
  RemoveChannelAdminRequest,
  RemoveContactReply,
  RemoveContactRequest,
  RemoveProxyReply,
  RemoveSuppressionsReply,
  RemoveSuppressionsRequest,
  ReplayGlobalWebhookReply,
  ReplayGlobalWebhookRequest,
  ReplayWebhookReply,
  ReplayWebhookRequest,
  RequestsQueryParameters,
  RequestsReply,
  ResetInviteCodeReply,
  ResetInviteCodeRequest,
  ResetReply,
  ResetRequest,
  RestartConnectionsReply,
  RestartConnectionsRequest,
  RetryTurnReply,
  RetryTurnRequest,
  RevokeChannelInviteReply,
  RevokeChannelInviteRequest,
  RotateAdminTokenReply,
  RotateAdminTokenRequest,
  RotateInstanceTokenReply,
  RotateInstanceTokenRequest,
  RotateTokenReply,
  RotateTokenRequest,
  ScheduledQuery,
  ScheduledReply,
  SearchChannelsReply,
  SearchChannelsRequest,
  SearchKnowledgeReply,
  SearchKnowledgeRequest,
  SendAlbumReply,
  SendAlbumRequest,
  SendCarouselReply,
  SendCarouselRequest,
  SendContactReply,
  SendContactRequest,
  SendEventReply,
  SendEventRequest,
  SendForwardReply,
  SendForwardRequest,
  SendGroupInviteReply,
  SendGroupInviteRequest,
  SendLocationButtonReply,
  SendLocationButtonRequest,
  SendLocationReply,
  SendLocationRequest,
  SendMediaReply,
  SendMediaRequest,
  SendMenuReply,
  SendMenuRequest,
  SendPixButtonReply,
  SendPixButtonRequest,
  SendProductReply,
  SendProductRequest,
  SendRequestPaymentReply,
  SendRequestPaymentRequest,
  SendStatusReply,
  SendStatusRequest,
  SendTextReply,
  SendTextRequest,
  SetCallSettingsRequest,
  SetChannelDescriptionReply,
  SetChannelDescriptionRequest,
  SetChannelNameReply,
  SetChannelNameRequest,
  SetChannelPictureReply,
  SetChannelPictureRequest,
  SetChannelSettingsReply,
  SetChannelSettingsRequest,
  SetChatwootReply,
  SetChatwootRequest,
  SetGlobalWebhookRequest,
  SetOptOutWordsRequest,
  SetPresenceReply,
  SetPresenceRequest,
  SetPrivacyRequest,
  SetProfileImageReply,
  SetProfileImageRequest,
  SetProfileNameReply,
  SetProfileNameRequest,
  SetProfileStatusReply,
  SetProfileStatusRequest,
  SetProxyReply,
  SetProxyRequest,
  SetWebhookReply,
  SetWebhookRequest,
  ShardsReply,
  ShowCallSettingsReply,
  ShowCampaignQuery,
  ShowCampaignReply,
  ShowChannelReply,
  ShowChannelRequest,
  ShowInCatalogReply,
  ShowInCatalogRequest,
  ShowJobQuery,
  ShowJobReply,
  ShowLimitsReply,
  ShowOrderReply,
  ShowOrderRequest,
  ShowPassReply,
  ShowPrivacyReply,
  ShowProductReply,
  ShowProductRequest,
  ShowRecordingReply,
  StarMessageReply,
  StarMessageRequest,
  StartInstanceReply,
  StartInstanceRequest,
  StatusReply,
  StatusViewsReply,
  StatusViewsRequest,
  StopInstanceReply,
  StopInstanceRequest,
  SubscribeToChannelReply,
  SubscribeToChannelRequest,
  SuppressionQuery,
  SuppressionReply,
  TestAgentReply,
  TestAgentRequest,
  TestFunctionReply,
  TestFunctionRequest,
  TestGlobalWebhookRequest,
  TestWebhookReply,
  TestWebhookRequest,
  TrafficQueryParameters,
  TrafficReply,
  TransferChannelReply,
  TransferChannelRequest,
  Trigger,
  TriggerListReply,
  UnfollowChannelReply,
  UnfollowChannelRequest,
  UnmuteChannelReply,
  UnmuteChannelRequest,
  UpdateAdminFieldsRequest,
  UpdateAnnounceReply,
  UpdateAnnounceRequest,
  UpdateBusinessProfileReply,
  UpdateBusinessProfileRequest,
  UpdateChatbotSettingsRequest,
  UpdateDefaultCountryRequest,
  UpdateDelaySettingsReply,
  UpdateDelaySettingsRequest,
  UpdateFieldsMapRequest,
  UpdateGroupDescriptionReply,
  UpdateGroupDescriptionRequest,
  UpdateGroupImageReply,
  UpdateGroupImageRequest,
  UpdateGroupNameReply,
  UpdateGroupNameRequest,
  UpdateInstanceNameRequest,
  UpdateJoinApprovalReply,
  UpdateJoinApprovalRequest,
  UpdateLockedReply,
  UpdateLockedRequest,
  UpdateMemberAddModeReply,
  UpdateMemberAddModeRequest,
  UpdateParticipantsReply,
  UpdateParticipantsRequest,
  UpdateReadingSettingsRequest,
  UpdateTagsRequest,
  VotePollReply,
  VotePollRequest,
  Webhook,
  WebhookErrorsQuery,
  WebhookErrorsReply,
} from '../../../schemas/generated.js'

export interface Operations {
  initInstance: { body: CreateInstanceRequest; query: undefined; params: never; reply: CreateInstanceReply }
  createInstance: { body: CreateInstanceRequest; query: undefined; params: never; reply: CreateInstanceReply }
  listInstances: { body: undefined; query: ListInstancesQuery; params: never; reply: AllInstancesReply }
  findInstances: { body: FindInstancesRequest; query: undefined; params: never; reply: FindInstancesReply }
  updateAdminFields: { body: UpdateAdminFieldsRequest; query: undefined; params: never; reply: Instance }
  updateTags: { body: UpdateTagsRequest; query: undefined; params: never; reply: Instance }
  connectInstance: { body: ConnectRequest; query: undefined; params: never; reply: ConnectReply }
  showStatus: { body: undefined; query: undefined; params: never; reply: StatusReply }
  showHealth: { body: undefined; query: undefined; params: never; reply: InstanceHealthReply }
  listConnectionHistory: { body: undefined; query: ConnectionHistoryQuery; params: never; reply: ConnectionHistoryReply }
  listRequests: { body: undefined; query: RequestsQueryParameters; params: never; reply: RequestsReply }
  showLimits: { body: undefined; query: undefined; params: never; reply: ShowLimitsReply }
  showPasskey: { body: undefined; query: undefined; params: never; reply: PasskeyReply }
  answerPasskey: { body: PasskeyResponseRequest; query: undefined; params: never; reply: PasskeyResponseReply }
  confirmPasskey: { body: PasskeyConfirmRequest; query: undefined; params: never; reply: PasskeyConfirmReply }
  setPresence: { body: SetPresenceRequest; query: undefined; params: never; reply: SetPresenceReply }
  stopInstance: { body: StopInstanceRequest; query: undefined; params: never; reply: StopInstanceReply }
  startInstance: { body: StartInstanceRequest; query: undefined; params: never; reply: StartInstanceReply }
  disconnectInstance: { body: DisconnectRequest; query: undefined; params: never; reply: DisconnectReply }
  resetInstance: { body: ResetRequest; query: undefined; params: never; reply: ResetReply }
  deleteInstance: { body: undefined; query: undefined; params: never; reply: DeleteInstanceReply }
  showProxy: { body: undefined; query: undefined; params: never; reply: InstanceProxy }
  setProxy: { body: SetProxyRequest; query: undefined; params: never; reply: SetProxyReply }
  removeProxy: { body: undefined; query: undefined; params: never; reply: RemoveProxyReply }
  rotateToken: { body: RotateTokenRequest; query: undefined; params: never; reply: RotateTokenReply }
  createKey: { body: CreateKeyRequest; query: undefined; params: never; reply: CreateKeyReply }
  listKeys: { body: undefined; query: ListKeysQuery; params: never; reply: KeysReply }
  deleteKey: { body: undefined; query: undefined; params: 'id'; reply: DeleteKeyReply }
  updateInstanceName: { body: UpdateInstanceNameRequest; query: undefined; params: never; reply: Instance }
  updateDelaySettings: { body: UpdateDelaySettingsRequest; query: undefined; params: never; reply: UpdateDelaySettingsReply }
  updateDefaultCountry: { body: UpdateDefaultCountryRequest; query: undefined; params: never; reply: Instance }
  updateFieldsMap: { body: UpdateFieldsMapRequest; query: undefined; params: never; reply: Instance }
  showPrivacy: { body: undefined; query: undefined; params: never; reply: ShowPrivacyReply }
  setPrivacy: { body: SetPrivacyRequest; query: undefined; params: never; reply: ShowPrivacyReply }
  showCallSettings: { body: undefined; query: undefined; params: never; reply: ShowCallSettingsReply }
  setCallSettings: { body: SetCallSettingsRequest; query: undefined; params: never; reply: ShowCallSettingsReply }
  showReadingSettings: { body: undefined; query: undefined; params: never; reply: ReadingSettingsReply }
  updateReadingSettings: { body: UpdateReadingSettingsRequest; query: undefined; params: never; reply: ReadingSettingsReply }
  updateChatbotSettings: { body: UpdateChatbotSettingsRequest; query: undefined; params: never; reply: Instance }
  importInstance: { body: ImportInstanceRequest; query: undefined; params: never; reply: ImportInstanceReply }
  importSession: { body: ImportSessionRequest; query: undefined; params: never; reply: ImportSessionReply }
  cancelExport: { body: CancelExportRequest; query: undefined; params: never; reply: CancelExportReply }
  rotateAdminToken: { body: RotateAdminTokenRequest; query: undefined; params: never; reply: RotateAdminTokenReply }
  listAudit: { body: undefined; query: AuditQueryParameters; params: never; reply: AuditReply }
  rotateInstanceToken: { body: RotateInstanceTokenRequest; query: undefined; params: 'id'; reply: RotateInstanceTokenReply }
  changeInstances: { body: ChangeInstancesRequest; query: undefined; params: never; reply: ChangeInstancesReply }
  showJob: { body: undefined; query: ShowJobQuery; params: never; reply: ShowJobReply }
  cancelJob: { body: CancelJobRequest; query: undefined; params: never; reply: CancelJobReply }
  restartConnections: { body: RestartConnectionsRequest; query: undefined; params: never; reply: RestartConnectionsReply }
  showFigures: { body: undefined; query: undefined; params: never; reply: FiguresReply }
  showTraffic: { body: undefined; query: TrafficQueryParameters; params: never; reply: TrafficReply }
  listNodes: { body: undefined; query: ListNodesQuery; params: never; reply: NodesReply }
  listShards: { body: undefined; query: ListShardsQuery; params: never; reply: ShardsReply }
  drainNode: { body: undefined; query: undefined; params: 'id'; reply: DrainNodeReply }
  tellPlacement: { body: undefined; query: undefined; params: 'id'; reply: PlacementReply }
  recordStanzas: { body: RecordStanzasRequest; query: undefined; params: 'id'; reply: RecordingReply }
  showRecording: { body: undefined; query: undefined; params: 'id'; reply: ShowRecordingReply }
  openPass: { body: OpenPassRequest; query: undefined; params: never; reply: OpenPassReply }
  openPassCode: { body: OpenPassCodeRequest; query: undefined; params: never; reply: OpenPassCodeReply }
  showPass: { body: undefined; query: undefined; params: never; reply: ShowPassReply }
  endPass: { body: undefined; query: undefined; params: never; reply: EndPassReply }
  openInstancePass: { body: OpenInstancePassRequest; query: undefined; params: 'id'; reply: OpenInstancePassReply }
  openPairingLink: { body: OpenPairingLinkRequest; query: undefined; params: never; reply: OpenPairingLinkReply }
  listPasses: { body: undefined; query: ListPassesQuery; params: never; reply: PassesReply }
  endListedPass: { body: undefined; query: undefined; params: 'id'; reply: EndListedPassReply }
  setProfileName: { body: SetProfileNameRequest; query: undefined; params: never; reply: SetProfileNameReply }
  setProfileStatus: { body: SetProfileStatusRequest; query: undefined; params: never; reply: SetProfileStatusReply }
  setProfileImage: { body: SetProfileImageRequest; query: undefined; params: never; reply: SetProfileImageReply }
  showBusinessProfile: { body: BusinessProfileRequest; query: undefined; params: never; reply: BusinessProfileReply }
  listBusinessCategories: { body: undefined; query: BusinessCategoriesQuery; params: never; reply: BusinessCategoriesReply }
  updateBusinessProfile: { body: UpdateBusinessProfileRequest; query: undefined; params: never; reply: UpdateBusinessProfileReply }
  listCatalog: { body: ListCatalogRequest; query: undefined; params: never; reply: ListCatalogReply }
  showProduct: { body: ShowProductRequest; query: undefined; params: never; reply: ShowProductReply }
  addProduct: { body: AddProductRequest; query: undefined; params: never; reply: AddProductReply }
  changeProduct: { body: ChangeProductRequest; query: undefined; params: never; reply: ChangeProductReply }
  deleteProduct: { body: DeleteProductRequest; query: undefined; params: never; reply: DeleteProductReply }
  showInCatalog: { body: ShowInCatalogRequest; query: undefined; params: never; reply: ShowInCatalogReply }
  hideInCatalog: { body: HideInCatalogRequest; query: undefined; params: never; reply: HideInCatalogReply }
  showOrder: { body: ShowOrderRequest; query: undefined; params: never; reply: ShowOrderReply }
  sendText: { body: SendTextRequest; query: undefined; params: never; reply: SendTextReply }
  sendContact: { body: SendContactRequest; query: undefined; params: never; reply: SendContactReply }
  sendLocation: { body: SendLocationRequest; query: undefined; params: never; reply: SendLocationReply }
  sendMenu: { body: SendMenuRequest; query: undefined; params: never; reply: SendMenuReply }
  sendCarousel: { body: SendCarouselRequest; query: undefined; params: never; reply: SendCarouselReply }
  sendPixButton: { body: SendPixButtonRequest; query: undefined; params: never; reply: SendPixButtonReply }
  sendLocationButton: { body: SendLocationButtonRequest; query: undefined; params: never; reply: SendLocationButtonReply }
  sendRequestPayment: { body: SendRequestPaymentRequest; query: undefined; params: never; reply: SendRequestPaymentReply }
  sendMedia: { body: SendMediaRequest; query: undefined; params: never; reply: SendMediaReply }
  sendStatus: { body: SendStatusRequest; query: undefined; params: never; reply: SendStatusReply }
  sendEvent: { body: SendEventRequest; query: undefined; params: never; reply: SendEventReply }
  sendForward: { body: SendForwardRequest; query: undefined; params: never; reply: SendForwardReply }
  sendGroupInvite: { body: SendGroupInviteRequest; query: undefined; params: never; reply: SendGroupInviteReply }
  sendProduct: { body: SendProductRequest; query: undefined; params: never; reply: SendProductReply }
  sendAlbum: { body: SendAlbumRequest; query: undefined; params: never; reply: SendAlbumReply }
  createSimpleCampaign: { body: CreateSimpleCampaignRequest; query: undefined; params: never; reply: CreateSimpleCampaignReply }
  createAdvancedCampaign: { body: CreateAdvancedCampaignRequest; query: undefined; params: never; reply: CreateAdvancedCampaignReply }
  importCampaign: { body: ImportCampaignRequest; query: undefined; params: never; reply: ImportCampaignReply }
  copyCampaign: { body: CopyCampaignRequest; query: undefined; params: never; reply: CopyCampaignReply }
  editCampaign: { body: EditCampaignRequest; query: undefined; params: never; reply: EditCampaignReply }
  listCampaigns: { body: undefined; query: ListCampaignsQuery; params: never; reply: ListCampaignsReply }
  showCampaign: { body: undefined; query: ShowCampaignQuery; params: never; reply: ShowCampaignReply }
  showCampaignCourse: { body: undefined; query: CampaignCourseQuery; params: never; reply: CampaignCourseReply }
  listCampaignMessages: { body: ListCampaignMessagesRequest; query: undefined; params: never; reply: ListCampaignMessagesReply }
  clearDoneCampaigns: { body: ClearDoneCampaignsRequest; query: undefined; params: never; reply: ClearDoneCampaignsReply }
  clearAllCampaigns: { body: undefined; query: undefined; params: never; reply: ClearAllCampaignsReply }
  findMessages: { body: FindMessagesRequest; query: undefined; params: never; reply: FindMessagesReply }
  markRead: { body: MarkReadRequest; query: undefined; params: never; reply: MarkReadReply }
  reactToMessage: { body: ReactRequest; query: undefined; params: never; reply: ReactReply }
  editMessage: { body: EditMessageRequest; query: undefined; params: never; reply: EditMessageReply }
  deleteMessage: { body: DeleteMessageRequest; query: undefined; params: never; reply: DeleteMessageReply }
  pinMessage: { body: PinMessageRequest; query: undefined; params: never; reply: PinMessageReply }
  starMessage: { body: StarMessageRequest; query: undefined; params: never; reply: StarMessageReply }
  keepMessage: { body: KeepMessageRequest; query: undefined; params: never; reply: KeepMessageReply }
  votePoll: { body: VotePollRequest; query: undefined; params: never; reply: VotePollReply }
  downloadMessage: { body: DownloadRequest; query: undefined; params: never; reply: DownloadReply }
  syncHistory: { body: HistorySyncRequest; query: undefined; params: never; reply: HistorySyncReply }
  tellQueue: { body: undefined; query: undefined; params: never; reply: QueueStatusReply }
  clearQueue: { body: undefined; query: undefined; params: never; reply: QueueClearReply }
  listScheduled: { body: undefined; query: ScheduledQuery; params: never; reply: ScheduledReply }
  editScheduled: { body: EditScheduledRequest; query: undefined; params: never; reply: EditScheduledReply }
  cancelScheduled: { body: undefined; query: CancelScheduledQuery; params: never; reply: CancelScheduledReply }
  showPresence: { body: PresenceRequest; query: undefined; params: never; reply: PresenceReply }
  listStatusViews: { body: StatusViewsRequest; query: undefined; params: never; reply: StatusViewsReply }
  showMessageInfo: { body: MessageInfoRequest; query: undefined; params: never; reply: MessageInfoReply }
  listMessageVotes: { body: undefined; query: ListMessageVotesQuery; params: 'id'; reply: MessageVotesReply }
  listMessageReactions: { body: undefined; query: ListMessageReactionsQuery; params: 'id'; reply: MessageReactionsReply }
  makeCall: { body: MakeCallRequest; query: undefined; params: never; reply: MakeCallReply }
  createCallLink: { body: CreateCallLinkRequest; query: undefined; params: never; reply: CreateCallLinkReply }
  rejectCall: { body: RejectCallRequest; query: undefined; params: never; reply: RejectCallReply }
  editLead: { body: EditLeadRequest; query: undefined; params: never; reply: Chat }
  findChats: { body: FindChatsRequest; query: undefined; params: never; reply: FindChatsReply }
  tellChatDetails: { body: ChatDetailsRequest; query: undefined; params: never; reply: Chat }
  checkNumbers: { body: CheckNumbersRequest; query: undefined; params: never; reply: CheckNumbersReply }
  readChat: { body: ReadChatRequest; query: undefined; params: never; reply: ReadChatReply }
  archiveChat: { body: ArchiveChatRequest; query: undefined; params: never; reply: ArchiveChatReply }
  pinChat: { body: PinChatRequest; query: undefined; params: never; reply: PinChatReply }
  muteChat: { body: MuteChatRequest; query: undefined; params: never; reply: MuteChatReply }
  chatEphemeral: { body: ChatEphemeralRequest; query: undefined; params: never; reply: ChatEphemeralReply }
  showChatNotes: { body: ChatNotesRequest; query: undefined; params: never; reply: ChatNotesReply }
  editChatNotes: { body: EditChatNotesRequest; query: undefined; params: never; reply: EditChatNotesReply }
  refreshChatNotes: { body: RefreshChatNotesRequest; query: undefined; params: never; reply: RefreshChatNotesReply }
  labelChat: { body: LabelChatRequest; query: undefined; params: never; reply: LabelChatReply }
  deleteChat: { body: DeleteChatRequest; query: undefined; params: never; reply: DeleteChatReply }
  blockPerson: { body: BlockRequest; query: undefined; params: never; reply: BlockReply }
  listBlocked: { body: undefined; query: ListBlockedQuery; params: never; reply: BlocklistReply }
  editLabel: { body: EditLabelRequest; query: undefined; params: never; reply: EditLabelReply }
  listLabels: { body: undefined; query: ListLabelsQuery; params: never; reply: LabelListReply }
  refreshLabels: { body: RefreshLabelsRequest; query: undefined; params: never; reply: RefreshLabelsReply }
  listQuickReplies: { body: undefined; query: ListQuickRepliesQuery; params: never; reply: ListQuickRepliesReply }
  editQuickReply: { body: EditQuickReplyRequest; query: undefined; params: never; reply: EditQuickReplyReply }
  listSuppressions: { body: undefined; query: SuppressionQuery; params: never; reply: SuppressionReply }
  addSuppressions: { body: AddSuppressionsRequest; query: undefined; params: never; reply: AddSuppressionsReply }
  removeSuppressions: { body: RemoveSuppressionsRequest; query: undefined; params: never; reply: RemoveSuppressionsReply }
  checkSuppressions: { body: CheckSuppressionsRequest; query: undefined; params: never; reply: CheckSuppressionsReply }
  showOptOutWords: { body: undefined; query: undefined; params: never; reply: OptOutWordsReply }
  setOptOutWords: { body: SetOptOutWordsRequest; query: undefined; params: never; reply: OptOutWordsReply }
  listContacts: { body: ListContactsRequest; query: undefined; params: never; reply: ListContactsReply }
  listAllContacts: { body: undefined; query: AllContactsQuery; params: never; reply: AllContactsReply }
  listLids: { body: undefined; query: ListLidsQuery; params: never; reply: ListLidsReply }
  showNumberOfLid: { body: undefined; query: undefined; params: 'lid'; reply: LidMapping }
  showLidOfNumber: { body: undefined; query: undefined; params: 'number'; reply: LidMapping }
  addContact: { body: AddContactRequest; query: undefined; params: never; reply: AddContactReply }
  removeContact: { body: RemoveContactRequest; query: undefined; params: never; reply: RemoveContactReply }
  contactPresence: { body: undefined; query: undefined; params: 'number'; reply: ContactPresenceReply }
  listGroups: { body: undefined; query: GroupListQuery; params: never; reply: GroupListReply }
  tellGroup: { body: GroupInfoRequest; query: undefined; params: never; reply: Group }
  createGroup: { body: CreateGroupRequest; query: undefined; params: never; reply: Group }
  joinGroup: { body: JoinGroupRequest; query: undefined; params: never; reply: JoinGroupReply }
  tellInvitation: { body: InviteInfoRequest; query: undefined; params: never; reply: Group }
  resetInviteCode: { body: ResetInviteCodeRequest; query: undefined; params: never; reply: ResetInviteCodeReply }
  leaveGroup: { body: LeaveGroupRequest; query: undefined; params: never; reply: LeaveGroupReply }
  updateAnnounce: { body: UpdateAnnounceRequest; query: undefined; params: never; reply: UpdateAnnounceReply }
  updateLocked: { body: UpdateLockedRequest; query: undefined; params: never; reply: UpdateLockedReply }
  updateGroupName: { body: UpdateGroupNameRequest; query: undefined; params: never; reply: UpdateGroupNameReply }
  updateGroupDescription: { body: UpdateGroupDescriptionRequest; query: undefined; params: never; reply: UpdateGroupDescriptionReply }
  updateGroupImage: { body: UpdateGroupImageRequest; query: undefined; params: never; reply: UpdateGroupImageReply }
  updateParticipants: { body: UpdateParticipantsRequest; query: undefined; params: never; reply: UpdateParticipantsReply }
  updateJoinApproval: { body: UpdateJoinApprovalRequest; query: undefined; params: never; reply: UpdateJoinApprovalReply }
  updateMemberAddMode: { body: UpdateMemberAddModeRequest; query: undefined; params: never; reply: UpdateMemberAddModeReply }
  groupEphemeral: { body: GroupEphemeralRequest; query: undefined; params: never; reply: GroupEphemeralReply }
  tellInviteLink: { body: undefined; query: undefined; params: 'groupJID'; reply: InviteLinkReply }
  findGroups: { body: FindGroupsRequest; query: undefined; params: never; reply: FindGroupsReply }
  createCommunity: { body: CreateCommunityRequest; query: undefined; params: never; reply: CreateCommunityReply }
  editCommunityGroups: { body: EditCommunityRequest; query: undefined; params: never; reply: EditCommunityReply }
  listChannels: { body: undefined; query: ListChannelsQuery; params: never; reply: ListChannelsReply }
  createChannel: { body: CreateChannelRequest; query: undefined; params: never; reply: CreateChannelReply }
  showChannel: { body: ShowChannelRequest; query: undefined; params: never; reply: ShowChannelReply }
  findChannel: { body: FindChannelRequest; query: undefined; params: never; reply: FindChannelReply }
  searchChannels: { body: SearchChannelsRequest; query: undefined; params: never; reply: SearchChannelsReply }
  followChannel: { body: FollowChannelRequest; query: undefined; params: never; reply: FollowChannelReply }
  muteChannel: { body: MuteChannelRequest; query: undefined; params: never; reply: MuteChannelReply }
  unmuteChannel: { body: UnmuteChannelRequest; query: undefined; params: never; reply: UnmuteChannelReply }
  unfollowChannel: { body: UnfollowChannelRequest; query: undefined; params: never; reply: UnfollowChannelReply }
  subscribeToChannel: { body: SubscribeToChannelRequest; query: undefined; params: never; reply: SubscribeToChannelReply }
  listChannelPosts: { body: ListChannelPostsRequest; query: undefined; params: never; reply: ListChannelPostsReply }
  listChannelUpdates: { body: ListChannelUpdatesRequest; query: undefined; params: never; reply: ListChannelUpdatesReply }
  markPostsViewed: { body: MarkPostsViewedRequest; query: undefined; params: never; reply: MarkPostsViewedReply }
  reactToPost: { body: ReactToPostRequest; query: undefined; params: never; reply: ReactToPostReply }
  editChannelPost: { body: EditChannelPostRequest; query: undefined; params: never; reply: EditChannelPostReply }
  deleteChannelPost: { body: DeleteChannelPostRequest; query: undefined; params: never; reply: DeleteChannelPostReply }
  setChannelName: { body: SetChannelNameRequest; query: undefined; params: never; reply: SetChannelNameReply }
  setChannelDescription: { body: SetChannelDescriptionRequest; query: undefined; params: never; reply: SetChannelDescriptionReply }
  setChannelPicture: { body: SetChannelPictureRequest; query: undefined; params: never; reply: SetChannelPictureReply }
  setChannelSettings: { body: SetChannelSettingsRequest; query: undefined; params: never; reply: SetChannelSettingsReply }
  inviteChannelAdmin: { body: InviteChannelAdminRequest; query: undefined; params: never; reply: InviteChannelAdminReply }
  acceptChannelAdmin: { body: AcceptChannelAdminRequest; query: undefined; params: never; reply: AcceptChannelAdminReply }
  removeChannelAdmin: { body: RemoveChannelAdminRequest; query: undefined; params: never; reply: RemoveChannelAdminReply }
  revokeChannelInvite: { body: RevokeChannelInviteRequest; query: undefined; params: never; reply: RevokeChannelInviteReply }
  transferChannel: { body: TransferChannelRequest; query: undefined; params: never; reply: TransferChannelReply }
  deleteChannel: { body: DeleteChannelRequest; query: undefined; params: never; reply: DeleteChannelReply }
  editAgent: { body: EditAgentRequest; query: undefined; params: never; reply: Agent }
  listAgents: { body: undefined; query: ListAgentsQuery; params: never; reply: AgentListReply }
  testAgent: { body: TestAgentRequest; query: undefined; params: never; reply: TestAgentReply }
  listTurns: { body: undefined; query: AgentTurnQuery; params: never; reply: AgentTurnsReply }
  retryTurn: { body: RetryTurnRequest; query: undefined; params: never; reply: RetryTurnReply }
  showAgentUsage: { body: undefined; query: AgentUsageQuery; params: never; reply: AgentUsageReply }
  editTrigger: { body: EditTriggerRequest; query: undefined; params: never; reply: Trigger }
  listTriggers: { body: undefined; query: ListTriggersQuery; params: never; reply: TriggerListReply }
  editFunction: { body: EditFunctionRequest; query: undefined; params: never; reply: FunctionRecord }
  listFunctions: { body: undefined; query: ListFunctionsQuery; params: never; reply: FunctionListReply }
  testFunction: { body: TestFunctionRequest; query: undefined; params: never; reply: TestFunctionReply }
  editKnowledge: { body: EditKnowledgeRequest; query: undefined; params: never; reply: Knowledge }
  listKnowledge: { body: undefined; query: ListKnowledgeQuery; params: never; reply: KnowledgeListReply }
  searchKnowledge: { body: SearchKnowledgeRequest; query: undefined; params: never; reply: SearchKnowledgeReply }
  listWebhooks: { body: undefined; query: ListWebhooksQuery; params: never; reply: ListWebhooksReply }
  setWebhook: { body: SetWebhookRequest; query: undefined; params: never; reply: SetWebhookReply }
  listWebhookErrors: { body: undefined; query: WebhookErrorsQuery; params: never; reply: WebhookErrorsReply }
  listDeadLetters: { body: undefined; query: DeadLettersQuery; params: never; reply: DeadLettersReply }
  listDeliveries: { body: undefined; query: DeliveriesQuery; params: never; reply: DeliveriesReply }
  showDelivery: { body: undefined; query: undefined; params: 'id'; reply: DeliveryReply }
  showReceiverFigures: { body: undefined; query: ReceiverFiguresQuery; params: never; reply: ReceiverFiguresReply }
  replayWebhook: { body: ReplayWebhookRequest; query: undefined; params: never; reply: ReplayWebhookReply }
  testWebhook: { body: TestWebhookRequest; query: undefined; params: never; reply: TestWebhookReply }
  getGlobalWebhook: { body: undefined; query: undefined; params: never; reply: Webhook }
  setGlobalWebhook: { body: SetGlobalWebhookRequest; query: undefined; params: never; reply: Webhook }
  listGlobalWebhookErrors: { body: undefined; query: GlobalWebhookErrorsQuery; params: never; reply: GlobalWebhookErrorsReply }
  listGlobalDeadLetters: { body: undefined; query: GlobalDeadLettersQuery; params: never; reply: GlobalDeadLettersReply }
  listGlobalDeliveries: { body: undefined; query: GlobalDeliveriesQuery; params: never; reply: GlobalDeliveriesReply }
  showGlobalDelivery: { body: undefined; query: undefined; params: 'id'; reply: GlobalDeliveryReply }
  showGlobalReceiverFigures: { body: undefined; query: GlobalReceiverFiguresQuery; params: never; reply: GlobalReceiverFiguresReply }
  replayGlobalWebhook: { body: ReplayGlobalWebhookRequest; query: undefined; params: never; reply: ReplayGlobalWebhookReply }
  testGlobalWebhook: { body: TestGlobalWebhookRequest; query: undefined; params: never; reply: TestWebhookReply }
  showChatwoot: { body: undefined; query: undefined; params: never; reply: ChatwootConfigReply }
  setChatwoot: { body: SetChatwootRequest; query: undefined; params: never; reply: SetChatwootReply }
  listEvents: { body: undefined; query: ListEventsQuery; params: never; reply: ListEventsReply }
  tellHealth: { body: undefined; query: undefined; params: never; reply: HealthReply }
  tellReadiness: { body: undefined; query: undefined; params: never; reply: ReadyReply }
}

/** Method and path of each operation. */
export const operations: { readonly [Name in keyof Operations]: readonly [method: string, path: string] } = {
  initInstance: ['POST', '/instance/init'],
  createInstance: ['POST', '/instance/create'],
  listInstances: ['GET', '/instance/all'],
  findInstances: ['POST', '/instance/find'],
  updateAdminFields: ['POST', '/instance/updateAdminFields'],
  updateTags: ['POST', '/instance/updateTags'],
  connectInstance: ['POST', '/instance/connect'],
  showStatus: ['GET', '/instance/status'],
  showHealth: ['GET', '/instance/health'],
  listConnectionHistory: ['GET', '/instance/connections'],
  listRequests: ['GET', '/instance/requests'],
  showLimits: ['GET', '/instance/wa_messages_limits'],
  showPasskey: ['GET', '/instance/passkey'],
  answerPasskey: ['POST', '/instance/passkey/response'],
  confirmPasskey: ['POST', '/instance/passkey/confirm'],
  setPresence: ['POST', '/instance/presence'],
  stopInstance: ['POST', '/instance/stop'],
  startInstance: ['POST', '/instance/start'],
  disconnectInstance: ['POST', '/instance/disconnect'],
  resetInstance: ['POST', '/instance/reset'],
  deleteInstance: ['DELETE', '/instance'],
  showProxy: ['GET', '/instance/proxy'],
  setProxy: ['POST', '/instance/proxy'],
  removeProxy: ['DELETE', '/instance/proxy'],
  rotateToken: ['POST', '/instance/token/rotate'],
  createKey: ['POST', '/instance/keys'],
  listKeys: ['GET', '/instance/keys'],
  deleteKey: ['DELETE', '/instance/keys/:id'],
  updateInstanceName: ['POST', '/instance/updateInstanceName'],
  updateDelaySettings: ['POST', '/instance/updateDelaySettings'],
  updateDefaultCountry: ['POST', '/instance/updateDefaultCountry'],
  updateFieldsMap: ['POST', '/instance/updateFieldsMap'],
  showPrivacy: ['GET', '/instance/privacy'],
  setPrivacy: ['POST', '/instance/privacy'],
  showCallSettings: ['GET', '/instance/callsettings'],
  setCallSettings: ['POST', '/instance/callsettings'],
  showReadingSettings: ['GET', '/instance/readingsettings'],
  updateReadingSettings: ['POST', '/instance/readingsettings'],
  updateChatbotSettings: ['POST', '/instance/updatechatbotsettings'],
  importInstance: ['POST', '/admin/instance/import'],
  importSession: ['POST', '/admin/instance/import-session'],
  cancelExport: ['POST', '/admin/instance/export/cancel'],
  rotateAdminToken: ['POST', '/admin/token/rotate'],
  listAudit: ['GET', '/admin/audit'],
  rotateInstanceToken: ['POST', '/admin/instances/:id/token/rotate'],
  changeInstances: ['POST', '/admin/instances/bulk'],
  showJob: ['GET', '/admin/instances/bulk'],
  cancelJob: ['POST', '/admin/instances/bulk/cancel'],
  restartConnections: ['POST', '/admin/restart'],
  showFigures: ['GET', '/admin/figures'],
  showTraffic: ['GET', '/admin/figures/traffic'],
  listNodes: ['GET', '/admin/nodes'],
  listShards: ['GET', '/admin/shards'],
  drainNode: ['POST', '/admin/nodes/:id/drain'],
  tellPlacement: ['GET', '/admin/instances/:id/placement'],
  recordStanzas: ['POST', '/admin/instances/:id/recording'],
  showRecording: ['GET', '/admin/instances/:id/recording'],
  openPass: ['POST', '/pass'],
  openPassCode: ['POST', '/pass/code'],
  showPass: ['GET', '/pass'],
  endPass: ['DELETE', '/pass'],
  openInstancePass: ['POST', '/admin/instances/:id/pass'],
  openPairingLink: ['POST', '/instance/pairinglink'],
  listPasses: ['GET', '/passes'],
  endListedPass: ['DELETE', '/passes/:id'],
  setProfileName: ['POST', '/profile/name'],
  setProfileStatus: ['POST', '/profile/status'],
  setProfileImage: ['POST', '/profile/image'],
  showBusinessProfile: ['POST', '/business/get/profile'],
  listBusinessCategories: ['GET', '/business/get/categories'],
  updateBusinessProfile: ['POST', '/business/update/profile'],
  listCatalog: ['POST', '/business/catalog/list'],
  showProduct: ['POST', '/business/catalog/info'],
  addProduct: ['POST', '/business/catalog/create'],
  changeProduct: ['POST', '/business/catalog/edit'],
  deleteProduct: ['POST', '/business/catalog/delete'],
  showInCatalog: ['POST', '/business/catalog/show'],
  hideInCatalog: ['POST', '/business/catalog/hide'],
  showOrder: ['POST', '/business/order'],
  sendText: ['POST', '/send/text'],
  sendContact: ['POST', '/send/contact'],
  sendLocation: ['POST', '/send/location'],
  sendMenu: ['POST', '/send/menu'],
  sendCarousel: ['POST', '/send/carousel'],
  sendPixButton: ['POST', '/send/pix-button'],
  sendLocationButton: ['POST', '/send/location-button'],
  sendRequestPayment: ['POST', '/send/request-payment'],
  sendMedia: ['POST', '/send/media'],
  sendStatus: ['POST', '/send/status'],
  sendEvent: ['POST', '/send/event'],
  sendForward: ['POST', '/send/forward'],
  sendGroupInvite: ['POST', '/send/group-invite'],
  sendProduct: ['POST', '/send/product'],
  sendAlbum: ['POST', '/send/album'],
  createSimpleCampaign: ['POST', '/sender/simple'],
  createAdvancedCampaign: ['POST', '/sender/advanced'],
  importCampaign: ['POST', '/sender/import'],
  copyCampaign: ['POST', '/sender/copy'],
  editCampaign: ['POST', '/sender/edit'],
  listCampaigns: ['GET', '/sender/listfolders'],
  showCampaign: ['GET', '/sender/folder'],
  showCampaignCourse: ['GET', '/sender/course'],
  listCampaignMessages: ['POST', '/sender/listmessages'],
  clearDoneCampaigns: ['POST', '/sender/cleardone'],
  clearAllCampaigns: ['DELETE', '/sender/clearall'],
  findMessages: ['POST', '/message/find'],
  markRead: ['POST', '/message/markread'],
  reactToMessage: ['POST', '/message/react'],
  editMessage: ['POST', '/message/edit'],
  deleteMessage: ['POST', '/message/delete'],
  pinMessage: ['POST', '/message/pin'],
  starMessage: ['POST', '/message/star'],
  keepMessage: ['POST', '/message/keep'],
  votePoll: ['POST', '/message/vote'],
  downloadMessage: ['POST', '/message/download'],
  syncHistory: ['POST', '/message/history-sync'],
  tellQueue: ['GET', '/message/async'],
  clearQueue: ['DELETE', '/message/async'],
  listScheduled: ['GET', '/message/scheduled'],
  editScheduled: ['POST', '/message/scheduled/edit'],
  cancelScheduled: ['DELETE', '/message/scheduled'],
  showPresence: ['POST', '/message/presence'],
  listStatusViews: ['POST', '/message/views'],
  showMessageInfo: ['POST', '/message/info'],
  listMessageVotes: ['GET', '/message/votes/:id'],
  listMessageReactions: ['GET', '/message/reactions/:id'],
  makeCall: ['POST', '/call/make'],
  createCallLink: ['POST', '/call/link'],
  rejectCall: ['POST', '/call/reject'],
  editLead: ['POST', '/chat/editLead'],
  findChats: ['POST', '/chat/find'],
  tellChatDetails: ['POST', '/chat/details'],
  checkNumbers: ['POST', '/chat/check'],
  readChat: ['POST', '/chat/read'],
  archiveChat: ['POST', '/chat/archive'],
  pinChat: ['POST', '/chat/pin'],
  muteChat: ['POST', '/chat/mute'],
  chatEphemeral: ['POST', '/chat/ephemeral'],
  showChatNotes: ['POST', '/chat/notes'],
  editChatNotes: ['POST', '/chat/notes/edit'],
  refreshChatNotes: ['POST', '/chat/notes/refresh'],
  labelChat: ['POST', '/chat/labels'],
  deleteChat: ['POST', '/chat/delete'],
  blockPerson: ['POST', '/chat/block'],
  listBlocked: ['GET', '/chat/blocklist'],
  editLabel: ['POST', '/label/edit'],
  listLabels: ['GET', '/labels'],
  refreshLabels: ['POST', '/labels/refresh'],
  listQuickReplies: ['GET', '/quickreply/showall'],
  editQuickReply: ['POST', '/quickreply/edit'],
  listSuppressions: ['GET', '/sender/suppression'],
  addSuppressions: ['POST', '/sender/suppression/add'],
  removeSuppressions: ['POST', '/sender/suppression/remove'],
  checkSuppressions: ['POST', '/sender/suppression/check'],
  showOptOutWords: ['GET', '/sender/suppression/words'],
  setOptOutWords: ['POST', '/sender/suppression/words'],
  listContacts: ['POST', '/contacts/list'],
  listAllContacts: ['GET', '/contacts'],
  listLids: ['GET', '/lids'],
  showNumberOfLid: ['GET', '/lids/:lid'],
  showLidOfNumber: ['GET', '/lids/pn/:number'],
  addContact: ['POST', '/contact/add'],
  removeContact: ['POST', '/contact/remove'],
  contactPresence: ['GET', '/contact/presence/:number'],
  listGroups: ['GET', '/group/list'],
  tellGroup: ['POST', '/group/info'],
  createGroup: ['POST', '/group/create'],
  joinGroup: ['POST', '/group/join'],
  tellInvitation: ['POST', '/group/inviteInfo'],
  resetInviteCode: ['POST', '/group/resetInviteCode'],
  leaveGroup: ['POST', '/group/leave'],
  updateAnnounce: ['POST', '/group/updateAnnounce'],
  updateLocked: ['POST', '/group/updateLocked'],
  updateGroupName: ['POST', '/group/updateName'],
  updateGroupDescription: ['POST', '/group/updateDescription'],
  updateGroupImage: ['POST', '/group/updateImage'],
  updateParticipants: ['POST', '/group/updateParticipants'],
  updateJoinApproval: ['POST', '/group/updateJoinApproval'],
  updateMemberAddMode: ['POST', '/group/updateMemberAddMode'],
  groupEphemeral: ['POST', '/group/ephemeral'],
  tellInviteLink: ['GET', '/group/invitelink/:groupJID'],
  findGroups: ['POST', '/group/list'],
  createCommunity: ['POST', '/community/create'],
  editCommunityGroups: ['POST', '/community/editgroups'],
  listChannels: ['GET', '/newsletter/list'],
  createChannel: ['POST', '/newsletter/create'],
  showChannel: ['POST', '/newsletter/info'],
  findChannel: ['POST', '/newsletter/link'],
  searchChannels: ['POST', '/newsletter/search'],
  followChannel: ['POST', '/newsletter/follow'],
  muteChannel: ['POST', '/newsletter/mute'],
  unmuteChannel: ['POST', '/newsletter/unmute'],
  unfollowChannel: ['POST', '/newsletter/unfollow'],
  subscribeToChannel: ['POST', '/newsletter/subscribe'],
  listChannelPosts: ['POST', '/newsletter/messages'],
  listChannelUpdates: ['POST', '/newsletter/updates'],
  markPostsViewed: ['POST', '/newsletter/viewed'],
  reactToPost: ['POST', '/newsletter/reaction'],
  editChannelPost: ['POST', '/newsletter/messages/edit'],
  deleteChannelPost: ['POST', '/newsletter/messages/delete'],
  setChannelName: ['POST', '/newsletter/name'],
  setChannelDescription: ['POST', '/newsletter/description'],
  setChannelPicture: ['POST', '/newsletter/picture'],
  setChannelSettings: ['POST', '/newsletter/settings'],
  inviteChannelAdmin: ['POST', '/newsletter/admin/invite'],
  acceptChannelAdmin: ['POST', '/newsletter/admin/accept'],
  removeChannelAdmin: ['POST', '/newsletter/admin/remove'],
  revokeChannelInvite: ['POST', '/newsletter/admin/revoke'],
  transferChannel: ['POST', '/newsletter/owner/transfer'],
  deleteChannel: ['POST', '/newsletter/delete'],
  editAgent: ['POST', '/agent/edit'],
  listAgents: ['GET', '/agent/list'],
  testAgent: ['POST', '/agent/test'],
  listTurns: ['GET', '/agent/turns'],
  retryTurn: ['POST', '/agent/turns/retry'],
  showAgentUsage: ['GET', '/agent/usage'],
  editTrigger: ['POST', '/trigger/edit'],
  listTriggers: ['GET', '/trigger/list'],
  editFunction: ['POST', '/function/edit'],
  listFunctions: ['GET', '/function/list'],
  testFunction: ['POST', '/function/test'],
  editKnowledge: ['POST', '/knowledge/edit'],
  listKnowledge: ['GET', '/knowledge/list'],
  searchKnowledge: ['POST', '/knowledge/search'],
  listWebhooks: ['GET', '/webhook'],
  setWebhook: ['POST', '/webhook'],
  listWebhookErrors: ['GET', '/webhook/errors'],
  listDeadLetters: ['GET', '/webhook/deadletters'],
  listDeliveries: ['GET', '/webhook/deliveries'],
  showDelivery: ['GET', '/webhook/deliveries/:id'],
  showReceiverFigures: ['GET', '/webhook/figures'],
  replayWebhook: ['POST', '/webhook/replay'],
  testWebhook: ['POST', '/webhook/test'],
  getGlobalWebhook: ['GET', '/globalwebhook'],
  setGlobalWebhook: ['POST', '/globalwebhook'],
  listGlobalWebhookErrors: ['GET', '/globalwebhook/errors'],
  listGlobalDeadLetters: ['GET', '/globalwebhook/deadletters'],
  listGlobalDeliveries: ['GET', '/globalwebhook/deliveries'],
  showGlobalDelivery: ['GET', '/globalwebhook/deliveries/:id'],
  showGlobalReceiverFigures: ['GET', '/globalwebhook/figures'],
  replayGlobalWebhook: ['POST', '/globalwebhook/replay'],
  testGlobalWebhook: ['POST', '/globalwebhook/test'],
  showChatwoot: ['GET', '/chatwoot/config'],
  setChatwoot: ['PUT', '/chatwoot/config'],
  listEvents: ['GET', '/events'],
  tellHealth: ['GET', '/health'],
  tellReadiness: ['GET', '/ready'],
}
