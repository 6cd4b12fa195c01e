import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

interface Frame {
  readonly sequence: number
  readonly xmlns: string | undefined
  readonly child: string | undefined
}

describe('a chat whose session is settled', () => {
  const ANA = '15550730001'
  const PEOPLE = ['15550730101', '15550730102', '15550730103', '15550730104']
  const [BEN = ''] = PEOPLE
  const { world, account: ana } = gatewaySuite({
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
    account: [ANA, 'Ana'],
    phones: Object.fromEntries(PEOPLE.map((number) => [number, number])),
    complete: async () => {
      for (const number of PEOPLE) {
        await ana.text(number, 'hello')
        const answer = await world.write(number, ANA, 'hello yourself')
        await eventually(async () => (await ana.messages({ id: answer })).length === 1)
        await ana.text(number, 'settled')
      }
    },
  })

  const frames = (after: number) =>
    world.network<Frame[]>('GET', `/log/frames?device=${ANA}:1&direction=in&tag=iq&limit=20000&after=${after}`)
  /** Returns the number of requests for keys and for devices that the work causes. */
  const asked = async (work: () => Promise<unknown>): Promise<Record<'encrypt' | 'usync', number>> => {
    const after = (await frames(0)).at(-1)?.sequence ?? 0
    await work()
    const all = await frames(after)
    const count = (name: string) => all.filter(({ xmlns }) => xmlns === name).length
    return { encrypt: count('encrypt'), usync: count('usync') }
  }
  const toAll = async (text: string) => {
    for (const number of PEOPLE) await ana.text(number, text)
  }
  const arrivals = async (number: string, text: string) =>
    (await world.network<{ text: string; arrivals: number }[]>('GET', `/phones/${number}/messages`))
      .filter((message) => message.text === text)
      .map((message) => message.arrivals)

  for (const [what, restart] of [
    [
      'a kill',
      async () => {
        await world.gateway.kill('SIGKILL')
        await world.gateway.start()
      },
    ],
    [
      'a lost connection',
      async () => {
        const logins = () => world.network<{ device: string; end: string | null }[]>('GET', `/log/logins?phone=${ANA}`)
        const { length } = await logins()
        await world.network('POST', '/faults/close', { phone: ANA })
        await eventually(logins, (now) => now.length > length && now.at(-1)?.end === null)
      },
    ],
    [
      'a shutdown',
      async () => {
        await world.gateway.kill('SIGTERM')
        await world.gateway.start()
      },
    ],
  ] as const)
    it(`is used after ${what}, without a request to the network`, async () => {
      await restart()
      await ana.connected()
      assert.deepEqual(await asked(() => toAll(`after ${what}`)), { encrypt: 0, usync: 0 })
      for (const number of PEOPLE) assert.deepEqual(await arrivals(number, `after ${what}`), [1])
      assert.deepEqual(await world.network('GET', '/log/retries'), [])
    })

  for (const how of ['at once', 'from the queue'] as const)
    it(`is used for a file that is sent ${how}, after a kill during its upload`, async () => {
      const after = (await frames(0)).at(-1)?.sequence ?? 0
      await world.network('POST', '/faults', { kind: 'media-upload', code: 500, delayMs: 60_000 })
      const track_id = `file ${how}`
      const file = Buffer.from(`a file that is sent ${how}`).toString('base64')
      const media = { type: 'document', file, docName: 'file.txt', track_id, async: how === 'from the queue' }
      const send = (number: string) => ana.call('POST', '/send/media', { number, ...media })
      const sending = PEOPLE.map((number) => send(number).catch(() => null))
      const uploads = async () => {
        const { rules } = await world.network<{ rules: { applied: number }[] }>('GET', '/faults')
        return rules.reduce((sum, { applied }) => sum + applied, 0)
      }
      await eventually(uploads, (count) => count > 0)
      await world.gateway.kill('SIGKILL')
      await Promise.all(sending)
      await world.network('DELETE', '/faults')
      await world.gateway.start()
      await ana.connected()
      if (how === 'at once') for (const number of PEOPLE) assert.equal((await send(number)).status, 200)
      const arrived = async () => {
        const all = await Promise.all(
          PEOPLE.map((number) => world.network<{ media: object[] }[]>('GET', `/phones/${number}/messages?own=false`)),
        )
        return all.map((messages) => messages.filter(({ media }) => media.length > 0).length)
      }
      const count = how === 'at once' ? 1 : 2
      await eventually(arrived, (counts) => counts.every((one) => one >= count))
      assert.deepEqual(
        await arrived(),
        PEOPLE.map(() => count),
      )
      // The library asks at each login how many keys of its own are left.
      const keyRequests = (await frames(after)).filter(
        ({ xmlns, child }) => xmlns === 'usync' || (xmlns === 'encrypt' && child === 'key'),
      )
      assert.deepEqual(keyRequests, [])
      assert.deepEqual(await world.network('GET', '/log/retries'), [])
    })

  it('has its edits and groups sent with it as well', async () => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Friends',
      members: [ANA, ...PEOPLE.slice(1)],
      addressing: 'lid',
    })
    await ana.text(jid, 'to the group')
    const { id } = await ana.text(BEN, 'with a mistake')
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await ana.connected()
    const requests = await asked(async () => {
      await ana.done('/message/edit', { id, text: 'corrected' })
      await ana.text(jid, 'again')
    })
    assert.deepEqual(requests, { encrypt: 0, usync: 0 })
  })

  it('reaches a device that was linked while the account was away, across a restart', async () => {
    await world.network('POST', '/faults', { kind: 'login-failure', code: 503, phone: ANA })
    await world.network('POST', '/faults/close', { phone: ANA })
    const other = await world.linked(BEN, 'the other device')
    await world.gateway.kill('SIGKILL')
    await world.network('DELETE', '/faults')
    await world.gateway.start()
    await ana.connected()
    await other.connected()
    const { messageid } = await ana.text(BEN, 'to both')
    await eventually(async () => (await other.messages({ id: messageid })).length === 1)
    assert.deepEqual(await arrivals(BEN, 'to both'), [1])
  })
})
