import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { GatewayError } from '../../../schemas/errors.js'
import type { ImportCampaignReply, ImportCampaignRequest } from '../../../schemas/generated.js'
import type {
  ImportCounts,
  ListSurvey,
  RecipientList,
  SampleRecipient,
} from '../../../schemas/ports/campaign-imports.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { type ApiCall, type Context, instanceRoute } from '../../route.js'
import { fileErrors } from '../send/files.js'
import { idempotencyOf } from '../send/idempotency.js'
import { campaignSendOf, checkVariants } from './content.js'
import { begin, createErrors, headOf, newFolderId, variantsOf } from './head.js'

// Bound: 1,048,576, a body or header of a request.

/** Size of the pieces in which a list is read. All lines of one are read in one go. */
const READ_BYTES = 16 * 1024

type Call = ApiCall<InstanceRow, ImportCampaignRequest, undefined>

export const importCampaign = instanceRoute<ImportCampaignRequest>({
  method: 'POST',
  path: '/sender/import',
  name: 'importCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Create a campaign from a list of recipients',
  schema: 'sender/import.json',
  listField: 'recipients',
  fileFields: ['recipients', 'file', 'thumbnail', 'imagebutton', 'choices[]{}'],
  idempotent: true,
  errors: [
    ...createErrors,
    ...fileErrors,
    'IMPORT_RUNNING',
    'INVALID_NUMBER',
    'NOT_SUPPORTED',
    'CONVERSION_UNAVAILABLE',
  ],
  async handle(call, context): Promise<ImportCampaignReply> {
    const { instance, body } = call
    const { recipientImports } = context.ports
    checkVariants(body)
    const list = listOf(call)
    const survey = await recipientImports.survey(instance.id, list)
    if (body.dryRun !== true) {
      refuseInvalid(survey, body.onInvalid)
      return replyOf(await imported(call, list, context), survey, [])
    }
    const counts = await recipientImports.preview(instance.id, list)
    return replyOf(
      { ...counts, folderId: null },
      survey,
      survey.samples.map((sample) => messageOf(sample, body)),
    )
  },
})

async function imported(
  call: Call,
  list: RecipientList,
  context: Context,
): Promise<ImportCounts & { readonly folderId: string }> {
  const { instance, body, warnings, headers } = call
  const { recipientImports } = context.ports
  const head = headOf(body, warnings)
  const idempotency: { idempotencyKey?: string; requestHash?: string } = idempotencyOf(headers, body)
  const key = { ...head, ...idempotency, id: newFolderId() }
  const variants = variantsOf(body.variants)
  const begun = await recipientImports.begin(instance.id, key)
  if ('former' in begun) {
    const { id, count, duplicates } = begun.former
    return { folderId: id, count, duplicates, optedOut: 0, recent: 0 }
  }
  const { running } = begun
  try {
    const { recipients: _, ...content } = body
    const text = body.text ?? variants[0]?.text
    const message = { ...content, ...(text === undefined ? {} : { text }) }
    const send = await campaignSendOf(call, message, { folderId: running.folderId, at: '', context })
    const stored = await recipientImports.store(instance.id, running, list, { ...key, send, variants })
    await begin(instance, stored.folderId, context)
    return stored
  } catch (error) {
    // Without a key no later call can continue the import.
    const isLost = key.idempotencyKey === undefined || (error instanceof GatewayError && error.status === 400)
    if (isLost) await recipientImports.discard(instance.id, running.folderId).catch(() => {})
    throw error
  }
}

function listOf({ body, files }: Call): RecipientList {
  const { recipients, format = 'csv', dedupe = true, skipRecentDays = null } = body
  const arrived = files.get(recipients)
  // A short file is still in the body; a long one is in a temporary file.
  const open = (): Readable =>
    arrived === undefined
      ? Readable.from([Buffer.from(recipients.replace(/^data:[^,]{0,200},/, ''), 'base64')])
      : createReadStream(arrived.path, { highWaterMark: READ_BYTES })
  return { open, format, rules: { dedupe, recentDays: skipRecentDays } }
}

function refuseInvalid({ lines, invalid, errors }: ListSurvey, onInvalid: 'refuse' | 'skip' = 'refuse'): void {
  const [first] = errors
  if (first === undefined && lines > 0) return
  if (onInvalid === 'skip' && lines > invalid) return
  const why = first === undefined ? 'has no line but its header' : `line ${first.line} ${first.why}`
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: recipients: ${why}; ${invalid} of ${lines} lines are no recipients, and nothing was created.`,
    details:
      first === undefined
        ? [{ field: 'recipients', why }]
        : errors.map(({ line, why }) => ({ field: `recipients line ${line}`, why })),
  })
}

function replyOf(
  { folderId, count, duplicates, optedOut, recent }: ImportCounts & { readonly folderId: string | null },
  { lines, invalid, errors }: ListSurvey,
  messages: ImportCampaignReply['messages'],
): ImportCampaignReply {
  const status = folderId === null ? 'dry_run' : 'queued'
  const counts = { count, lines, duplicates, optedOut, recent, invalid }
  return {
    folder_id: folderId ?? '',
    status,
    ...counts,
    errors: errors.map(({ line, why }) => ({ line, why })),
    messages,
  }
}

/** Fills the placeholders that the list has a column for. */
function messageOf({ number, values }: SampleRecipient, { text = '', variants }: ImportCampaignRequest) {
  const own = new Map(values)
  const template = variants?.[0]?.text ?? text
  const filled = template.replace(/\{\{([^{}]{1,300})\}\}/g, (whole, name: string) => own.get(name.trim()) ?? whole)
  return { number: number.slice(0, 100), text: filled.slice(0, 70_000) }
}
