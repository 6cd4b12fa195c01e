import type { CampaignOptions, CampaignRow, CampaignSend } from '../../../schemas/campaign.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  CopyCampaignReply,
  CopyCampaignRequest,
  CreateAdvancedCampaignRequest,
  CreateSimpleCampaignRequest,
} from '../../../schemas/generated.js'
import type { PlaceholderProblem } from '../../../schemas/ports/campaign-imports.js'
import type { CreatedCampaign, NewCampaign, PreviewedCampaign } from '../../../schemas/ports/campaigns.js'
import { listContentFiles } from '../../../schemas/send-content.js'
import { readIdempotency } from '../../input/idempotency.js'
import { type Context, instanceRoute } from '../../route.js'
import type { CampaignCall } from './content.js'
import { begin, createErrors, type InvalidEntry, newFolderId, readFolderId, startsInMs } from './head.js'
import { checkPlaceholders, placeholderNames } from './placeholders.js'
import { findCampaignToday } from './today.js'

type CreateCall = CampaignCall & { readonly body: CreateSimpleCampaignRequest | CreateAdvancedCampaignRequest }

/**
 * Stores a campaign whose files were taken, and lets it begin. A dry run stores nothing. Releases the files if the campaign is surely not stored.
 */
export async function createCampaign(
  call: CreateCall,
  campaign: NewCampaign,
  invalid: readonly InvalidEntry[],
  context: Context,
) {
  const { instance, body } = call
  const { ports } = context
  const release = (): void => releaseCampaignFiles(listSends(campaign), context)
  try {
    const isTrial = body.dryRun === true
    const placeholders = findPlaceholders(campaign)
    const hasAny = [...placeholders.values()].some((names) => names.length > 0)
    const preview = isTrial || hasAny ? await ports.campaigns.preview(instance.id, campaign) : null
    const problems = preview === null ? [] : await findProblems(call, preview, placeholders, context)
    const isMade = preview !== null && (isTrial || preview.isFormer)
    const created = isMade ? preview : await ports.campaigns.create(instance.id, campaign)
    if (isTrial || created.isFormer) release()
    else void begin(instance, created.id, context)
    const first = isTrial ? (preview?.kept ?? []).slice(0, FIRST).map(({ address }) => address) : created.id
    const today = created.isFormer
      ? null
      : await findCampaignToday(call, { ...campaign, count: created.count }, first, context)
    return { ...createdReply(created, invalid, { placeholders: problems, today }), ...(isTrial ? TRIAL : {}) }
  } catch (error) {
    if (error instanceof GatewayError && error.code !== 'OUTCOME_UNKNOWN') release()
    throw error
  }
}

/** Recipients of a trial of whom it is looked who wrote. */
const FIRST = 1_000
const TRIAL = { folder_id: '', status: 'dry_run' } as const

/** Placeholders by the content of a recipient; null: that of the campaign. */
type Placeholders = ReadonlyMap<CampaignSend | null, readonly string[]>

/** @throws GatewayError INVALID_REQUEST */
function findPlaceholders({ send, variants, recipients }: NewCampaign): Placeholders {
  const sends = new Set(recipients.map((one) => one.send))
  return new Map(
    Array.from(sends, (own) => {
      const sent = own ?? send
      return [own, sent === null ? [] : placeholderNames(sent, variants)] as const
    }),
  )
}

/** @throws GatewayError INVALID_REQUEST if recipients lack placeholders and that is not allowed */
async function findProblems(
  { instance: { id, fieldsMap }, body, warnings }: CreateCall,
  { kept, isFormer }: PreviewedCampaign,
  placeholders: Placeholders,
  { ports }: Context,
): Promise<PlaceholderProblem[]> {
  if (isFormer) return []
  const recipients = kept.map(({ address, send }) => ({ address, names: placeholders.get(send) ?? [] }))
  const problems = await ports.recipientImports.lacking(id, recipients, fieldsMap)
  return checkPlaceholders(problems, { body: { ...body }, warnings, fieldsMap })
}

function createdReply(
  { id, count, duplicates, recent }: CreatedCampaign,
  invalid: readonly InvalidEntry[],
  {
    placeholders = [],
    today,
  }: { placeholders?: PlaceholderProblem[]; today: Awaited<ReturnType<typeof findCampaignToday>> },
) {
  return {
    folder_id: id,
    count,
    status: 'queued' as const,
    recent,
    duplicates,
    invalid: [...invalid],
    placeholders,
    today,
  }
}

/** Releases the files of these contents. */
export function releaseCampaignFiles(sends: Iterable<CampaignSend | null>, { ports }: Context): void {
  for (const send of sends)
    for (const { file } of send === null ? [] : listContentFiles(send.content)) void ports.media.release(file)
}

function listSends({ send, recipients }: NewCampaign): ReadonlySet<CampaignSend | null> {
  return new Set([send, ...recipients.map((one) => one.send)])
}

export const copyCampaign = instanceRoute<CopyCampaignRequest>({
  method: 'POST',
  path: '/sender/copy',
  name: 'copyCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Create a campaign that repeats another one, for those that failed or for all',
  schema: 'sender/copy.json',
  idempotent: true,
  errors: [...createErrors, 'CAMPAIGN_NOT_FOUND', 'MEDIA_FILE_GONE'],
  async handle({ instance, body, headers, warnings }, context): Promise<CopyCampaignReply> {
    const idempotency = readIdempotency(headers, body)
    const folder = body.folder?.trim()
    const campaign = {
      id: newFolderId(),
      ...(folder ? { folder } : {}),
      startsInMs: startsInMs(body.scheduled_for, warnings),
      ...idempotency,
    }
    const which = body.recipients ?? 'failed'
    const created = await context.ports.campaigns.copy(instance.id, readFolderId(body), which, campaign)
    if (created === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    if (!created.isFormer) void begin(instance, created.id, context)
    const stored = created.isFormer ? null : await context.ports.campaigns.find(instance.id, created.id)
    const today =
      stored === null ? null : await findCampaignToday({ instance, warnings }, toPlanned(stored), stored.id, context)
    return createdReply(created, [], { today })
  },
})

export function toPlanned({ total, options, dailyCap, scheduledAt, delayMinMs, delayMaxMs }: CampaignRow) {
  // Ours: options of a campaign, as we stored them.
  const { window } = JSON.parse(options) as CampaignOptions
  const startsInMs = Math.max(0, scheduledAt.getTime() - Date.now())
  return { count: total, startsInMs, delayMinMs, delayMaxMs, window, dailyCap: dailyCap ?? undefined }
}
