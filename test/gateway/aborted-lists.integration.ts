import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gatewaySuite } from '../support/gateway-suite.js'

const [SHOP, ANA] = ['15550471001', '15550471002']
const ABORTED = 60

describe('a list whose reader goes away', () => {
  const { world, account } = gatewaySuite({ phones: { [ANA]: 'Ana' }, account: [SHOP, 'Shop'] })

  /** Asks, and goes away after so long, with the connection. */
  async function leave(path: string, body: object, afterMs: number): Promise<void> {
    const gone = new AbortController()
    const asked = fetch(`${world.gateway.url}${path}`, {
      method: 'POST',
      headers: { token: account.token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: gone.signal,
    })
      .then((answer) => answer.text())
      .catch(() => {})
    await pause(afterMs)
    gone.abort()
    await asked
  }

  it('leaves its place to the next, whenever it went', async () => {
    for (const name of ['One', 'Two', 'Three']) await account.done('/group/create', { name, participants: [ANA] })
    for (let round = 0; round < ABORTED; round += 1) {
      const afterMs = (round * 7) % 30
      await Promise.all([
        leave('/group/list', { noParticipants: true, pageSize: 100 }, afterMs),
        leave('/group/list', {}, (afterMs + 11) % 30),
        leave('/chat/find', { limit: 20 }, (afterMs + 5) % 30),
      ])
      const { groups } = await account.done<{ groups: unknown[] }>('/group/list', {})
      assert.equal(groups.length, 3)
    }
    const { status } = await account.call('POST', '/chat/find', {})
    assert.equal(status, 200)
  })
})
