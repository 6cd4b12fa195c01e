import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startWorld } from '../support/world.js'

const BEN = '15550760002'

it('a call that waits for the network gets an answer when the connection ends', async (t) => {
  const world = await startWorld(t, { RECONNECT_DELAY_MAX_MS: '200' })
  const ana = await world.paired('15550760001', 'Ana')
  await world.phone(BEN)
  const frames = async () =>
    (await world.network<{ tag: string; child?: string }[]>('GET', `/log/frames?device=${ana.number}:1&limit=20000`))
      .length
  for (const text of ['asks who it is', 'asks for devices and keys']) {
    const fault = await world.network<{ id: number }>('POST', '/faults', {
      kind: 'delay',
      phone: ana.number,
      delayMs: text === 'asks who it is' ? 60_000 : 300,
    })
    const before = await frames()
    const sending = ana.call(
      'POST',
      '/send/text',
      { number: BEN, text },
      { 'idempotency-key': text.replaceAll(' ', '-') },
    )
    await eventually(frames, (count) => count > before + (text === 'asks who it is' ? 0 : 2))
    await world.network('DELETE', `/faults/${fault.id}`)
    await world.network('POST', '/faults/close', { phone: ana.number, abrupt: true })
    const answer = await Promise.race([sending, pause(45_000, undefined, { ref: false })])
    assert.ok(answer !== undefined, `"${text}" was not answered`)
    assert.ok(answer.status === 200 || answer.status === 503, `${answer.status} ${JSON.stringify(answer.body)}`)
    await ana.connected()
  }
  await ana.text(BEN, 'after')
})
