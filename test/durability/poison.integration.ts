import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type World } from '../support/world.js'

interface Heard {
  readonly text: string
  readonly messageid: string
}

describe('a message that no database takes', () => {
  const cleanup = suiteCleanup()
  let world: World
  before(async () => {
    world = await startWorld(cleanup)
  })

  it('a message id too long for an index is shortened: no instance reconnects, and later messages arrive', async (t) => {
    const receiver = await startReceiver(t)
    const ana = await world.paired('15550820001', 'Ana')
    await world.phone('15550820002', 'Ben')
    await ana.hook(receiver.url)
    const logins = async () => (await world.network<unknown[]>('GET', `/log/logins?phone=${ana.number}`)).length
    const before = await logins()
    const text = (body: object) => world.network('POST', '/phones/15550820002/text', { to: ana.number, ...body })
    await text({ text: 'first' })
    // Longer than an entry of an index may be, and not to be compressed.
    const id = randomBytes(4_000).toString('hex')
    await text({ text: 'a name without end', id })
    await text({ text: 'after' })
    const heard = await eventually(
      () => receiver.of('messages').map(({ body }) => body.message as Heard),
      (all) => all.some((message) => message.text === 'after'),
    )
    assert.equal(heard.length, 3)
    assert.equal(await logins(), before)
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })

  it('a message nested deeper than JSON allows is cut: no instance reconnects, and later messages arrive', async (t) => {
    const receiver = await startReceiver(t)
    const ana = await world.paired('15550830001', 'Ana')
    await world.phone('15550830002', 'Ben')
    await ana.hook(receiver.url)
    const logins = async () => (await world.network<unknown[]>('GET', `/log/logins?phone=${ana.number}`)).length
    const before = await logins()
    let message = field(1, Buffer.from('the innermost'))
    for (let depth = 1; depth <= 1_500; depth += 1) {
      const text = field(1, Buffer.from(String(depth)))
      // Message.extendedTextMessage, and in it contextInfo with its quotedMessage.
      message = field(6, Buffer.concat([text, field(17, field(3, message))]))
      if ([300, 1_350, 1_500].includes(depth))
        await world.network('POST', '/phones/15550830002/message', {
          to: ana.number,
          base64: message.toString('base64'),
        })
    }
    await world.network('POST', '/phones/15550830002/text', { to: ana.number, text: 'after' })
    const heard = await eventually(
      () => receiver.of('messages').map(({ body }) => body.message as Heard),
      (all) => all.some(({ text }) => text === 'after'),
    )
    assert.ok(heard.some(({ text }) => text === '300'))
    const found = await ana.call<{ messages: Heard[] }>('POST', '/message/find', {})
    assert.ok(found.body.messages.some(({ text }) => text === '300'))
    assert.doesNotMatch(JSON.stringify([heard, found.body]), /the innermost/)
    assert.equal(await logins(), before)
  })
})

function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(value.length), value])
}

function varint(value: number): Buffer {
  return Buffer.from(value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)])
}
