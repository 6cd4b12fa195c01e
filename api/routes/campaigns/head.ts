/** Fields that all creations of campaigns have. */
import { randomHex } from '../../../lib/random.js'
import type { FrequencyCap, TextVariant } from '../../../schemas/campaign.js'
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseRecipient, toChatId } from '../../../schemas/jid.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { parseSendWindow, type SendWindowInput } from '../../../schemas/send-window.js'
import { parseTimeZone } from '../../../schemas/time-zone.js'
import type { Context } from '../../route.js'

const DELAY_MIN_SECONDS = 10
const DELAY_MAX_SECONDS = 30
/** Numbers below are minutes. */
const MINUTES_BELOW = 1e9
/** Numbers from here on are Unix milliseconds. */
const MILLISECONDS_FROM = 1e12
const AHEAD_MAX_MS = 366 * 24 * 60 * 60_000
const INVALID_SHOWN_MAX = 100

/** Error codes of each creation. */
export const createErrors: readonly ErrorCode[] = [
  'CAMPAIGN_EXISTS',
  'CAMPAIGNS_FULL',
  'IDEMPOTENCY_CONFLICT',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_EXPORTED',
  'OUTCOME_UNKNOWN',
]

interface CampaignHead {
  readonly delayMin?: number
  readonly delayMax?: number
  readonly scheduled_for?: number
  readonly folder?: string
  readonly info?: string
  readonly window?: SendWindowInput
  readonly dailyCap?: number
  readonly frequencyCap?: FrequencyCap
  readonly errorRateMax?: number
  readonly weight?: number
  readonly timezone?: string
}

/** An entry that was left out. */
export interface InvalidEntry {
  readonly index: number
  readonly why: string
}

export function newFolderId(): string {
  return `r${randomHex(7)}`
}

/** Reads when and how fast a campaign is sent. @throws GatewayError INVALID_REQUEST */
export function readHead(
  {
    delayMin,
    delayMax,
    scheduled_for: start,
    folder,
    info = '',
    window: asked,
    dailyCap,
    frequencyCap,
    errorRateMax,
    weight,
    timezone,
  }: CampaignHead,
  warnings: string[],
) {
  const min = delayMin ?? Math.min(DELAY_MIN_SECONDS, delayMax ?? DELAY_MIN_SECONDS)
  const max = delayMax ?? Math.max(DELAY_MAX_SECONDS, min)
  if (max < min) warnings.push('delayMax: is lower than delayMin, which counts')
  const window = asked === undefined ? undefined : parseSendWindow(asked)
  const zone = timezone === undefined ? window?.timezone : parseTimeZone(timezone)
  return {
    ...(folder?.trim() ? { folder: folder.trim() } : {}),
    info,
    ...(window === undefined ? {} : { window }),
    ...(dailyCap === undefined ? {} : { dailyCap }),
    ...(frequencyCap === undefined
      ? {}
      : { frequencyCap: { messages: frequencyCap.messages, days: frequencyCap.days } }),
    ...(errorRateMax === undefined ? {} : { errorRateMax }),
    ...(weight === undefined ? {} : { weight }),
    ...(zone === undefined ? {} : { timezone: zone }),
    delayMinMs: min * 1_000,
    delayMaxMs: Math.max(min, max) * 1_000,
    startsInMs: startsInMs(start, warnings),
  }
}

/** Returns the milliseconds until the start. @throws GatewayError INVALID_REQUEST */
export function startsInMs(start: number | undefined, warnings: string[]): number {
  if (start === undefined) return 0
  if (start >= MINUTES_BELOW && start < MILLISECONDS_FROM)
    throw invalidField(
      'scheduled_for',
      'must be minutes from now (below 1000000000) or Unix milliseconds (from 1000000000000); this looks like Unix seconds',
    )
  const inMs = start < MINUTES_BELOW ? start * 60_000 : start - Date.now()
  if (inMs > AHEAD_MAX_MS) throw invalidField('scheduled_for', 'must be at most 366 days ahead')
  if (inMs < 0) warnings.push('scheduled_for: the time has passed, so the campaign starts now')
  return Math.max(0, inMs)
}

/**
 * Reads recipients. @param field name of an entry: `numbers[0]` @param country ISO code of the country whose national numbers are taken
 * @throws GatewayError INVALID_REQUEST that names each invalid entry, unless they are left out
 */
export function readRecipientEntries<Entry>(
  entries: readonly Entry[],
  readNumber: (entry: Entry) => string,
  { onInvalid = 'refuse' }: { readonly onInvalid?: 'refuse' | 'skip' },
  field: (index: number) => string,
  country: string,
): { readonly recipients: { entry: Entry; address: Jid; index: number }[]; readonly invalid: readonly InvalidEntry[] } {
  const invalid: InvalidEntry[] = []
  const recipients: { entry: Entry; address: Jid; index: number }[] = []
  let invalidCount = 0
  for (const [index, entry] of entries.entries()) {
    try {
      recipients.push({ entry, index, address: toChatId(parseRecipient(readNumber(entry), field(index), country)) })
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      invalidCount += 1
      if (invalid.length < INVALID_SHOWN_MAX) invalid.push({ index, why: error.message })
    }
  }
  if (invalidCount > 0 && (onInvalid === 'refuse' || recipients.length === 0))
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: ${invalidCount} of ${entries.length} entries are invalid; nothing was created.`,
      details: invalid.map(({ index, why }) => ({ field: field(index), why })),
    })
  return { recipients, invalid }
}

export function toVariants(variants: readonly { text: string; weight?: number }[] | undefined): readonly TextVariant[] {
  return (variants ?? []).map(({ text, weight = 1 }) => ({ text, weight }))
}

/** Lets the owner of the instance look at a new campaign. If it cannot be reached now, its next sweep finds the campaign. */
export async function begin(instance: Pick<InstanceRow, 'id'>, folderId: string, { ports }: Context): Promise<void> {
  await ports.router.ask(instance.id, { type: 'editCampaign', folderId, action: 'begin' }).catch(() => {})
}

/** Returns the id of the campaign of a request. @throws GatewayError INVALID_REQUEST */
export function readFolderId({
  folder_id: folderId,
  id,
}: {
  readonly folder_id?: string
  readonly id?: string
}): string {
  const named = folderId ?? id
  if (named === undefined) throw invalidField('folder_id', 'is required')
  return named
}
