import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'

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
  const listParts = async (id: string) =>
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

  /** Everybody shows the post once. Returns from how many stanzas each of them got it. */
  async function assertPostedOnce(id: string, text: string): Promise<number[]> {
    const arrivals: number[] = []
    for (let one = 0; one < PEOPLE; one += 1) {
      const [message, ...more] = await eventually(
        () => network<Shown[]>('GET', `/phones/${number(one)}/messages?own=false`),
        (messages) => messages.some((each) => each.id === id),
      ).then((messages) => messages.filter((each) => each.text === text))
      assert.deepEqual([message?.id, more], [id, []], `phone ${one}`)
      arrivals.push(message?.arrivals ?? 0)
    }
    return arrivals
  }

  it('is killed after each of its parts, and continues where it stopped: nobody misses it, and nobody shows it twice', async (t) => {
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const reached = async (id: string) => {
      const { rows } = await database.query('SELECT reached FROM status_post WHERE messageid = $1', [id])
      return Number(rows[0]?.reached ?? 0)
    }
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
        () => reached(id),
        (people) => people >= kill * 256,
      )
      await world.gateway.kill('SIGKILL')
      await world.gateway.start()
      await ana.connected()
    }
    await lost
    await network('DELETE', `/faults/${slow.id}`)
    await sent(id)
    const arrivals = await assertPostedOnce(id, 'to many')
    // A part whose answer was lost is repeated, and no part that the network took before.
    assert.equal(Math.max(...arrivals.slice(0, 256)), 1)
    assert.ok(Math.max(...arrivals) <= 2, JSON.stringify(arrivals))
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
      (await listParts(body.Id)).map(({ devices }) => devices),
      [256, 256, 49],
    )
    assert.equal(Math.max(...(await assertPostedOnce(body.Id, 'in parts'))), 1)
  })
})
