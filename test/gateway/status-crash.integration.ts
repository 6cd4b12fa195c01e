import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Shown {
  readonly id: string
  readonly text: string | null
  readonly arrivals: number
}

const ANA = '15550430000'
/** Three parts. */
const PEOPLE = 560
const number = (one: number): string => String(15_550_431_000 + one)

describe('a status post to many people', () => {
  const { world, account: ana } = gatewaySuite({
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
    account: [ANA, 'Ana'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const recipients: string[] = []
  const partsOf = async (id: string) =>
    (await network<Json[]>('GET', '/log/status')).filter((stanza) => stanza.id === id)
  const sent = (id: string) =>
    eventually(
      () => ana.messages({ id }),
      ([message]) => message?.status === 'sent',
      120_000,
    )

  before(async () => {
    for (let one = 0; one < PEOPLE; one += 1) {
      await world.phone(number(one))
      const { lid } = await network<{ lid: string }>('GET', `/phones/${number(one)}`)
      recipients.push(lid)
    }
  })

  /** Everybody shows the post once. Returns how many people got it from more than one stanza. */
  async function assertPostedOnce(id: string, text: string): Promise<number> {
    let repeated = 0
    for (let one = 0; one < PEOPLE; one += 1) {
      const [message, ...more] = await eventually(
        () => network<Shown[]>('GET', `/phones/${number(one)}/messages?own=false`),
        (messages) => messages.some((each) => each.id === id),
      ).then((messages) => messages.filter((each) => each.text === text))
      assert.deepEqual([message?.id, more], [id, []], `phone ${one}`)
      if ((message?.arrivals ?? 0) > 1) repeated += 1
    }
    return repeated
  }

  it('is killed after each of its parts, and goes on where it stopped: nobody misses it, and nobody shows it twice', async () => {
    // Answers of the network take long enough for a kill between two parts.
    const slow = await network<{ id: number }>('POST', '/faults', {
      kind: 'delay',
      phone: ANA,
      device: 1,
      delayMs: 400,
    })
    const posting = ana.call<{ Id: string }>('POST', '/send/status', { type: 'text', text: 'to many', recipients })
    const lost = posting.catch(() => null)
    const id = await eventually(
      async () => String((await network<Json[]>('GET', '/log/status'))[0]?.id ?? ''),
      (found) => found !== '',
    )
    for (let kill = 1; kill <= 2; kill += 1) {
      await eventually(
        () => partsOf(id),
        (parts) => parts.length >= kill,
      )
      await world.gateway.kill('SIGKILL')
      await world.gateway.start()
      await ana.connected()
    }
    await lost
    await network('DELETE', `/faults/${slow.id}`)
    await sent(id)
    const repeated = await assertPostedOnce(id, 'to many')
    // A part whose answer was lost is repeated, and no part that the network took before.
    assert.ok(repeated <= 2 * 256, `${repeated} people got it again`)
    const parts = await partsOf(id)
    assert.ok(parts.length >= 3 && parts.length <= 5, JSON.stringify(parts))
  })

  it('is pending until the network has taken all of its parts, then it is sent', async () => {
    const slow = await network<{ id: number }>('POST', '/faults', {
      kind: 'delay',
      phone: ANA,
      device: 1,
      delayMs: 300,
    })
    const { body } = await ana.call<Json & { Id: string }>('POST', '/send/status', {
      type: 'text',
      text: 'in parts',
      recipients,
    })
    await sent(body.Id)
    await network('DELETE', `/faults/${slow.id}`)
    assert.deepEqual(
      (await partsOf(body.Id)).map(({ devices }) => devices),
      [256, 256, 49],
    )
    assert.equal(await assertPostedOnce(body.Id, 'in parts'), 0)
  })
})
