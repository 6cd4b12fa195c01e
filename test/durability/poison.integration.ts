import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'

interface Heard {
  readonly text: string
  readonly messageid: string
}

it('a message id too long for an index is shortened: nobody reconnects, and what is behind it comes', async (t) => {
  const world = await startWorld(t)
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
