import type { PacingSettings } from '../../schemas/pacing.js'
import { absolute, type SettingReader } from './reader.js'

// Ours: settings.

export interface InstancesConfig {
  readonly max: number
  readonly pairingsMax: number
  readonly qrWindowMs: number
  /** 0: as long as the network lets each be shown. */
  readonly qrCodeMs: number
  readonly pairingCodeWindowMs: number
  readonly connectWaitMs: number
  readonly reconnectDelayMinMs: number
  readonly reconnectDelayMaxMs: number
  /** Null if the rate adapts. */
  readonly loginRatePerSecond: number | null
  readonly loginRateClusterMax: number
  readonly presenceRefreshMs: number
  readonly presenceMaxMs: number
  readonly limitsCheckMs: number
}

export interface NetworkConfig {
  readonly websocketUrl: string
  /** 32 bytes in hex. */
  readonly noiseRootKey: string | undefined
  readonly mediaHost: string | undefined
  /** Absolute path. Readable at start. */
  readonly mediaCaFile: string | undefined
  readonly version: readonly [number, number, number] | undefined
  readonly passkeyPairing: boolean
  readonly secretEdits: boolean
  /** Numbers of GraphQL queries in place of those of this release, by name. */
  readonly queryIds: Readonly<Record<string, string>>
  readonly phoneRequestRetryMs: number
  readonly phoneAnswerWaitMs: number
  readonly silenceMaxMs: number
  readonly answerMaxMs: number
  readonly recordingsMax: number
}

export interface SendsConfig {
  readonly ackTimeoutMs: number
  readonly maxAgeMs: number
  readonly delayMinMs: number
  readonly delayMaxMs: number
  /** Pause after a scheduled message. */
  readonly scheduledDelayMinMs: number
  readonly scheduledDelayMaxMs: number
  readonly queueMax: number
  readonly scheduleMax: number
  /** True if reactions to messages of the account itself are taken. */
  readonly reactsToOwn: boolean
  readonly menuTextFallback: boolean
  readonly pacing: PacingSettings
  /** Numbers that campaigns of one instance look up. 0: no limit. */
  readonly numberChecks: { readonly perDay: number; readonly perMinute: number }
  /** Share of the time of the event loop, of 1, above which campaigns begin no messages. */
  readonly campaignShareMax: number
}

export function readInstances(read: SettingReader): InstancesConfig {
  return {
    max: read.number('INSTANCES_MAX'),
    pairingsMax: read.number('QR_INSTANCES_MAX'),
    qrWindowMs: read.number('QR_WINDOW_MS'),
    qrCodeMs: read.number('QR_CODE_MS'),
    pairingCodeWindowMs: read.number('PAIRING_CODE_WINDOW_MS'),
    connectWaitMs: read.number('CONNECT_WAIT_MS'),
    reconnectDelayMinMs: read.number('RECONNECT_DELAY_MIN_MS'),
    reconnectDelayMaxMs: read.number('RECONNECT_DELAY_MAX_MS'),
    loginRatePerSecond: read.optionalNumber('LOGIN_RATE_PER_SECOND') ?? null,
    loginRateClusterMax: read.number('LOGIN_RATE_CLUSTER_MAX'),
    presenceRefreshMs: read.number('PRESENCE_REFRESH_MS'),
    presenceMaxMs: read.number('PRESENCE_MAX_MS'),
    limitsCheckMs: read.number('LIMITS_CHECK_MS'),
  }
}

export function readNetwork(read: SettingReader): NetworkConfig {
  return {
    websocketUrl: read.text('WA_WEBSOCKET_URL'),
    noiseRootKey: read.optionalText('WA_NOISE_ROOT_KEY')?.toLowerCase(),
    mediaHost: read.optionalText('WA_MEDIA_HOST'),
    mediaCaFile: absolute(read.optionalText('WA_MEDIA_CA_FILE')),
    version: versionParts(read.optionalText('WA_VERSION')),
    passkeyPairing: read.flag('WA_PASSKEY_PAIRING'),
    secretEdits: read.flag('WA_SECRET_EDITS'),
    queryIds: Object.fromEntries(read.list('WA_QUERY_IDS').map((item) => item.split('=') as [string, string])),
    phoneRequestRetryMs: read.number('PHONE_REQUEST_RETRY_MS'),
    phoneAnswerWaitMs: read.number('PHONE_ANSWER_WAIT_MS'),
    silenceMaxMs: read.number('NETWORK_SILENCE_MAX_MS'),
    answerMaxMs: read.number('NETWORK_ANSWER_MAX_MS'),
    recordingsMax: read.number('RECORDINGS_MAX'),
  }
}

export function readSends(read: SettingReader): SendsConfig {
  const [delayMinMs, delayMaxMs] = [read.number('SEND_DELAY_MIN_MS'), read.number('SEND_DELAY_MAX_MS')]
  return {
    ackTimeoutMs: read.number('SEND_ACK_TIMEOUT_MS'),
    maxAgeMs: read.number('SEND_MAX_AGE_MS'),
    delayMinMs,
    delayMaxMs,
    scheduledDelayMinMs: read.optionalNumber('SCHEDULED_DELAY_MIN_MS') ?? delayMinMs,
    scheduledDelayMaxMs: read.optionalNumber('SCHEDULED_DELAY_MAX_MS') ?? delayMaxMs,
    queueMax: read.number('SEND_QUEUE_MAX'),
    scheduleMax: read.number('SCHEDULE_MAX'),
    menuTextFallback: read.flag('MENU_TEXT_FALLBACK'),
    reactsToOwn: read.flag('REACT_TO_OWN_MESSAGES'),
    numberChecks: {
      perDay: read.number('NUMBER_CHECKS_PER_DAY'),
      perMinute: read.number('NUMBER_CHECKS_PER_MINUTE'),
    },
    campaignShareMax: read.number('CAMPAIGN_LOAD_MAX') / 100,
    pacing: {
      sendsPerMinute: read.number('SEND_RATE_PER_MINUTE'),
      newChatsPerDay: read.number('NEW_CHATS_PER_DAY'),
      newChatsWarmUp: warmUp(read.text('NEW_CHATS_WARM_UP')),
      newChatsOf: read.text('NEW_CHATS_BUDGET_FOR') === 'all' ? 'all' : 'campaigns',
      releaseJitterMs: read.number('NEW_CHATS_RELEASE_JITTER_MS'),
    },
  }
}

function versionParts(text: string | undefined): [number, number, number] | undefined {
  if (text === undefined) return undefined
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number)
  return [major, minor, patch]
}

function warmUp(text: string): number[] {
  return text === 'none' ? [] : text.split(',').map(Number)
}
