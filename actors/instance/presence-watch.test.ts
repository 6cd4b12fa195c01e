import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { AccountPresence } from '../../schemas/presence-kind.js'
import { PresenceWatch } from './presence-watch.js'
import type { SendsContext } from './sends/context.js'

const makePerson = (index: number): ChatAddress => ({
  pn: `1555000${index}@s.whatsapp.net` as Jid,
  lid: `${index}@lid` as Jid,
})
const isOnline = (person: ChatAddress, state: 'available' | 'composing' = 'available') =>
  ({ type: 'presence', chat: person, sender: person, state }) as const

/** A watch whose network answers each subscription at once, unless it is silent. */
function scene(own: AccountPresence = 'available', isSilent = false, stored = { watched: '' }) {
  const subscribed: string[] = []
  const shown: string[] = []
  let connection: object
  const context = {
    id: 'i1' as InstanceId,
    logger: pino({ level: 'silent' }),
    reader: { presence: async () => own, watched: async () => stored.watched },
    connection: async () => connection,
  } as unknown as SendsContext
  const watch = new PresenceWatch(context, (changes) => {
    for (const change of changes) if (change.type === 'instance') Object.assign(stored, change.set)
  })
  const connect = (): void => {
    connection = {
      presence: {
        show: async (presence: string) => void shown.push(presence),
        subscribe: async (person: ChatAddress) => {
          subscribed.push(person.lid ?? '')
          if (!isSilent) watch.take(isOnline({ lid: person.lid as Jid }))
        },
      },
    }
  }
  connect()
  return { watch, subscribed, shown, connect }
}

describe('the watch on presence', () => {
  it('asks once for each person and connection, and again after a login', async () => {
    const { watch, subscribed, shown, connect } = scene()
    for (const _ of [1, 2]) assert.equal((await watch.look(makePerson(1))).presence, 'available')
    assert.deepEqual(subscribed, ['1@lid'])
    connect()
    await watch.show()
    assert.deepEqual([subscribed, shown], [['1@lid', '1@lid'], ['available']])
    assert.equal((await watch.look(makePerson(1))).presence, 'available')
    assert.equal(subscribed.length, 2)
  })

  it('asks again for the same people under its next owner, except those at whom nobody looked for a week', async () => {
    const stored = { watched: '' }
    const former = scene('available', false, stored)
    for (const index of [1, 2, 3, 4]) await former.watch.look(makePerson(index))
    stored.watched = stored.watched.replace(/("lid":"3@lid"},"lookedAtMs":)\d+/, (_, before) => `${before}1`)
    // The clock of the former owner was years ahead.
    stored.watched = stored.watched.replace(/("lid":"4@lid"},"lookedAtMs":)\d+/, (_, before) => `${before}4e12`)
    const { watch, subscribed } = scene('available', false, stored)
    await watch.show()
    assert.deepEqual(subscribed.toSorted(), ['1@lid', '2@lid'])
    assert.equal((await watch.look(makePerson(1))).presence, 'available')
    assert.equal(subscribed.length, 2)
    watch.forget()
    assert.equal(stored.watched, '')
  })

  it('takes a stored list that is none as empty', async () => {
    for (const watched of ['x', '{}', '[null]', '[{"person":{}}]', '[{"person":{"pn":1},"lookedAtMs":1}]']) {
      const { watch, subscribed } = scene('available', false, { watched })
      await watch.show()
      assert.deepEqual(subscribed, [], watched)
    }
  })

  it('finds a person by each address', async () => {
    const { watch } = scene()
    await watch.look(makePerson(1))
    watch.take(isOnline({ pn: makePerson(1).pn as Jid }, 'composing'))
    assert.equal((await watch.look({ lid: '1@lid' as Jid })).activity, 'composing')
  })

  it('says that nothing is known when the network is silent', async () => {
    const { watch } = scene('available', true)
    assert.deepEqual(await watch.look(makePerson(1)), {
      presence: 'unknown',
      activity: null,
      lastSeenMs: null,
      isLastSeenHidden: false,
      knownAtMs: null,
    })
  })

  it('shows nothing after a login of an account that is unavailable', async () => {
    const { watch, shown } = scene('unavailable')
    watch.announce()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(shown, [])
    await assert.rejects(watch.look(makePerson(1)), { code: 'ACCOUNT_UNAVAILABLE' })
  })

  it('limits subscriptions and events of an instance', async () => {
    const { watch, subscribed } = scene()
    for (let index = 0; index < 60; index += 1) await watch.look(makePerson(index))
    await assert.rejects(watch.look(makePerson(60)), { code: 'RATE_LIMITED' })
    assert.equal(subscribed.length, 60)
    let told = 0
    for (let index = 0; index < 1_000; index += 1) if (watch.take(isOnline(makePerson(1)))) told += 1
    assert.equal(told, 240, 'with the 60 first words, 300 in a minute')
  })
})
