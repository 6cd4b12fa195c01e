/** Brings one message into a conversation, once. */
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { FileOfMessage } from '../../schemas/ports/media.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { type ChatwootMessage, type Told, told } from '../store/chatwoot/message-rows.js'
import type { CwFile, NewCwMessage } from './chatwoot-api.js'
import { type ConversationPlace, createChatwootApi } from './conversation-place.js'
import type { ChatwootParts } from './parts.js'
import { ChatwootRefusal } from './refusal.js'
import { findFileName, hasFile } from './shown-message.js'

export interface Carriage {
  /** Under which the message is mapped. */
  readonly key: string
  readonly source: string
  readonly content: string
  /** Of a message that may have a file. */
  readonly record?: Readonly<Record<string, unknown>>
  readonly fromMe: boolean
  /** Id at the network of the message that it answers; may be empty. */
  readonly about: string
  readonly timestampMs: number
  /** Failed attempts so far. */
  readonly attempts: number
}

const FILE_MAX_BYTES = 40_000_000
/** Attempts at a file that cannot be opened now. After them its text goes without it. */
const FILE_ATTEMPTS_MAX = 5
/** Age of a message that was held up. */
const REPLAYED_MS = 15 * 60_000
const CONTENT_MAX = 150_000
/** Pages of a conversation that are searched for a message whose answer was lost. */
const PAGES_MAX = 20

/** @throws ChatwootRefusal */
export async function carryMessage(parts: ChatwootParts, place: ConversationPlace, carriage: Carriage): Promise<void> {
  const { messages } = parts.store
  const { instance } = place.config
  const conversationId = Number(place.row.conversationId)
  const { key, fromMe } = carriage
  const isNew = await messages.insert(instance, {
    ...{ messageid: key, cwId: null, part: 0, conversationId, isReply: false, fromMe },
  })
  // Chatwoot greets people whose messages it gets now.
  if ((await parts.clock.nowMs()) - carriage.timestampMs > REPLAYED_MS)
    parts.replays.set(`${instance}:${conversationId}`, true)
  const found = isNew ? null : await findMade(place, conversationId, carriage.source)
  if (!isNew) parts.count(found === null ? 'created_again' : 'found')
  const id = found ?? (await create(parts, place, conversationId, carriage))
  await messages.answered(instance, key, id, conversationId)
  // After the map: a look for a message whose answer was lost begins after the newest one.
  await parts.store.chats.made(instance, conversationId, id)
  parts.count('carried')
}

/** Looks for a message that was asked for before and whose answer was lost. */
async function findMade(
  { api, row }: ConversationPlace,
  conversationId: number,
  source: string,
): Promise<number | null> {
  let after = row.newestId
  for (let page = 0; page < PAGES_MAX; page++) {
    const some = await api.messages(conversationId, after)
    const made = some.find(({ sourceId }) => sourceId === source)
    if (made !== undefined) return made.id
    const last = some.at(-1)?.id ?? after
    // Without a message to begin after, the answer has the newest ones, and there is no next page.
    if (after === 0 || last <= after) return null
    after = last
  }
  return null
}

async function create(
  parts: ChatwootParts,
  place: ConversationPlace,
  conversationId: number,
  carriage: Carriage,
): Promise<number> {
  const { api, config } = place
  const message = await composeMessage(parts, config.instance, carriage)
  const file =
    carriage.record === undefined ? null : await readFile(parts, config.instance, carriage.record, carriage.attempts)
  if (file === null || 'note' in file)
    return await api.createMessage(conversationId, withNote(message, file === null ? '' : file.note))
  return await parts.work.run('chatwoot_file', config.instance, async (turn) => {
    try {
      const bytes = await readBytes(file.opened)
      const { mimetype } = file.opened
      const name = file.opened.fileName || findFileName(carriage.record ?? {}, mimetype)
      const sent: CwFile = { name, mimetype, bytes }
      return await turn.lend(api.createMessage(conversationId, { ...message, files: [sent] }))
    } catch (error) {
      if (!(error instanceof ChatwootRefusal) || !isAboutFile(error)) throw error
      // Refused with its file: the text goes with a link.
      return await api.createMessage(conversationId, withNote(message, formatLink(parts, config.instance, carriage)))
    }
  })
}

/** Returns true when the text alone may be taken. A proxy refuses the size of a file by a page of its own. */
function isAboutFile({ kind, statusCode }: ChatwootRefusal): boolean {
  return kind === 'large' || kind === 'invalid' || statusCode === 413
}

async function composeMessage(parts: ChatwootParts, instance: InstanceId, carriage: Carriage): Promise<NewCwMessage> {
  const { content, fromMe, about, source, timestampMs } = carriage
  const target = about === '' ? null : await parts.store.messages.byId(instance, about)
  return {
    content: content.slice(0, CONTENT_MAX),
    type: fromMe ? 'outgoing' : 'incoming',
    sourceId: source,
    ...(fromMe ? { isEcho: true } : {}),
    ...(target?.cwId == null ? {} : { inReplyTo: target.cwId }),
    ...(timestampMs > 0 ? { createdAt: Math.floor(timestampMs / 1_000) } : {}),
  }
}

type OpenedFile = { readonly opened: FileOfMessage } | { readonly note: string }

/** Opens the file of a message. Returns a sentence instead if it can never be had, or is too large. */
async function readFile(
  parts: ChatwootParts,
  instance: InstanceId,
  record: Readonly<Record<string, unknown>>,
  attempts: number,
): Promise<OpenedFile | null> {
  if (!hasFile(record)) return null
  try {
    const opened = await parts.media().open(instance, String(record.id), 'own')
    if (opened.sizeBytes <= FILE_MAX_BYTES) return { opened }
    opened.body.on('error', () => {}).destroy()
    const megabytes = Math.ceil(opened.sizeBytes / 1_000_000)
    const name = opened.fileName || findFileName(record, opened.mimetype)
    return { note: `📎 ${name} (${megabytes} MB) ${parts.media().linkTo(instance, record)}` }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.code !== 'MEDIA_NOT_FOUND' && error.code !== 'MEDIA_EXPIRED' && attempts < FILE_ATTEMPTS_MAX)
      throw new ChatwootRefusal('busy', 422, `The file of a message could not be opened: ${error.message}`)
    return { note: `📎 (the file could not be opened: ${error.message})` }
  }
}

function formatLink({ media }: ChatwootParts, instance: InstanceId, { record = {} }: Carriage): string {
  return `📎 ${findFileName(record, '')} ${media().linkTo(instance, record)}`.trim()
}

function withNote(message: NewCwMessage, note: string): NewCwMessage {
  if (note === '') return message
  return { ...message, content: [message.content, note].filter((line) => line !== '').join('\n') }
}

async function readBytes({ body }: FileOfMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of body as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

/** Tells Chatwoot what became of messages that it has. */
type Parts = Pick<ChatwootParts, 'store' | 'outgoing'>

const STATES: Readonly<Record<string, Told>> = {
  Sent: told.sent,
  Delivered: told.delivered,
  Read: told.read,
  Played: told.read,
  Failed: told.failed,
  Canceled: told.failed,
}
const NAMES: Readonly<Record<Told, string>> = { 0: '', 1: 'sent', 2: 'delivered', 3: 'read', 4: 'failed' }
const ERROR_MAX = 500

/** Only goes forward: Chatwoot itself would go back. @throws ChatwootRefusal */
export async function tellStatus(
  parts: Parts,
  config: ChatwootConfig,
  row: ChatwootMessage,
  state: string,
  error: string,
): Promise<void> {
  const next = STATES[state]
  if (next === undefined || !row.fromMe || row.cwId === null || row.isDeleted || next <= row.told) return
  // A message that is there without doubt cannot fail. Messages are `sent` there from the start.
  if (next === told.failed && row.told >= told.delivered) return
  // A message with files is several at the network, and the furthest of them counts.
  const siblings = await parts.store.messages.byCwId(config.instance, row.cwId)
  const isFurther = siblings.every((one) => one.told === told.failed || one.told < next)
  if (next !== told.sent && isFurther) await setStatus(parts, config, row, next, error)
  await parts.store.messages.noteTold(config.instance, row.messageid, next)
}

/** Shows on the agent's message that it failed, and why. */
export async function setStatus(
  parts: Parts,
  config: ChatwootConfig,
  { conversationId, cwId }: Pick<ChatwootMessage, 'conversationId' | 'cwId'>,
  state: Told,
  error: string,
): Promise<void> {
  if (cwId === null) return
  const why = state === told.failed ? (error || 'The message was not sent.').slice(0, ERROR_MAX) : undefined
  await createChatwootApi(parts, config).setMessageStatus(conversationId, cwId, NAMES[state], why).catch(unlessPassing)
}

/** @throws ChatwootRefusal */
export async function tellDeletion(
  parts: Parts,
  config: ChatwootConfig,
  row: ChatwootMessage,
  attempts: number,
): Promise<void> {
  // An agent deleted it, unless a former attempt noted it.
  if ((row.isDeleted && attempts === 0) || row.cwId === null) return
  // Before the call, so that its webhook is known as ours.
  await parts.store.messages.noteDeleted(config.instance, row.messageid)
  await createChatwootApi(parts, config).deleteMessage(row.conversationId, row.cwId).catch(unlessPassing)
}

/** A state that Chatwoot refuses for good is left: old releases know none, and the message may be gone. */
function unlessPassing(error: unknown): void {
  if (error instanceof ChatwootRefusal && error.kind !== 'away' && error.kind !== 'busy' && error.statusCode !== 401)
    return
  throw error
}
