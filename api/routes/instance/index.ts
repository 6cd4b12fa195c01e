import type { Route } from '../../route.js'
import { listInstances } from './all.js'
import { showCallSettings } from './call-settings.js'
import { connectInstance } from './connect.js'
import { listConnectionHistory } from './connections.js'
import { deleteInstance } from './delete.js'
import { disconnectInstance } from './disconnect.js'
import { findInstances } from './find.js'
import { showHealth } from './health.js'
import { createInstance, initInstance } from './init.js'
import { createKey } from './keys-create.js'
import { deleteKey } from './keys-delete.js'
import { listKeys } from './keys-list.js'
import { showLimits } from './limits.js'
import { showPasskey } from './passkey.js'
import { confirmPasskey } from './passkey-confirm.js'
import { answerPasskey } from './passkey-response.js'
import { setPresence } from './presence.js'
import { showPrivacy } from './privacy.js'
import { removeProxy } from './proxy-remove.js'
import { setProxy } from './proxy-set.js'
import { showProxy } from './proxy-show.js'
import { showQrCode } from './qr-png.js'
import { listRequests } from './requests.js'
import { resetInstance } from './reset.js'
import { setCallSettings } from './set-call-settings.js'
import { setPrivacy } from './set-privacy.js'
import { showStatus } from './status.js'
import { startInstance, stopInstance } from './stop.js'
import { rotateToken } from './token-rotate.js'
import { updateAdminFields } from './update-admin-fields.js'
import { updateChatbotSettings } from './update-chatbot-settings.js'
import { updateDefaultCountry } from './update-default-country.js'
import { updateDelaySettings } from './update-delay-settings.js'
import { updateFieldsMap } from './update-fields-map.js'
import { updateInstanceName } from './update-instance-name.js'
import { showReadingSettings, updateReadingSettings } from './update-reading-settings.js'
import { updateTags } from './update-tags.js'

/** Routes of the area, in the order of the documentation. */
export const instanceRoutes: readonly Route[] = [
  initInstance,
  createInstance,
  listInstances,
  findInstances,
  updateAdminFields,
  updateTags,
  connectInstance,
  showStatus,
  showHealth,
  listConnectionHistory,
  listRequests,
  showLimits,
  showQrCode,
  showPasskey,
  answerPasskey,
  confirmPasskey,
  setPresence,
  stopInstance,
  startInstance,
  disconnectInstance,
  resetInstance,
  deleteInstance,
  showProxy,
  setProxy,
  removeProxy,
  rotateToken,
  createKey,
  listKeys,
  deleteKey,
  updateInstanceName,
  updateDelaySettings,
  updateDefaultCountry,
  updateFieldsMap,
  showPrivacy,
  setPrivacy,
  showCallSettings,
  setCallSettings,
  showReadingSettings,
  updateReadingSettings,
  updateChatbotSettings,
]
