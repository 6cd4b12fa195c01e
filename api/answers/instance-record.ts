/** Makes the record of an instance for callers. */

import { LRUCache } from 'lru-cache'
import { toBuffer } from 'qrcode'
import type { Instance, InstanceProxy, KeyRecord } from '../../schemas/generated.js'
import { readUser } from '../../schemas/jid.js'
import type { PacingReport } from '../../schemas/pacing.js'
import type { KeyRow } from '../../schemas/ports/access.js'
import type { InstanceRow, KeyGrant, StoredProxy } from '../../schemas/ports/instances.js'
import { maskedProxyUrl } from '../../schemas/proxy.js'
import type { LiveStatus, RouteView } from '../../schemas/session.js'
import type { ApiOptions } from '../options.js'

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
    owner: live?.jid ? readUser(live.jid) : row.owner,
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

/** Returns the record of a key for callers. */
export function keyRecord({ id, name, prefix, scopes, chat, created, ends }: KeyRow): KeyRecord {
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    chat: chat ?? '',
    created: created.toISOString(),
    expires: ends?.toISOString() ?? null,
  }
}

/** Draws QR codes. */

// Callers that poll for their QR code get the same drawing many times.
const drawn = new LRUCache<string, Promise<Buffer>>({ max: 500, ttl: 120_000 })

/** Returns the text as a QR code, a PNG. */
export function drawQrCode(text: string): Promise<Buffer> {
  const known = drawn.get(text)
  if (known !== undefined) return known
  const drawing = toBuffer(text, { type: 'png', errorCorrectionLevel: 'L', margin: 4, scale: 6 })
  drawn.set(text, drawing)
  return drawing
}

/** Makes the fields of the pacing of an instance for callers. */
export function pacingFields(pacing: PacingReport | undefined) {
  // A node of a former release reports none.
  const { parked, budget, nextSendAtMs, holds } = pacing ?? NO_PACING
  const at = (timeMs: number): string => new Date(timeMs).toISOString()
  return {
    parked,
    budget,
    nextSendAt: nextSendAtMs === null ? null : at(nextSendAtMs),
    holds: holds.map(({ kind, untilMs }) => ({ kind, until: at(untilMs) })),
  }
}

const NO_PACING: PacingReport = {
  parked: 0,
  budget: { day: '', used: 0, left: null },
  nextSendAtMs: null,
  holds: [],
}

/** Makes the record of an instance's proxy for callers. It never holds a password. */
export function proxyRecord(stored: StoredProxy | null, { route, status }: LiveStatus): InstanceProxy {
  const failure = route?.failure ?? ''
  const isFallback = failure !== '' && stored !== null && stored.fallback !== 'never' && status === 'connected'
  const via = status === 'connected' ? (route?.via ?? null) : null
  return {
    mode: stored === null ? 'none' : 'custom',
    enabled: stored !== null,
    effective_mode: via === null ? 'disconnected' : via === 'none' ? 'none' : 'custom',
    effective_detail: describeRoute(via, failure),
    fallback: {
      active: isFallback,
      reason: failure,
      code: failure === '' ? '' : (route?.stage ?? ''),
      since: failure === '' ? 0 : (route?.sinceMs ?? 0),
    },
    proxy_url: stored === null ? '' : maskedProxyUrl(stored.url),
    proxy_fallback: stored === null ? 'never' : shownFallback(stored.fallback),
    managed: false,
    last_test_at: stored?.tested.getTime() ?? 0,
    last_test_error: '',
    validation_error: failure !== '',
  }
}

function shownFallback(fallback: string): string {
  return fallback === 'never' || fallback === 'none' ? fallback : maskedProxyUrl(fallback)
}

function describeRoute(via: RouteView['via'], failure: string): string {
  const why = failure === '' ? '' : ` The proxy could not be used: ${failure}`
  switch (via) {
    case null:
      return `There is no connection.${why}`
    case 'proxy':
      return `The connection uses the proxy.${why}`
    case 'fallback':
      return `The connection uses the fallback proxy.${why}`
    case 'none':
      return `The connection uses no proxy.${why}`
    default:
      return via satisfies never
  }
}
