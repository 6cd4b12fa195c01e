import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startDatabaseProxy } from '../support/proxy.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'

type Json = Record<string, unknown>
interface PhoneMessage {
  text: string
  own: boolean
}

it('PostgreSQL away for 4 s: sends say so or wait, nothing is lost or doubled, and all is well afterwards without a hand', async (t) => {
  let proxy: Awaited<ReturnType<typeof startDatabaseProxy>> | undefined
  const world = await startWorld(
    t,
    { RECONNECT_DELAY_MAX_MS: '500', DATABASE_CONNECT_TIMEOUT_MS: '1000' },
    {
      between: async (connectionString) => {
        proxy = await startDatabaseProxy(t, connectionString)
        return proxy.connectionString
      },
    },
  )
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550700001', 'Ana')
  await world.phone('15550700002')
  await ana.hook(receiver.url)

  const accepted: string[] = []
  const answers = new Set<number>()
  const send = async (text: string): Promise<void> => {
    const answer = await ana.call<Json>(
      'POST',
      '/send/text',
      { number: '15550700002', text },
      { 'idempotency-key': text.replace(' ', '-') },
    )
    answers.add(answer.status)
    if (answer.status === 200) accepted.push(text)
  }
  await send('before')
  proxy?.cut()
  assert.equal((await world.gateway.call('GET', '/ready')).status, 503)
  assert.equal((await world.gateway.call('GET', '/health')).status, 200)
  const meanwhile: Promise<void>[] = []
  for (let index = 0; index < 8; index += 1) {
    meanwhile.push(send(`during ${index}`))
    await world.network('POST', '/phones/15550700002/text', { to: ana.number, text: `in ${index}` })
    await pause(500)
  }
  proxy?.mend()
  await Promise.all(meanwhile)
  assert.ok(
    [...answers].every((status) => [200, 503, 504].includes(status)),
    [...answers].join(),
  )
  await ana.connected()
  await send('after')
  assert.ok(accepted.includes('after'))

  const inbound = Array.from({ length: 8 }, (_, index) => `in ${index}`)
  const heard = await eventually(
    () =>
      receiver
        .of('messages')
        .map(({ body }) => body.message as { text: string; fromMe: boolean })
        .filter(({ fromMe }) => !fromMe)
        .map(({ text }) => text),
    (all) => all.length >= inbound.length,
  )
  assert.deepEqual(heard, inbound)
  const phone = (await world.network<PhoneMessage[]>('GET', '/phones/15550700002/messages'))
    .filter(({ own }) => !own)
    .map(({ text }) => text)
  for (const text of accepted) assert.equal(phone.filter((one) => one === text).length, 1, text)
  assert.equal(new Set(phone).size, phone.length)
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
  assert.equal((await world.gateway.call('GET', '/ready')).status, 200)
})
