/** Webhooks in the form of Evolution API, with the receiver away and the gateway killed: nothing is lost, out of order, or doubled under another id. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { type EvolutionInstance, type Json, pairedEvolution } from '../support/evolution.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { type Receiver, startReceiver } from '../support/receiver.js'

const ANA = '5511988880031'
const BEN = '5511988880032'
const CLEO = '5511988880033'
const ROUNDS = 3
const TEXTS = 15

describe('webhooks of Evolution API under faults', () => {
  let ana: EvolutionInstance
  let receiver: Receiver
  const suite = gatewaySuite({
    env: { DIALECTS: 'evolution', WEBHOOK_BACKOFF_MIN_MS: '100', WEBHOOK_BACKOFF_MAX_MS: '500' },
    phones: { [BEN]: 'Ben', [CLEO]: 'Cleo' },
    complete: async () => {
      receiver = await startReceiver(suite.cleanup)
      const webhook = { url: receiver.url, events: ['MESSAGES_UPSERT', 'SEND_MESSAGE', 'MESSAGES_UPDATE'] }
      ana = await pairedEvolution(suite.world, 'ana', ANA, { webhook })
    },
  })
  const { world } = suite

  it('delivers each text once by its id, in the order of its chat', async () => {
    const sent: Record<string, string[]> = { [BEN]: [], [CLEO]: [] }
    for (let round = 0; round < ROUNDS; round += 1) {
      await receiver.leave()
      for (let index = 0; index < TEXTS; index += 1) {
        const from = index % 2 === 0 ? BEN : CLEO
        sent[from]?.push(await world.write(from, ANA, `text ${round} ${index}`))
        if (index === 5) await world.gateway.kill('SIGKILL')
        if (index === 10) await world.gateway.start()
      }
      await receiver.comeBack()
      const answer = await eventually(async () => {
        const made = await ana
          .call<Json>('POST', '/message/sendText/ana', { number: BEN, text: `answer ${round}` })
          .catch(() => null)
        return made?.status === 201 ? made.body : null
      })
      const id = ((answer as Json).key as Json).id
      await eventually(() => listIds('send.message').includes(String(id)))
      // Killed while deliveries are under way.
      if (round === 1) {
        await world.gateway.kill('SIGKILL')
        await world.gateway.start()
      }
    }
    const all = Object.values(sent).flat()
    await eventually(() => all.every((id) => listIds('messages.upsert').includes(id)))
    for (const ids of Object.values(sent)) {
      const firsts = [...new Set(listIds('messages.upsert').filter((id) => ids.includes(id)))]
      assert.deepEqual(firsts, ids, 'in the order of the chat')
    }
    const names = new Map<string, string>()
    for (const { headers, body } of receiver.got) {
      const { event, data } = body as unknown as { event: string; data: Json }
      const what = `${event} ${String((data.key as Json | undefined)?.id ?? data.keyId)} ${String(data.status)}`
      const id = String(headers['webhook-id'])
      assert.equal(names.get(id) ?? what, what, 'one id, one event')
      names.set(id, what)
    }
    const upserts = [...names.values()].filter((what) => what.startsWith('messages.upsert'))
    assert.equal(upserts.length, all.length, 'a repeated delivery has the id of the first')
  })

  function listIds(event: string): string[] {
    return receiver.got
      .map(({ body }) => body as unknown as Json)
      .filter((body) => body.event === event)
      .map(({ data }) => String(((data as Json).key as Json).id))
  }
})
