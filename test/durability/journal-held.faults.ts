import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld } from '../support/world.js'
import { doubled } from './tally.js'

interface Frame {
  readonly sequence: number
  readonly atMs: number
  readonly tag: string
  readonly id?: string
  readonly class?: string
  readonly type?: string
}

const HELD_MS = 10_000
const BEN = '15550730002'

it('while a commit takes 10 s no frame leaves before its causes are durable; then everything arrives once and in order', async (t) => {
  const world = await startWorld(t)
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550730001', 'Ana')
  const eve = await world.paired('15550730003', 'Eve')
  await world.phone(BEN)
  await world.phone('15550730004')
  await ana.hook(receiver.url)
  const write = (text: string) => world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ana.number, text })
  // Sessions are made and everything that a first message causes is over.
  await ana.text(BEN, 'before')
  await eve.text('15550730004', 'before')
  await write('before')
  await eventually(
    () => receiver.of('messages').length,
    (count) => count >= 2,
  )
  const device = `${ana.number}:1`
  const frames = (after: number) =>
    world.network<Frame[]>('GET', `/log/frames?device=${device}&direction=in&limit=20000&after=${after}`)
  const logins = async () => (await world.network<unknown[]>('GET', '/log/logins')).length
  const [loginsBefore, sequence] = [await logins(), (await frames(0)).at(-1)?.sequence ?? 0]

  const database = await connectDatabase(t, world.gateway.databaseUrl)
  // Rows can be read, but none be written.
  await database.query('BEGIN; LOCK TABLE message IN EXCLUSIVE MODE')
  const heldAtMs = Date.now()
  const texts = Array.from({ length: 8 }, (_, index) => `${index}`)
  const received: string[] = []
  const sends = texts.map(async (index) => {
    await pause(Number(index) * 50)
    return await ana.call('POST', '/send/text', { number: BEN, text: `out ${index}` })
  })
  for (const index of texts) received.push((await write(`in ${index}`)).id)
  const other = eve.call('POST', '/send/text', { number: '15550730004', text: 'other' })
  await pause(HELD_MS - (Date.now() - heldAtMs))
  const heldBack = await frames(sequence)
  const releasedAtMs = Date.now()
  await database.query('COMMIT')

  const isOfMessage = ({ tag, class: of }: Frame) => tag === 'message' || tag === 'receipt' || of === 'message'
  assert.deepEqual(heldBack.filter(isOfMessage), [])
  const isGood = (status: unknown, headers: Headers) => status === 200 || (status === 503 && headers.has('retry-after'))
  for (const { status, headers, body } of [...(await Promise.all(sends)), await other])
    assert.ok(isGood(status, headers), `${status} ${JSON.stringify(body)}`)

  const outbound = texts.map((index) => `out ${index}`)
  const atPhone = async () =>
    (await world.network<{ text: string; own: boolean }[]>('GET', `/phones/${BEN}/messages`))
      .filter(({ own, text }) => !own && text.startsWith('out'))
      .map(({ text }) => text)
  assert.deepEqual(await eventually(atPhone, (all) => all.length >= outbound.length), outbound)
  const told = () =>
    receiver
      .of('messages')
      .map(({ body }) => (body.message as { text: string }).text)
      .filter((text) => text.startsWith('in '))
  const inbound = texts.map((index) => `in ${index}`)
  assert.deepEqual(await eventually(told, (all) => all.length >= inbound.length), inbound)
  const later = await eventually(
    () => frames(sequence),
    (all) => received.every((id) => all.some((frame) => frame.tag === 'receipt' && frame.id === id)),
  )
  for (const frame of later.filter(isOfMessage)) assert.ok(frame.atMs >= releasedAtMs, JSON.stringify(frame))
  const messages = later.filter(({ tag }) => tag === 'message').map(({ id }) => id ?? '')
  assert.deepEqual(doubled(messages), [])
  assert.equal(await logins(), loginsBefore, 'somebody was disconnected')
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
})
