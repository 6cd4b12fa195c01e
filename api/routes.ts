/** Every operation, in the order in which the documentation shows them. */
import type { Route } from './route.js'
import { listAudit } from './routes/admin/audit.js'
import { cancelExport } from './routes/admin/cancel-export.js'
import { drainNode } from './routes/admin/drain.js'
import { exportInstance } from './routes/admin/export-instance.js'
import { importInstance } from './routes/admin/import-instance.js'
import { rotateInstanceToken } from './routes/admin/instance-token-rotate.js'
import { listNodes } from './routes/admin/nodes.js'
import { tellPlacement } from './routes/admin/placement.js'
import { listShards } from './routes/admin/shards.js'
import { rotateAdminToken } from './routes/admin/token-rotate.js'
import { rejectCall } from './routes/call/reject.js'
import { archiveChat } from './routes/chat/archive.js'
import { blockPerson } from './routes/chat/block.js'
import { listBlocked } from './routes/chat/blocklist.js'
import { checkNumbers } from './routes/chat/check.js'
import { deleteChat } from './routes/chat/delete.js'
import { tellChatDetails } from './routes/chat/details.js'
import { editLead } from './routes/chat/edit-lead.js'
import { findChats } from './routes/chat/find.js'
import { labelChat } from './routes/chat/labels.js'
import { muteChat } from './routes/chat/mute.js'
import { pinChat } from './routes/chat/pin.js'
import { readChat } from './routes/chat/read.js'
import { createCommunity } from './routes/community/create.js'
import { editCommunityGroups } from './routes/community/edit-groups.js'
import { addContact } from './routes/contact/add.js'
import { removeContact } from './routes/contact/remove.js'
import { listAllContacts } from './routes/contacts/all.js'
import { listContacts } from './routes/contacts/list.js'
import { editFunction } from './routes/function/edit.js'
import { listFunctions } from './routes/function/list.js'
import { listGlobalDeadLetters } from './routes/globalwebhook/deadletters.js'
import { listGlobalWebhookErrors } from './routes/globalwebhook/errors.js'
import { getGlobalWebhook } from './routes/globalwebhook/get.js'
import { replayGlobalWebhook } from './routes/globalwebhook/replay.js'
import { setGlobalWebhook } from './routes/globalwebhook/set.js'
import { createGroup } from './routes/group/create.js'
import { groupEphemeral } from './routes/group/ephemeral.js'
import { findGroups } from './routes/group/find.js'
import { tellGroup } from './routes/group/info.js'
import { tellInvitation } from './routes/group/invite-info.js'
import { tellInviteLink } from './routes/group/invite-link.js'
import { joinGroup } from './routes/group/join.js'
import { leaveGroup } from './routes/group/leave.js'
import { listGroups } from './routes/group/list.js'
import { resetInviteCode } from './routes/group/reset-invite-code.js'
import { updateAnnounce } from './routes/group/update-announce.js'
import { updateGroupDescription } from './routes/group/update-description.js'
import { updateGroupImage } from './routes/group/update-image.js'
import { updateJoinApproval } from './routes/group/update-join-approval.js'
import { updateLocked } from './routes/group/update-locked.js'
import { updateMemberAddMode } from './routes/group/update-member-add-mode.js'
import { updateGroupName } from './routes/group/update-name.js'
import { updateParticipants } from './routes/group/update-participants.js'
import { listInstances } from './routes/instance/all.js'
import { connectInstance } from './routes/instance/connect.js'
import { deleteInstance } from './routes/instance/delete.js'
import { disconnectInstance } from './routes/instance/disconnect.js'
import { createInstance, initInstance } from './routes/instance/init.js'
import { createKey } from './routes/instance/keys-create.js'
import { deleteKey } from './routes/instance/keys-delete.js'
import { listKeys } from './routes/instance/keys-list.js'
import { showQrCode } from './routes/instance/qr-png.js'
import { resetInstance } from './routes/instance/reset.js'
import { showStatus } from './routes/instance/status.js'
import { rotateToken } from './routes/instance/token-rotate.js'
import { updateAdminFields } from './routes/instance/update-admin-fields.js'
import { updateFieldsMap } from './routes/instance/update-fields-map.js'
import { updateInstanceName } from './routes/instance/update-instance-name.js'
import { editKnowledge } from './routes/knowledge/edit.js'
import { listKnowledge } from './routes/knowledge/list.js'
import { editLabel } from './routes/label/edit.js'
import { listLabels } from './routes/label/list.js'
import { giveFile } from './routes/media/file.js'
import { deleteMessage } from './routes/message/delete.js'
import { downloadMessage } from './routes/message/download.js'
import { editMessage } from './routes/message/edit.js'
import { findMessages } from './routes/message/find.js'
import { markRead } from './routes/message/markread.js'
import { showPresence } from './routes/message/presence.js'
import { clearQueue } from './routes/message/queue-clear.js'
import { tellQueue } from './routes/message/queue-status.js'
import { reactToMessage } from './routes/message/react.js'
import { setProfileName } from './routes/profile/name.js'
import { editQuickReply } from './routes/quickreply/edit.js'
import { listQuickReplies } from './routes/quickreply/show-all.js'
import { sendCarousel } from './routes/send/carousel.js'
import { sendContact } from './routes/send/contact.js'
import { sendLocation } from './routes/send/location.js'
import { sendMedia } from './routes/send/media.js'
import { sendMenu } from './routes/send/menu.js'
import { sendPixButton } from './routes/send/pix-button.js'
import { sendText } from './routes/send/text.js'
import { showDocumentation, showDocumentationFile } from './routes/service/docs.js'
import { tellHealth } from './routes/service/health.js'
import { tellMetrics } from './routes/service/metrics.js'
import { tellOpenApi } from './routes/service/openapi.js'
import { tellReadiness } from './routes/service/ready.js'
import { streamEvents } from './routes/stream/sse.js'
import { listDeadLetters } from './routes/webhook/deadletters.js'
import { listWebhookErrors } from './routes/webhook/errors.js'
import { listWebhooks } from './routes/webhook/list.js'
import { replayWebhook } from './routes/webhook/replay.js'
import { setWebhook } from './routes/webhook/set.js'
import { testWebhook } from './routes/webhook/test.js'

export const routes: readonly Route[] = [
  initInstance,
  createInstance,
  listInstances,
  updateAdminFields,
  exportInstance,
  importInstance,
  cancelExport,
  rotateAdminToken,
  listAudit,
  rotateInstanceToken,
  connectInstance,
  showStatus,
  showQrCode,
  disconnectInstance,
  resetInstance,
  deleteInstance,
  rotateToken,
  createKey,
  listKeys,
  deleteKey,
  updateInstanceName,
  setProfileName,
  updateFieldsMap,
  sendText,
  sendContact,
  sendLocation,
  sendMenu,
  sendCarousel,
  sendPixButton,
  sendMedia,
  findMessages,
  markRead,
  reactToMessage,
  editMessage,
  deleteMessage,
  downloadMessage,
  giveFile,
  tellQueue,
  clearQueue,
  showPresence,
  rejectCall,
  editLead,
  findChats,
  tellChatDetails,
  checkNumbers,
  readChat,
  archiveChat,
  pinChat,
  muteChat,
  labelChat,
  deleteChat,
  blockPerson,
  listBlocked,
  editLabel,
  listQuickReplies,
  editQuickReply,
  listLabels,
  listContacts,
  listAllContacts,
  addContact,
  removeContact,
  listGroups,
  tellGroup,
  createGroup,
  joinGroup,
  tellInvitation,
  resetInviteCode,
  leaveGroup,
  updateAnnounce,
  updateLocked,
  updateGroupName,
  updateGroupDescription,
  updateGroupImage,
  updateParticipants,
  updateJoinApproval,
  updateMemberAddMode,
  groupEphemeral,
  createCommunity,
  editCommunityGroups,
  tellInviteLink,
  findGroups,
  editFunction,
  listFunctions,
  editKnowledge,
  listKnowledge,
  listWebhooks,
  setWebhook,
  listWebhookErrors,
  listDeadLetters,
  replayWebhook,
  testWebhook,
  getGlobalWebhook,
  setGlobalWebhook,
  listGlobalWebhookErrors,
  listGlobalDeadLetters,
  replayGlobalWebhook,
  streamEvents,
  listNodes,
  listShards,
  drainNode,
  tellPlacement,
  tellHealth,
  tellReadiness,
  tellMetrics,
  tellOpenApi,
  showDocumentation,
  showDocumentationFile,
]
