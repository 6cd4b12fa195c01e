/** Campaigns and their recipients in the spelling of the API. */
import {
  type CampaignOptions,
  type CampaignRow,
  dayIn,
  ERROR_RATE_MAX,
  isEnded,
  NODE_BUSY_MS,
  type RecipientRow,
  recipientStatus,
  takenOn,
  WEIGHT,
} from './campaign.js'
import { sendWindowInput } from './send-window.js'

// Ours: options of a campaign, as we stored them.

/** Returns the body of the event `sender`. Its counters are absolute, so that an event that is lost does no harm. */
export function campaignEvent(campaign: CampaignRow) {
  const {
    id,
    folder,
    status,
    reason,
    total,
    deleted,
    sent,
    delivered,
    read,
    played,
    replied,
    failed,
    skipped,
    parked,
  } = campaign
  const openRecipients = total - deleted - sent - failed - skipped
  const ratePerMinute = estimateRate(campaign)
  return {
    folder_id: id,
    folder,
    status,
    ...(status === 'paused' ? { reason } : {}),
    hold: readHold(campaign),
    sentCount: sent,
    delivered,
    read,
    played,
    replied,
    failed,
    skipped,
    parked,
    messageCount: total - deleted,
    ratePerMinute,
    etaMs: status === 'sending' && ratePerMinute > 0 ? Math.round((openRecipients / ratePerMinute) * 60_000) : null,
  }
}

/** Returns the folder record. */
export function folderRecord(campaign: CampaignRow, owner: string) {
  const { id, folder, info, status, reason, source, scheduledAt, delayMinMs, delayMaxMs, nextAt } = campaign
  const { total, deleted, sent, delivered, read, played, replied, failed, skipped, parked, taken } = campaign
  return {
    id,
    folder,
    info,
    status,
    reason,
    hold: readHold(campaign),
    ...readOptions(campaign),
    dailyCap: campaign.dailyCap,
    timezone: campaign.timezone,
    sentToday: takenOn(dayIn(campaign.timezone, Date.now()), campaign),
    source,
    scheduled_for: scheduledAt.getTime(),
    next_at: isEnded(status) ? null : (nextAt?.getTime() ?? null),
    delayMin: delayMinMs,
    delayMax: delayMaxMs,
    log_total: total - deleted,
    // The published record spells it so.
    log_sucess: sent,
    log_delivered: delivered,
    log_read: read,
    log_played: played,
    log_replied: replied,
    log_failed: failed,
    log_skipped: skipped,
    log_parked: parked,
    log_pending: total - deleted - sent - failed - skipped,
    log_taken: taken,
    owner,
    created: recordTime(campaign.created),
    updated: recordTime(campaign.updated),
    started: campaign.started === null ? '' : recordTime(campaign.started),
    ended: campaign.ended === null ? '' : recordTime(campaign.ended),
  }
}

/** Returns the record of a recipient, in the names of a message record where there is one. */
export function recipientRecord(row: RecipientRow, folderId: string, owner: string) {
  const {
    ordinal,
    address,
    status,
    attempts,
    messageid,
    variant,
    reason,
    error,
    providerCode,
    trackId,
    repliedAt,
    updated,
  } = row
  return {
    id: `${folderId}:${ordinal}`,
    ordinal,
    send_folder_id: folderId,
    chatid: address,
    messageid: messageid ?? '',
    status: toStatus(row),
    messageStatus: toMessageStatus(status),
    attempts,
    ...(variant === null ? {} : { variant }),
    ...(reason === null ? {} : { reason }),
    ...(error === null ? {} : { error }),
    ...(providerCode === null ? {} : { provider_code: providerCode }),
    track_id: trackId ?? '',
    replied_at: repliedAt === null ? '' : recordTime(repliedAt),
    owner,
    updated: updated === null ? '' : recordTime(updated),
  }
}

const NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(recipientStatus).map(([name, number]) => [number, name]),
)

function toStatus({ status, place, reason, repliedAt }: RecipientRow): string {
  if (place === 2) return 'parked'
  if (reason === 'opted_out' && status <= recipientStatus.played) return 'opted_out'
  if (repliedAt !== null && status <= recipientStatus.played) return 'replied'
  return NAMES[status] === 'taken' ? 'pending' : (NAMES[status] ?? '')
}

function toMessageStatus(status: number): 'Scheduled' | 'Sent' | 'Failed' | 'Skipped' {
  if (status <= recipientStatus.taken) return 'Scheduled'
  if (status <= recipientStatus.played) return 'Sent'
  return status === recipientStatus.failed ? 'Failed' : 'Skipped'
}

function readOptions({ options }: CampaignRow) {
  const {
    window,
    frequencyCap = null,
    errorRateMax = ERROR_RATE_MAX,
    weight = WEIGHT,
  } = JSON.parse(options) as CampaignOptions
  return { window: window === undefined ? null : sendWindowInput(window), frequencyCap, errorRateMax, weight }
}

function readHold({ status, holdReason, holdUntil, nodeWaitMs }: CampaignRow) {
  // The columns of a hold keep their values when it ends.
  const isOver = holdUntil !== null && holdUntil.getTime() <= Date.now()
  if (holdReason !== '' && !isOver) return { reason: holdReason, until: holdUntil?.toISOString() ?? null }
  return status === 'sending' && nodeWaitMs >= NODE_BUSY_MS ? { reason: 'node_busy', until: null } : null
}

/** Returns the messages that leave in a minute, by the pauses of the campaign, and by the last wait for a busy node. */
function estimateRate({ delayMinMs, delayMaxMs, nodeWaitMs }: CampaignRow): number {
  const pauseMs = (delayMinMs + delayMaxMs) / 2 + nodeWaitMs
  return pauseMs === 0 ? 0 : Math.round((60_000 / pauseMs) * 10) / 10
}

/** `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
function recordTime(time: Date): string {
  return time.toISOString().replace('T', ' ').slice(0, 23)
}
