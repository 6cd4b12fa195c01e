/** Makes the record of an instance for callers. */

import type { Instance } from '../../schemas/generated.js'
import { userOf } from '../../schemas/jid.js'
import type { InstanceRow, KeyGrant } from '../../schemas/ports/instances.js'
import type { LiveStatus } from '../../schemas/session.js'
import type { ApiOptions } from '../options.js'
import { drawQrCode } from './qr-code.js'

/** Returns the record of a stored instance. With `live`, the status of the running instance wins. */
export async function instanceRecord(
  row: InstanceRow,
  { messageDelayMinSeconds, messageDelayMaxSeconds }: ApiOptions,
  live?: LiveStatus,
): Promise<Instance> {
  const qrcodeText = live?.qrcodeText ?? ''
  return {
    id: row.id,
    status: live?.status ?? row.status,
    stopped: row.isStopped,
    paircode: live?.paircode ?? '',
    qrcode: qrcodeText === '' ? '' : `data:image/png;base64,${(await drawQrCode(qrcodeText)).toString('base64')}`,
    qrcodeText,
    name: row.name,
    // Not the stored name: it may be some seconds behind a change.
    profileName: live?.profileName ?? row.profileName,
    profileUsername: row.profileUsername,
    profilePicUrl: row.profilePicUrl,
    isBusiness: row.isBusiness,
    plataform: row.platform,
    systemName: row.systemName,
    // Not the stored number: it may be some seconds behind a pairing.
    owner: live?.jid ? userOf(live.jid) : row.owner,
    // Not the stored one: it may be some seconds behind a change.
    current_presence: live?.presence ?? row.presence,
    lastDisconnect: row.lastDisconnect?.toISOString() ?? '',
    // Not the stored reason: the instance knows it at once.
    lastDisconnectReason: live?.reason ?? row.lastDisconnectReason,
    adminField01: row.adminField01,
    adminField02: row.adminField02,
    tags: [...row.tags],
    openai_apikey: row.chatbot.openaiKeyMask,
    chatbot_enabled: row.chatbot.isEnabled,
    chatbot_ignoreGroups: row.chatbot.ignoreGroups,
    chatbot_stopConversation: row.chatbot.stopWord,
    chatbot_stopMinutes: row.chatbot.stopMinutes,
    chatbot_stopWhenYouSendMsg: row.chatbot.ownMessageMinutes,
    chatbot_costPerDay: row.chatbot.costPerDayMicros / 1_000_000,
    chatbot_embeddingPrice: row.chatbot.embeddingPriceMicros / 1_000_000,
    chatbot_transcriptionPrice: row.chatbot.transcriptionPriceMicros / 1_000_000,
    fieldsMap: row.fieldsMap,
    defaultCountry: row.defaultCountry,
    currentTime: new Date().toISOString(),
    msg_delay_min: row.delayMinMs === null ? messageDelayMinSeconds : row.delayMinMs / 1_000,
    msg_delay_max: row.delayMaxMs === null ? messageDelayMaxSeconds : row.delayMaxMs / 1_000,
    number_in_use_since: row.owner === '' ? '' : row.inUseSince.toISOString(),
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}

/** Takes out of the record what concerns only the owner of the instance, for the pass of a pairing link. */
export function recordFor(key: KeyGrant | null, record: Instance): Instance {
  if (key?.onlyPairs !== true) return record
  return {
    ...record,
    ...{ adminField01: '', adminField02: '', tags: [], fieldsMap: {} },
    ...{ openai_apikey: '', chatbot_stopConversation: '', chatbot_costPerDay: 0 },
    ...{ chatbot_embeddingPrice: 0, chatbot_transcriptionPrice: 0 },
  }
}
