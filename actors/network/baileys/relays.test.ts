import assert from 'node:assert/strict'
import { it } from 'node:test'
import { NetworkRelays, type RelaySession } from './relays.js'

const OWN = '100000000000001'
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Relays over a network that answers each question about devices when `answer` is called. */
function scene() {
  const devices = new Map<string, unknown>()
  const asked: { readonly person: string; readonly answer: (error?: Error) => void }[] = []
  const relays = new NetworkRelays({
    devices: devices as never,
    group: async () => assert.fail('No group is asked for.'),
  })
  const socket = {
    authState: { keys: { transaction: (work: () => Promise<unknown>) => work() } },
    signalRepository: { jidToSignalProtocolAddress: (jid: string) => jid },
    assertSessions: async () => true,
    executeUSyncQuery: ({ users }: { readonly users: readonly { readonly id: string }[] }) =>
      new Promise((resolve, reject) => {
        const person = users.at(-1)?.id ?? ''
        const answer = (error?: Error): void => {
          if (error !== undefined) reject(error)
          else resolve({ list: users.map(({ id }) => ({ id, devices: { deviceList: [{ id: 0 }] } })) })
        }
        asked.push({ person, answer })
      }),
  }
  relays.start({
    socket,
    credentials: { me: { id: '15550001111@s.whatsapp.net', lid: `${OWN}@lid` } },
    keys: { learn: async () => {}, get: async () => ({}), setLater: () => {} },
  } as unknown as RelaySession)
  return { relays, asked }
}

it('meets several people at once, each of them once, as soon as the devices of the account are known', async () => {
  const { relays, asked } = scene()
  const people = ['2', '3', '4'].map((last) => `10000000000000${last}@lid`)
  const [first = '', second = '', third = ''] = people
  const prepared = [relays.prepare(first), relays.prepare(second)]
  await turn()
  assert.deepEqual(
    asked.map(({ person }) => person),
    [first],
  )
  asked[0]?.answer()
  await turn()
  prepared.push(relays.prepare(third), relays.prepare(third))
  await turn()
  assert.deepEqual(
    asked.map(({ person }) => person),
    [first, second, third],
  )
  for (const { answer } of asked) answer()
  await Promise.all(prepared)
  await relays.prepare(third)
  assert.equal(asked.length, 3)
})

it('composes a message although the network refuses, or does not answer for two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { relays, asked } = scene()
  const person = '100000000000002@lid'
  const refused = relays.prepare(person)
  await turn()
  asked[0]?.answer(new Error('rate-overlimit'))
  await refused
  const unanswered = relays.prepare(person)
  await turn()
  t.mock.timers.tick(2_000)
  await unanswered
  assert.equal(asked.length, 2)
})
