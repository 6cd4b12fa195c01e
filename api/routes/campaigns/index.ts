import type { CampaignRow } from '../../../schemas/campaign.js'
import { folderRecord, recipientRecord } from '../../../schemas/campaign-records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  CampaignCourseQuery,
  CampaignCourseReply,
  ClearAllCampaignsReply,
  ClearDoneCampaignsReply,
  ClearDoneCampaignsRequest,
  CreateSimpleCampaignReply,
  CreateSimpleCampaignRequest,
  EditCampaignReply,
  EditCampaignRequest,
  ListCampaignMessagesReply,
  ListCampaignMessagesRequest,
  ListCampaignsQuery,
  ListCampaignsReply,
  ShowCampaignQuery,
  ShowCampaignReply,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { RecipientFilter } from '../../../schemas/ports/campaigns.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { parseTimeZone } from '../../../schemas/time-zone.js'
import { readIdempotency } from '../../input/idempotency.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute, type Route } from '../../route.js'
import { fileErrors } from '../send/files.js'
import { createAdvancedCampaign } from './advanced.js'
import { checkVariants, makeCampaignSend } from './content.js'
import { copyCampaign, createCampaign, toPlanned } from './create.js'
import { createErrors, newFolderId, readFolderId, readHead, readRecipientEntries, toVariants } from './head.js'
import { importCampaign } from './import.js'
import { campaignResults } from './results.js'
import { estimateCampaign } from './today.js'

const PAGE_SIZE = 100
/** The database reads all rows before such a page. */
const FILTERED_OFFSET_MAX = 20_000

const FILTERS = {
  Scheduled: 'scheduled',
  Sent: 'sent',
  Failed: 'failed',
  Skipped: 'skipped',
  Replied: 'replied',
} as const

const listCampaignMessages = instanceRoute<ListCampaignMessagesRequest>({
  method: 'POST',
  path: '/sender/listmessages',
  name: 'listCampaignMessages',
  area: 'Campaign',
  scope: 'read',
  summary: 'List the messages of a campaign and what became of them',
  schema: 'sender/listmessages.json',
  isSearch: true,
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<ListCampaignMessagesReply> {
    const id = readFolderId(body)
    const campaign = await ports.campaigns.find(instance.id, id)
    if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    const filter = body.messageStatus === undefined ? null : FILTERS[body.messageStatus]
    const limit = body.limit ?? body.pageSize ?? PAGE_SIZE
    const offset = body.offset ?? ((body.page ?? 1) - 1) * limit
    const after = chooseAfter(body.after, filter, offset, campaign)
    const page = { filter, limit: limit + 1, offset, ...(after === undefined ? {} : { after }) }
    const rows = await ports.campaigns.recipients(instance.id, id, page)
    const shown = rows.slice(0, limit)
    const total = findTotal(campaign, filter)
    return {
      messages: shown.map((row) => recipientRecord(row, id, instance.owner)),
      pagination: {
        total,
        totalRecords: total,
        page: Math.floor(offset / limit) + 1,
        pageSize: limit,
        lastPage: Math.max(1, Math.ceil(total / limit)),
        limit,
        offset,
      },
      next: rows.length > limit ? (shown.at(-1)?.ordinal ?? null) : null,
    }
  },
})

/** Returns the ordinal after which a page begins, where no rows must be counted for it. @throws GatewayError INVALID_REQUEST */
function chooseAfter(
  given: number | undefined,
  filter: RecipientFilter | null,
  offset: number,
  { deleted }: CampaignRow,
): number | undefined {
  if (given !== undefined) return given
  // Ordinals have no gaps before something is deleted.
  if (filter === null && deleted === 0) return offset - 1
  if (offset > FILTERED_OFFSET_MAX)
    throw invalidField(
      'offset',
      `must be at most ${FILTERED_OFFSET_MAX} here; continue with after: the next of the page before`,
    )
  return undefined
}

function findTotal(campaign: CampaignRow, filter: RecipientFilter | null): number {
  const { total, deleted, sent, failed, skipped, replied } = campaign
  switch (filter) {
    case null:
      return total - deleted
    case 'sent':
      return sent
    case 'failed':
      return failed
    case 'skipped':
      return skipped
    case 'replied':
      return replied
    case 'scheduled':
      return total - deleted - sent - failed - skipped
  }
}

const SENTENCES = {
  stop: 'The campaign is paused; nothing more of it begins',
  continue: 'The campaign continues where it stopped',
  delete: 'What was not sent is being deleted',
  update: 'The campaign keeps its new maximum of messages in a day',
} as const

const editCampaign = instanceRoute<EditCampaignRequest>({
  method: 'POST',
  path: '/sender/edit',
  name: 'editCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Stop, continue, delete or change a campaign',
  schema: 'sender/edit.json',
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ENDED',
    'CAMPAIGN_OTHER_ACCOUNT',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body }, { ports }): Promise<EditCampaignReply> {
    const { action } = body
    const folderId = readFolderId(body)
    if (action === 'delete' && (await isDone(instance, folderId, ports))) {
      readCap(body)
      await ports.router.ask(instance.id, { type: 'clearCampaigns', endedForMs: 0, folderId })
      return { status: 'deleting', message: 'The finished campaign is being deleted; messages stay in their chats' }
    }
    const { status } = await ports.router.ask(instance.id, { type: 'editCampaign', folderId, action, ...readCap(body) })
    return { status, message: SENTENCES[action] }
  },
})

/**
 * Returns true if a campaign has ended. Its deletion is another command than that of what was not sent, so that a repeat of the one never
 * becomes the other.
 */
async function isDone({ id }: Pick<InstanceRow, 'id'>, folderId: string, { campaigns }: ApiPorts): Promise<boolean> {
  return (await campaigns.find(id, folderId))?.status === 'done'
}

/** @throws GatewayError INVALID_REQUEST */
function readCap({ action, dailyCap, timezone }: EditCampaignRequest) {
  if (action === 'update') {
    if (dailyCap === undefined)
      throw invalidField('dailyCap', 'is required by the action update; null means no maximum')
    return { dailyCap, ...(timezone === undefined ? {} : { timezone: parseTimeZone(timezone) }) }
  }
  for (const [field, value] of Object.entries({ dailyCap, timezone }))
    if (value !== undefined) throw invalidField(field, `is changed by the action update, not by ${action}`)
  return {}
}

const createSimpleCampaign = instanceRoute<CreateSimpleCampaignRequest>({
  method: 'POST',
  path: '/sender/simple',
  name: 'createSimpleCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Create a campaign that sends one message to many',
  schema: 'sender/simple.json',
  fileFields: ['file', 'thumbnail', 'imagebutton', 'choices[]{}'],
  idempotent: true,
  errors: [...createErrors, ...fileErrors, 'INVALID_NUMBER', 'NOT_SUPPORTED', 'CONVERSION_UNAVAILABLE'],
  async handle(call, context): Promise<CreateSimpleCampaignReply> {
    const { instance, body, warnings, headers } = call
    const idempotency = readIdempotency(headers, body)
    const head = readHead(body, warnings)
    checkVariants(body)
    const { recipients, invalid } = readRecipientEntries(
      body.numbers,
      (number) => number,
      body,
      (index) => `numbers[${index}]`,
      instance.defaultCountry,
    )
    if (body.delay !== undefined)
      warnings.push('delay: is the time for which typing is shown; the time between messages is delayMin and delayMax')
    const id = newFolderId()
    const variants = toVariants(body.variants)
    const message = {
      ...body,
      ...(body.text === undefined && variants[0] !== undefined ? { text: variants[0].text } : {}),
    }
    const send = await makeCampaignSend(call, message, { folderId: id, at: '', context })
    const campaign = {
      ...head,
      ...idempotency,
      id,
      send,
      variants,
      recipients: recipients.map(({ address }) => ({ address, send: null })),
      dedupe: body.dedupe !== false,
      ...(body.skipRecentDays === undefined ? {} : { skipRecentDays: body.skipRecentDays }),
    }
    return await createCampaign(call, campaign, invalid, context)
  },
})

const HOURS = 168
const errors = ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'OUTCOME_UNKNOWN'] as const

const clearDoneCampaigns = instanceRoute<ClearDoneCampaignsRequest>({
  method: 'POST',
  path: '/sender/cleardone',
  name: 'clearDoneCampaigns',
  area: 'Campaign',
  scope: 'token',
  summary: 'Delete finished campaigns',
  schema: 'sender/cleardone.json',
  errors,
  async handle({ instance, body }, { ports }): Promise<ClearDoneCampaignsReply> {
    const endedForMs = (body.hours ?? HOURS) * 60 * 60_000
    const { folders, recipients } = await ports.router.ask(instance.id, { type: 'clearCampaigns', endedForMs })
    return { status: 'cleanup started', folders_deleted: folders, messages_deleted: recipients }
  },
})

const clearAllCampaigns = instanceRoute({
  method: 'DELETE',
  path: '/sender/clearall',
  name: 'clearAllCampaigns',
  area: 'Campaign',
  scope: 'token',
  summary: 'Delete all campaigns, sent or not',
  schema: 'sender/clearall.json',
  errors,
  async handle({ instance }, { ports }): Promise<ClearAllCampaignsReply> {
    const { folders, recipients } = await ports.router.ask(instance.id, { type: 'clearCampaigns', endedForMs: null })
    return {
      status: 'processed',
      info: 'All campaigns are being deleted; messages stay in their chats',
      folders_deleted: folders,
      messages_deleted: recipients,
    }
  },
})

const listCampaigns = instanceRoute<undefined, ListCampaignsQuery>({
  method: 'GET',
  path: '/sender/listfolders',
  name: 'listCampaigns',
  area: 'Campaign',
  scope: 'read',
  summary: 'List campaigns with their counters',
  schema: 'sender/listfolders.json',
  errors: [],
  async handle({ instance, query: { status } }, { ports }): Promise<ListCampaignsReply> {
    const which = status === 'Active' ? 'active' : status === 'Archived' || status === 'done' ? 'archived' : 'all'
    const campaigns = await ports.campaigns.list(instance.id, which)
    const isState = status !== undefined && status !== 'Active' && status !== 'Archived'
    return campaigns.filter((one) => !isState || one.status === status).map((one) => folderRecord(one, instance.owner))
  },
})

const showCampaign = instanceRoute<undefined, ShowCampaignQuery>({
  method: 'GET',
  path: '/sender/folder',
  name: 'showCampaign',
  area: 'Campaign',
  scope: 'read',
  summary: 'Show a campaign with its counters',
  schema: 'sender/folder.json',
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, query: { id } }, { ports }): Promise<ShowCampaignReply> {
    const campaign = await ports.campaigns.find(instance.id, id)
    if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    return folderRecord(campaign, instance.owner)
  },
})

const showCampaignCourse = instanceRoute<undefined, CampaignCourseQuery>({
  method: 'GET',
  path: '/sender/course',
  name: 'showCampaignCourse',
  area: 'Campaign',
  scope: 'read',
  isSearch: true,
  summary: 'Show what became of the recipients of a campaign over time, and when it ends',
  schema: 'sender/course.json',
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, query: { id } }, context): Promise<CampaignCourseReply> {
    const { campaigns } = context.ports
    const campaign = await campaigns.find(instance.id, id)
    if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    const { stepMinutes, rows, reasons } = await campaigns.course(instance.id, campaign)
    const { status, total, deleted, sent, failed, skipped, taken } = campaign
    const isRunning = status === 'sending' || status === 'scheduled'
    const planned = { ...toPlanned(campaign), count: Math.max(0, total - deleted - sent - failed - skipped - taken) }
    const estimate = isRunning ? await estimateCampaign(instance.id, planned, id, context) : null
    const endsMs = estimate?.endsMs ?? null
    return {
      stepMinutes,
      rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
      reasons: reasons.map((one) => ({ ...one })),
      ends: endsMs === null ? null : new Date(endsMs).toISOString(),
    }
  },
})

/** Routes of the area, in the order of the documentation. */
export const senderRoutes: readonly Route[] = [
  createSimpleCampaign,
  createAdvancedCampaign,
  importCampaign,
  copyCampaign,
  editCampaign,
  listCampaigns,
  showCampaign,
  showCampaignCourse,
  listCampaignMessages,
  campaignResults,
  clearDoneCampaigns,
  clearAllCampaigns,
]
