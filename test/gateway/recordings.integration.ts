import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { assertGolden, kindsIn } from '../support/golden.js'
import type { TestInstance } from '../support/world.js'

interface Shown {
  recording: boolean
  node: string
  file: string | null
  stanzas: number
  content: string
}

const [ANA, BEN, KIM] = ['15550910001', '15550910002', '15550910003']
const NAME = 'Canary Silva'

describe('the recording of an instance', () => {
  let ana: TestInstance
  const { world } = gatewaySuite({
    // Keep-alives and looks at the account's limits would come into the recordings by chance.
    env: { NETWORK_SILENCE_MAX_MS: '600000', RECONNECT_DELAY_MAX_MS: '200', LIMITS_CHECK_MS: '0' },
    phones: { [ANA]: NAME, [BEN]: 'canary-of-ben', [KIM]: 'Kim' },
    complete: async () => {
      ana = await world.instance('Ana', ANA)
    },
  })

  const path = (instance: TestInstance) => `/admin/instances/${instance.id}/recording`
  const record = async (recording: boolean, instance = ana) => {
    const answer = await world.gateway.call<Shown>('POST', path(instance), { admin: true, body: { recording } })
    assert.deepEqual([answer.status, answer.body.recording], [200, recording], JSON.stringify(answer.body))
  }
  const show = async (instance = ana) => (await world.gateway.call<Shown>('GET', path(instance), { admin: true })).body
  /** Stops the recording once nothing has been added to it for half a second; returns its lines. */
  const finished = async (instance = ana) => {
    let [last, since] = [-1, 0]
    await eventually(async () => {
      const { stanzas } = await show(instance)
      if (stanzas !== last) [last, since] = [stanzas, performance.now()]
      return performance.now() - since > 500
    })
    await record(false, instance)
    return (await show(instance)).content
  }
  const pair = async () => {
    const shown = await ana.done<{ instance: { paircode: string } }>('/instance/connect', { phone: ANA })
    await world.network('POST', `/phones/${ANA}/code`, { code: shown.instance.paircode })
    await ana.connected()
  }

  it('has every stanza of a pairing, of sends and of errors, as the golden files have them', async () => {
    await record(true)
    await pair()
    assertGolden('pairing', await finished())

    await record(true)
    const sent = await ana.text(BEN, 'canary-of-a-text')
    await world.shownAt(BEN, sent.messageid)
    const id = await world.write(BEN, ANA, 'canary-of-an-answer')
    await eventually(
      () => ana.messages({ id }),
      (found) => found.length === 1,
    )
    await ana.done('/message/react', { number: BEN, id, text: '👍' })
    assertGolden('sends', await finished())

    await record(true)
    await world.network('POST', '/faults', { kind: 'ack-error', phone: ANA, code: 479, times: 1 })
    assert.equal((await ana.call('POST', '/send/text', { number: BEN, text: 'x' })).status, 502)
    await world.network('POST', '/faults/stream-error', { code: 503, phone: ANA })
    await eventually(async () => (await show()).content.includes('"connection":"closed"'))
    await ana.connected()
    assertGolden('errors', await finished())
  })

  it('has no content, name, number, key or token', async () => {
    await record(true)
    await world.network('POST', '/groups', { owner: BEN, subject: 'canary-of-a-group', members: [ANA, KIM] })
    await ana.done('/group/create', { name: "canary' type='canary", participants: [BEN] })
    await ana.done('/send/contact', { number: BEN, fullName: 'canary-of-a-card', phoneNumber: KIM })
    await world.write(KIM, ANA, 'canary-of-kim')
    const lines = (await finished()).trim().split('\n')
    assert.ok(lines.length > 10)
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${ANA}`)
    for (const line of lines.slice(1)) {
      const { stanza } = JSON.parse(line) as { stanza?: object }
      const text = JSON.stringify(stanza ?? {})
      for (const secret of ['anary', 'Silva', ANA, BEN, KIM, lid.split('@')[0] ?? '', ana.token, ana.id])
        assert.ok(!text.includes(secret), `${secret} in ${text}`)
      assert.doesNotMatch(text, /\d{5}|"[^"]{60}/, text)
    }
  })

  it('is replayed by the simulated network, and the gateway answers as it did', async () => {
    // A replay has no contents, so that the gateway cannot decrypt messages, and asks for them again.
    const answers = (recording: string) =>
      kindsIn(recording).filter((kind) => /^sent (<ack class=notification|<receipt .*<offer )/.test(kind))
    await record(true)
    await world.write(BEN, ANA, 'to be recorded')
    await world.network('POST', '/groups', { owner: BEN, subject: 'to be recorded', members: [ANA] })
    await world.network('POST', `/phones/${BEN}/call`, { to: ANA })
    const first = await finished()
    assert.equal(answers(first).length, 2, first)

    const zoe = await world.paired('15550910004', 'Zoe')
    await record(true, zoe)
    const { sent } = await world.network<{ sent: number }>('POST', '/replay', {
      phone: zoe.number,
      recording: first,
    })
    assert.ok(sent >= 3)
    const second = await finished(zoe)
    assert.deepEqual(answers(second), answers(first))
    assert.ok(kindsIn(second).some((kind) => kind.startsWith('sent <receipt') && kind.includes('type=retry')))
    assert.equal((await zoe.status()).status.connected, true)
  })

  it('is for an administrator, and for an instance that exists', async () => {
    const refused = await ana.call('POST', path(ana), { recording: true })
    assert.equal(refused.status, 401)
    const unknown = await world.gateway.call('POST', '/admin/instances/nobody/recording', {
      admin: true,
      body: { recording: true },
    })
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'INSTANCE_NOT_FOUND'])
  })
})
