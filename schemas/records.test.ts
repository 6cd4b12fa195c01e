import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats, { type FormatsPlugin } from 'ajv-formats'
import { type ChatRow, chatRecord, sparseChatRecord } from '../runtime/store/chat-record.js'
import { envelope, type StoredEvent } from '../runtime/store/events.js'
import { newMessageRecord, sparseMessageJson } from '../runtime/store/message-record.js'
import type { InstanceId, Jid, MessageId } from './ids.js'
import { loadSchemas } from './schema-registry.js'
import type { NewMessage } from './stored-fields.js'

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
;((formats as unknown as { default?: FormatsPlugin }).default ?? (formats as unknown as FormatsPlugin))(ajv)
const { files } = loadSchemas()
for (const { schema } of files) ajv.addSchema(schema as object)

function assertFits(file: string, value: unknown): void {
  const id = files.find((one) => one.file === file)?.schema.$id
  const validate = ajv.getSchema(id ?? '')
  assert.ok(validate, file)
  // As it leaves: what JSON does not carry is not there.
  const isFit = validate(JSON.parse(JSON.stringify(value)))
  assert.ok(isFit, JSON.stringify(validate.errors))
}

function assertDeclared(file: string, value: object): void {
  const properties = files.find((one) => one.file === file)?.schema.properties as object
  assert.deepEqual(
    Object.keys(value).filter((key) => !Object.hasOwn(properties, key)),
    [],
  )
}

const owner = '5511999990001'
const now = new Date(1_700_000_000_000)

const message: NewMessage = {
  messageid: '3EB0' as MessageId,
  chat: { pn: '5511999990002@s.whatsapp.net' as Jid, lid: '12345@lid' as Jid },
  fromMe: false,
  isGroup: false,
  messageType: 'text',
  type: 'text',
  messageTimestampMs: now.getTime(),
  sender: '12345@lid' as Jid,
  status: 'delivered',
  text: 'hi',
  content: 'hi',
}

const place = { id: 'r0a1b2c3', wa_chatid: '5511999990002@s.whatsapp.net', wa_chatlid: '12345@lid', chat_name: '', now }
const record = newMessageRecord(message, place, owner)
const chat: ChatRow = { id: 7, instance_id: 'i1', wa_chatid: place.wa_chatid, created: now, updated: now }

describe('the changes that the store emits', () => {
  it('of a message fits its schema, and every field of it is declared', () => {
    assertFits('records/message.json', record)
    assertDeclared('records/message.json', record)
  })

  it('of a chat fits its schema, and every field of it is declared', () => {
    assertFits('records/chat.json', chatRecord(chat, owner))
    assertDeclared('records/chat.json', chatRecord(chat, owner))
  })

  it('of an event fits its schema', () => {
    const origin = { url: () => 'http://localhost', fileUrl: () => '' }
    const stored = (kind: StoredEvent['kind'], body: object): StoredEvent => ({
      instance: 'i1' as InstanceId,
      instanceName: 'one',
      owner,
      sequence: 1,
      position: 1,
      eventId: 'e1',
      kind,
      flags: null,
      created: now,
      body: JSON.stringify(body),
      traceparent: null,
    })
    const sparse = {
      chat: sparseChatRecord(chat, owner),
      message: JSON.parse(sparseMessageJson(record, JSON.stringify(record.content))),
    }
    const messages = envelope(stored('messages', sparse), origin)
    assertFits('events/messages.json', messages)
    assertFits('events/chats.json', envelope(stored('chats', { chat: sparse.chat }), origin))
    assertDeclared('events/envelope.json', envelope(stored('presence', {}), origin))
  })
})
