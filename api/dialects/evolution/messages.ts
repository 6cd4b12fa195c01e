/** Stored messages: search, marks, changes and files. */
import { Readable } from 'node:stream'
import { evolutionMessage } from '../../../schemas/dialects/evolution/message.js'
import { GatewayError } from '../../../schemas/errors.js'
import { Answer } from '../../route.js'
import { downloadMessage } from '../../routes/message/download.js'
import { findMessages } from '../../routes/message/find.js'
import { markRead } from '../../routes/message/markread.js'
import { deleteMessage, editMessage } from '../../routes/message/revisions.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { evolutionPage } from './chats.js'
import { asObject, asText, flag, list, messageKey, number, object, text, toJid, whole } from './fields.js'

// Bound: 1,048,576, a body or header of a request.

const shared = { area: 'Messages', opens: 'instance', method: 'POST' } as const
const PAGE_SIZE = 50
const where = { type: 'object', description: 'What is searched.' }
const page = { page: whole('Page, from 1.', 1, 1_000_000), offset: whole('Size of a page.', 0, 1_000) }

interface Found {
  readonly messages: readonly Json[]
  readonly hasMore: boolean
}

export const evolutionMessageRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    path: '/chat/markMessageAsRead',
    name: 'markMessageAsRead',
    summary: 'Mark received messages as read',
    status: 201,
    operations: [markRead],
    body: object({ readMessages: { ...list(messageKey, 'Keys of the messages.', 1_000), minItems: 1 } }, [
      'readMessages',
    ]),
    async handle(call) {
      const ids = (call.body.readMessages as readonly Json[]).map(({ id }) => id)
      const { results } = await call.ask<{ results: readonly Json[] }>(markRead, { body: { id: ids } })
      const failed = results.find(({ status }) => status !== 'success')
      // The original says so for any id. A client that is told of success would wait for a mark that never comes.
      if (failed !== undefined && results.every(({ status }) => status !== 'success'))
        throw new GatewayError('MESSAGE_NOT_FOUND', { message: asText(failed.error) || 'Message not found' })
      return { message: 'Read messages', read: 'success' }
    },
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/chat/deleteMessageForEveryone',
    name: 'deleteMessageForEveryone',
    summary: 'Delete a message of the account for everyone',
    status: 201,
    operations: [deleteMessage],
    differs: 'Messages of others cannot be deleted, by admins of a group neither.',
    body: object(
      {
        id: { ...text('Id of the message.', 200), minLength: 1 },
        fromMe: flag('Whether the account sent it.'),
        remoteJid: text('Its chat.', 100),
        participant: text('Its author, in a group.', 100),
      },
      ['id', 'fromMe', 'remoteJid'],
    ),
    async handle(call) {
      const { id, remoteJid } = call.body
      const { id: change, timestamp } = await call.ask(deleteMessage, { body: { id } })
      const key = { remoteJid: toJid(remoteJid), fromMe: true, id }
      return {
        key: { ...key, id: change },
        message: { protocolMessage: { key, type: 'REVOKE' } },
        messageTimestamp: Math.floor(Number(timestamp) / 1_000),
        status: 'PENDING',
      }
    },
  },
  {
    ...shared,
    path: '/chat/updateMessage',
    name: 'updateMessage',
    summary: 'Change a text that was sent',
    status: 200,
    operations: [editMessage],
    differs: 'Texts only, for 20 minutes.',
    body: object({ number, key: messageKey, text: { ...text('The new text.', 65_536), minLength: 1 } }, [
      'key',
      'text',
    ]),
    async handle(call) {
      const { id, remoteJid } = asObject(call.body.key)
      const written = call.body.text
      const reply = await call.ask(editMessage, { body: { id, text: written, placeholders: false } })
      const key = { remoteJid: toJid(call.body.number ?? remoteJid), fromMe: true, id }
      return {
        key: { ...key, id: reply.messageid },
        message: { protocolMessage: { key, type: 'MESSAGE_EDIT', editedMessage: { conversation: written } } },
        messageTimestamp: Math.floor(Number(reply.messageTimestamp) / 1_000),
        status: 'PENDING',
      }
    },
  },
  {
    ...shared,
    path: '/chat/findMessages',
    name: 'findMessages',
    summary: 'Search stored messages, newest first',
    status: 200,
    operations: [findMessages],
    differs:
      '`total` and `pages` count what was seen and one more, while there is more. Of `where` the id, the chat, `fromMe`, the type and the times count; the last three within the page.',
    body: object({ where, ...page }),
    handle: messagesFound,
  },
  {
    ...shared,
    path: '/chat/findStatusMessage',
    name: 'findStatusMessage',
    summary: 'Show the status of messages',
    status: 200,
    operations: [findMessages],
    differs: 'One entry for each message, with its newest status.',
    body: object({ where, ...page }),
    handle: statusesFound,
  },
  {
    ...shared,
    path: '/chat/getBase64FromMediaMessage',
    name: 'getBase64FromMediaMessage',
    summary: 'Give the file of a message as base64',
    status: 201,
    operations: [downloadMessage, findMessages],
    differs: '`convertToMp4` converts nothing.',
    body: object(
      {
        message: { ...object({ key: messageKey }, ['key']), description: 'The message.' },
        convertToMp4: flag('Not used.'),
      },
      ['message'],
    ),
    handle: fileAsBase64,
  },
]

async function messagesFound(call: DialectCall): Promise<Json> {
  const { key, messageType, messageTimestamp } = asObject(call.body.where)
  const { id, remoteJid, fromMe } = asObject(key)
  const { limit, offset } = evolutionPage(call.body, PAGE_SIZE)
  const found = await searched(call, { id, chat: remoteJid, limit, offset })
  const { gte, lte } = asObject(messageTimestamp)
  const [from, until] = [toTimeMs(gte, 0), toTimeMs(lte, Number.POSITIVE_INFINITY)]
  const records = found.messages
    .map((record) => ({ record, made: evolutionMessage(record, { instanceId: call.instance?.id ?? '' }) }))
    .filter(({ record }) => fromMe === undefined || record.fromMe === fromMe)
    .filter(({ made }) => messageType === undefined || made.messageType === messageType)
    .filter(({ record }) => Number(record.messageTimestamp) >= from && Number(record.messageTimestamp) <= until)
    .map(({ record, made }) => ({ id: record.id, ...made, MessageUpdate: [{ status: toStatus(record) }] }))
  const total = offset + found.messages.length + (found.hasMore ? 1 : 0)
  const currentPage = Math.floor(offset / limit) + 1
  return { messages: { total, pages: Math.ceil(total / limit), currentPage, records } }
}

async function statusesFound(call: DialectCall): Promise<readonly Json[]> {
  const { id, keyId, remoteJid, fromMe } = asObject(call.body.where)
  const { limit, offset } = evolutionPage(call.body, PAGE_SIZE)
  const { messages } = await searched(call, { id: keyId ?? id, chat: remoteJid, limit, offset })
  return messages
    .filter((record) => fromMe === undefined || record.fromMe === fromMe)
    .map((record) => ({
      id: record.id,
      keyId: record.messageid,
      remoteJid: record.chatid,
      fromMe: record.fromMe,
      participant: record.isGroup === true ? asText(record.sender_pn) || record.sender : null,
      pollUpdates: null,
      status: toStatus(record),
      messageId: record.id,
      instanceId: call.instance?.id,
    }))
}

function searched(
  call: DialectCall,
  { id, chat, limit, offset }: { id: unknown; chat: unknown; limit: number; offset: number },
): Promise<Found> {
  return call.ask<Found>(findMessages, {
    body: {
      ...(asText(id) === '' ? {} : { id }),
      ...(asText(chat) === '' ? {} : { chatid: toJid(chat) }),
      limit,
      offset,
    },
  })
}

const STATUSES: Readonly<Record<string, string>> = {
  sent: 'SERVER_ACK',
  delivered: 'DELIVERY_ACK',
  read: 'READ',
  played: 'PLAYED',
  failed: 'ERROR',
  deleted: 'DELETED',
}

function toStatus({ status }: Json): string {
  return STATUSES[asText(status).toLowerCase()] ?? 'PENDING'
}

/** Returns milliseconds from a time as text, or as seconds. */
function toTimeMs(given: unknown, missing: number): number {
  if (typeof given === 'number') return given * 1_000
  const atMs = Date.parse(asText(given))
  return Number.isNaN(atMs) ? missing : atMs
}

async function fileAsBase64(call: DialectCall): Promise<Answer> {
  const { instance, context, body } = call
  const { id } = asObject(asObject(body.message).key)
  // Checks the rights of the call, and that there is a file.
  await call.ask(downloadMessage, { body: { id, return_base64: false, return_link: false, generate_mp3: false } })
  const { messages } = await call.ask<Found>(findMessages, { body: { id, limit: 10 } })
  const record = messages.at(-1)
  if (record === undefined || instance === null) throw new GatewayError('MESSAGE_NOT_FOUND')
  const file = await context.ports.media.open(instance.id, String(record.id), 'own')
  const { messageType, message } = evolutionMessage(record, { instanceId: instance.id })
  const part = asObject(asObject(message)[String(messageType)])
  const facts = {
    mediaType: messageType,
    fileName: asText(part.fileName) || `${String(record.messageid)}.${findExtension(file.mimetype)}`,
    ...(asText(part.caption) === '' ? {} : { caption: part.caption }),
    size: { fileLength: part.fileLength ?? null, height: part.height ?? null, width: part.width ?? null },
    mimetype: file.mimetype,
  }
  return new Answer({
    status: 201,
    type: 'application/json; charset=utf-8',
    body: base64Stream(JSON.stringify(facts), file.body),
  })
}

function findExtension(mimetype: string): string {
  return /^[\w.+-]+\/([\w.+-]+)/.exec(mimetype)?.[1] ?? 'bin'
}

/** Writes the answer while it reads the file, which may be larger than memory. */
function base64Stream(facts: string, file: Readable): Readable {
  file.on('error', () => {})
  const answer = Readable.from(
    (async function* () {
      yield `${facts.slice(0, -1)},"base64":"`
      let rest: Buffer = Buffer.alloc(0)
      for await (const chunk of file as AsyncIterable<Buffer>) {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
        const size = bytes.length - (bytes.length % 3)
        rest = bytes.subarray(size)
        yield bytes.toString('base64', 0, size)
      }
      yield `${rest.toString('base64')}","buffer":null}`
    })(),
    { objectMode: false },
  )
  return answer.once('close', () => file.destroy())
}
