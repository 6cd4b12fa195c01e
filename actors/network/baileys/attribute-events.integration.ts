import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { it } from 'node:test'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { until } from '../../../test/sandbox/bare-client.js'
import { useSandbox } from '../../../test/sandbox/fixture.js'
import { spareAttributeEvents } from './open-socket.js'

const fixture = useSandbox(15550037000)

it('receipts and messages cause no events for their attributes, and their listeners read all of them', async () => {
  const { phone, client } = await fixture.linked()
  const other = await fixture.makePhone('Bia')
  const ws = client.socket.ws as unknown as EventEmitter
  const heard: Record<string, BinaryNode['attrs'][]> = { message: [], receipt: [] }
  for (const [tag, all] of Object.entries(heard))
    ws.on(`CB:${tag}`, ({ attrs }: BinaryNode) => void all.push({ ...attrs }))
  spareAttributeEvents(ws)
  const names: string[] = []
  const emit = ws.emit.bind(ws)
  ws.emit = (name, ...values) => {
    names.push(String(name))
    return emit(name, ...values)
  }
  const id = await client.sendText(`${other}@s.whatsapp.net`, 'to Bia')
  await fixture.call('POST', `/phones/${other}/text`, { to: phone, text: 'from Bia' })
  await until('both', () => heard.receipt?.[0] !== undefined && client.messages.length > 0)
  assert.equal(heard.receipt?.[0]?.id, id)
  assert.ok(heard.message?.[0]?.from !== undefined && heard.message[0].t !== undefined)
  const byAttribute = (tag: string) =>
    names.filter((name) => name.startsWith(`CB:${tag},`) && name[tag.length + 4] !== ',')
  assert.deepEqual([...byAttribute('receipt'), ...byAttribute('message')], [])
  assert.ok(byAttribute('ack').length > 0, 'the library emits those of other stanzas')
})
