import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'

interface PhoneMessage {
  id: string
  text: string
  arrivals: number
  own: boolean
}

it('two accounts write to each other: each text is on both phones once, and both webhooks hear of it in order', async (t) => {
  const world = await startWorld(t)
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550001111', 'Ana')
  const ben = await world.paired('15550002222', 'Ben')
  for (const instance of [ana, ben]) await instance.hook(receiver.url)

  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
  for (const text of texts) {
    const sent = await ana.text(ben.number, text)
    assert.equal(sent.status, 'sent')
    await ben.text(ana.number, `answer to ${text}`)
  }

  const phone = await world.network<PhoneMessage[]>('GET', `/phones/${ben.number}/messages`)
  const received = phone.filter(({ own }) => !own)
  assert.deepEqual(
    received.map(({ text }) => text),
    texts,
  )
  assert.ok(phone.every(({ arrivals }) => arrivals === 1))
  assert.deepEqual(await world.network('GET', `/phones/${ben.number}/failures`), [])
  assert.deepEqual(await world.network('GET', '/log/retries'), [])

  const heard = await eventually(
    () => receiver.of('messages').filter(({ body }) => body.owner === ben.number),
    (all) => all.length === 40,
  )
  const inbound = heard
    .map(({ body }) => body.message as { text: string; fromMe: boolean })
    .filter(({ fromMe }) => !fromMe)
  assert.deepEqual(
    inbound.map(({ text }) => text),
    texts,
  )
  assert.equal(new Set(heard.map(({ body }) => body.eventId)).size, 40)
})
