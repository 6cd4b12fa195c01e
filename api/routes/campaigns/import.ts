import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { CampaignSend } from '../../../schemas/campaign.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { ImportCampaignReply, ImportCampaignRequest } from '../../../schemas/generated.js'
import { expandPlaceholders } from '../../../schemas/placeholders.js'
import type {
  ImportCounts,
  ListSurvey,
  PlaceholderProblem,
  RecipientList,
  SampleRecipient,
} from '../../../schemas/ports/campaign-imports.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { readIdempotency } from '../../input/idempotency.js'
import { type ApiCall, type Context, instanceRoute } from '../../route.js'
import { fileErrors } from '../send/files.js'
import { checkVariants, makeCampaignSend } from './content.js'
import { releaseCampaignFiles } from './create.js'
import { begin, createErrors, newFolderId, readHead, toVariants } from './head.js'
import { checkPlaceholders, mayLack, placeholderNames } from './placeholders.js'
import { findCampaignToday } from './today.js'

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
    const { instance, body, warnings } = call
    checkVariants(body)
    const head = readHead(body, warnings)
    const list = makeList(call)
    const survey = await context.ports.recipientImports.survey(instance.id, list)
    refuseInvalid(survey, body.onInvalid)
    const asked = { call, head, list, survey }
    return body.dryRun === true ? await tried(asked, context) : await imported(asked, context)
  },
})

interface Asked {
  readonly call: Call
  readonly head: ReturnType<typeof readHead>
  readonly list: RecipientList
  readonly survey: ListSurvey
}

/** Does all that an import does, but for storing and sending. */
async function tried({ call, head, list, survey }: Asked, context: Context): Promise<ImportCampaignReply> {
  const { instance, body } = call
  const { recipientImports } = context.ports
  await recipientImports.check(instance.id, head)
  const { send, variants } = await makeContent(call, newFolderId(), context)
  try {
    const placeholders = { names: placeholderNames(send, variants), fieldsMap: instance.fieldsMap }
    const { problems, samples, first, ...counts } = await recipientImports.preview(instance.id, list, placeholders)
    const found = checkPlaceholders(problems, checkedCall(call, survey))
    const messages = samples.map((sample) => fillMessage(sample, body))
    const today = await findCampaignToday(call, { ...head, count: counts.count }, first, context)
    return makeReply({ ...counts, folderId: null }, survey, { placeholders: found, today, messages })
  } finally {
    releaseCampaignFiles([send], context)
  }
}

async function imported({ call, head, list, survey }: Asked, context: Context): Promise<ImportCampaignReply> {
  const { instance, body, headers } = call
  const { recipientImports } = context.ports
  const idempotency: { idempotencyKey?: string; requestHash?: string } = readIdempotency(headers, body)
  const key = { ...head, ...idempotency, id: newFolderId() }
  const begun = await recipientImports.begin(instance.id, key)
  if ('former' in begun) {
    const { id, count, duplicates } = begun.former
    return makeReply({ folderId: id, count, duplicates, optedOut: 0, recent: 0 }, survey)
  }
  const { running } = begun
  let send: CampaignSend | null = null
  try {
    const content = await makeContent(call, running.folderId, context)
    ;({ send } = content)
    const placeholders = { names: placeholderNames(send, content.variants), fieldsMap: instance.fieldsMap }
    const problems = mayLack(survey, placeholders.names)
      ? (await recipientImports.preview(instance.id, list, placeholders)).problems
      : []
    const found = checkPlaceholders(problems, checkedCall(call, survey))
    const stored = await recipientImports.store(instance.id, running, list, { ...key, ...content }, placeholders)
    await begin(instance, stored.folderId, context)
    const today = await findCampaignToday(call, { ...head, count: stored.count }, stored.folderId, context)
    return makeReply(stored, survey, { placeholders: found, today })
  } catch (error) {
    // Without a key no later call can continue the import.
    const isRefused = error instanceof GatewayError && error.status === 400
    if (isRefused) releaseCampaignFiles([send], context)
    if (isRefused || key.idempotencyKey === undefined)
      await recipientImports.discard(instance.id, running.folderId).catch(() => {})
    throw error
  }
}

async function makeContent(call: Call, folderId: string, context: Context) {
  const { recipients: _, ...content } = call.body
  const variants = toVariants(call.body.variants)
  const text = content.text ?? variants[0]?.text
  const message = { ...content, ...(text === undefined ? {} : { text }) }
  return { send: await makeCampaignSend(call, message, { folderId, at: '', context }), variants }
}

function checkedCall({ instance: { fieldsMap }, body, warnings }: Call, { columns }: ListSurvey) {
  return { body: { ...body }, warnings, fieldsMap, columns: [...(columns?.keys() ?? [])] }
}

function makeList({ body, files, instance }: Call): RecipientList {
  const { recipients, format = 'csv', dedupe = true, skipRecentDays = null } = body
  const arrived = files.get(recipients)
  // A short file is still in the body; a long one is in a temporary file.
  const open = (): Readable =>
    arrived === undefined
      ? Readable.from([Buffer.from(recipients.replace(/^data:[^,]{0,200},/, ''), 'base64')])
      : createReadStream(arrived.path, { highWaterMark: READ_BYTES })
  return { open, format, country: instance.defaultCountry, rules: { dedupe, recentDays: skipRecentDays } }
}

function refuseInvalid({ lines, invalid, errors }: ListSurvey, onInvalid: 'refuse' | 'skip' = 'refuse'): void {
  const [first] = errors
  if (first === undefined && lines > 0) return
  if (onInvalid === 'skip' && lines > invalid) return
  const why = first === undefined ? 'has no line but its header' : `line ${first.line} ${first.why}`
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: recipients: ${why}; ${invalid} of ${lines} lines are not recipients, and nothing was created.`,
    details:
      first === undefined
        ? [{ field: 'recipients', why }]
        : errors.map(({ line, why }) => ({ field: `recipients line ${line}`, why })),
  })
}

interface Told {
  readonly placeholders: PlaceholderProblem[]
  readonly today: ImportCampaignReply['today']
  readonly messages: ImportCampaignReply['messages']
}

function makeReply(
  { folderId, count, duplicates, optedOut, recent }: ImportCounts & { readonly folderId: string | null },
  { lines, invalid, errors }: ListSurvey,
  { placeholders = [], today = null, messages = [] }: Partial<Told> = {},
): ImportCampaignReply {
  const status = folderId === null ? 'dry_run' : 'queued'
  const counts = { count, lines, duplicates, optedOut, recent, invalid }
  return {
    folder_id: folderId ?? '',
    status,
    ...counts,
    errors: errors.map(({ line, why }) => ({ line, why })),
    placeholders,
    today,
    messages,
  }
}

/** Fills the text for a recipient, as their message is filled. */
function fillMessage({ number, values }: SampleRecipient, { text = '', variants }: ImportCampaignRequest) {
  const filled = expandPlaceholders(variants?.[0]?.text ?? text, values)
  return { number: number.slice(0, 100), text: filled.slice(0, 70_000) }
}
