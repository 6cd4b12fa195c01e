import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aMessage } from '../../test/support/store.js'
import { newMessageRecord, sparseMessageJson } from './message-record.js'

const place = { id: 'r0000001', wa_chatid: '1@s.whatsapp.net', wa_chatlid: '', chat_name: '', now: new Date(0) }

it('the JSON of a message in an event has what differs from the defaults, in the order of the record', () => {
  const message = aMessage({
    text: 'said "so"\n',
    content: { text: 'é', list: [1, null] },
    senderLid: undefined as never,
  })
  const record = newMessageRecord(message, place, '2')
  const json = sparseMessageJson(record, JSON.stringify(message.content))
  const { ai_metadata: _, ...rest } = record
  const expected = Object.entries(rest).filter(([, value]) => value !== '' && value !== false)
  assert.equal(json, JSON.stringify(Object.fromEntries(expected)))
})

it('the JSON of a message without content does not have it', () => {
  const record = newMessageRecord(aMessage({ content: null }), place, '')
  const json = sparseMessageJson(record, 'null')
  assert.equal('content' in (JSON.parse(json) as object), false)
})
