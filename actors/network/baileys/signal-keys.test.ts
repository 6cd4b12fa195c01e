import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import { encodeKey } from './key-codec.js'
import { createKeyCache, createSignalKeys } from './signal-keys.js'

it('removes the keys of an ended connection from memory, and keeps those of others', async () => {
  const cache = createKeyCache(100)
  const connection = () =>
    createSignalKeys({
      instance: 'i1' as InstanceId,
      journal: { write: async () => ({ messages: new Map() }) } as unknown as InstanceJournal,
      reader: { keys: async () => new Map() } as unknown as InstanceReader,
      cache,
      onFailure: (error) => assert.fail(String(error)),
    })
  const [ended, open] = [connection(), connection()]
  await ended.set({ 'sender-key': { one: Buffer.from('1') } })
  await open.set({ 'sender-key': { one: Buffer.from('1') } })
  await ended.get('sender-key', ['two'])
  assert.equal(cache.size, 3)

  ended.forget()
  await ended.set({ 'sender-key': { three: Buffer.from('3') } })

  assert.equal(cache.size, 1)
  assert.ok((await open.get('sender-key', ['one'])).one)
})

it('reads a key again after a failure, and ends the connection if that fails, instead of reporting no key', async () => {
  let failures = 3
  const failed: unknown[] = []
  const keys = createSignalKeys({
    instance: 'i1' as InstanceId,
    journal: {} as unknown as InstanceJournal,
    reader: {
      async keys() {
        failures -= 1
        if (failures >= 0) throw new Error('terminating connection due to administrator command')
        return new Map([['one', encodeKey(Buffer.from('1'))]])
      },
    } as unknown as InstanceReader,
    cache: createKeyCache(100),
    onFailure: (error) => void failed.push(error),
  })
  assert.deepEqual((await keys.get('sender-key', ['one'])).one, Buffer.from('1'))
  assert.deepEqual(failed, [])
  failures = Number.POSITIVE_INFINITY
  await assert.rejects(async () => await keys.get('sender-key', ['two']), /terminating connection/)
  assert.equal(failed.length, 1)
})

it('holds only the changes of a turn until its end, and writes new pre-keys at once', async () => {
  const written: string[] = []
  const keys = createSignalKeys({
    instance: 'i1' as InstanceId,
    journal: {
      async write([change]: [{ entries: { kind: string; id: string }[] }]) {
        written.push(...change.entries.map(({ kind, id }) => `${kind} ${id}`))
        return { messages: new Map() }
      },
      settled: () => undefined,
    } as unknown as InstanceJournal,
    reader: { keys: async () => new Map() } as unknown as InstanceReader,
    cache: createKeyCache(100),
    onFailure: (error) => assert.fail(String(error)),
  })
  const bytes = Buffer.from('1')
  keys.hold()
  await keys.set({ 'pre-key': { 7: { public: bytes, private: bytes }, 6: null }, session: { one: bytes } })
  await keys.set({ 'app-state-sync-version': { regular: { version: 1, hash: bytes, indexValueMap: {} } } })
  assert.deepEqual(written, ['pre-key 7', 'app-state-sync-version regular'])
  assert.deepEqual((await keys.get('session', ['one'])).one, bytes)
  assert.deepEqual(
    keys.release().map(({ kind, id }) => `${kind} ${id}`),
    ['pre-key 6', 'session one'],
  )
})

it('lets what the network tells again follow with the next write, and writes a changed mapping at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const writes: string[][] = []
  const keys = createSignalKeys({
    instance: 'i1' as InstanceId,
    journal: {
      async write([change]: [{ entries: { kind: string; id: string }[] }]) {
        writes.push(change.entries.map(({ kind, id }) => `${kind} ${id}`))
        return { messages: new Map() }
      },
      settled: () => undefined,
    } as unknown as InstanceJournal,
    reader: {
      keys: async (_instance: InstanceId, _kind: string, ids: readonly string[]) =>
        new Map(ids.filter((id) => id === 'old').map((id) => [id, encodeKey('7')])),
    } as unknown as InstanceReader,
    cache: createKeyCache(100),
    onFailure: (error) => assert.fail(String(error)),
  })
  const bytes = Buffer.from('1')
  await keys.get('lid-mapping', ['new', 'old'])
  await keys.set({ 'lid-mapping': { new: '1', '1_reverse': 'new' } })
  await keys.set({ 'device-list': { '1': ['0', '3'] } })
  assert.deepEqual(writes, [])
  assert.deepEqual((await keys.get('lid-mapping', ['new'])).new, '1')

  keys.hold()
  await keys.set({ session: { one: bytes } })
  assert.deepEqual(
    keys.release().map(({ kind, id }) => `${kind} ${id}`),
    ['session one', 'lid-mapping new', 'lid-mapping 1_reverse', 'device-list 1'],
  )

  // A mapping that was not looked up may be stored, and one that is stored is not asked for again.
  await keys.set({ 'lid-mapping': { unread: '2', '2_reverse': 'unread' } })
  await keys.set({ 'lid-mapping': { old: '3', '3_reverse': 'old' } })
  assert.deepEqual(writes.splice(0), [
    ['lid-mapping unread', 'lid-mapping 2_reverse'],
    ['lid-mapping old', 'lid-mapping 3_reverse'],
  ])

  await keys.set({ 'device-list': { '4': ['0'] } })
  await keys.set({ tctoken: { '4': { token: bytes, timestamp: '1' } } })
  assert.deepEqual(writes.splice(0), [['tctoken 4', 'device-list 4']])

  await keys.set({ 'device-list': { '5': ['0'] } })
  t.mock.timers.tick(1_000)
  assert.deepEqual(writes.splice(0), [['device-list 5']])
  await keys.set({ 'device-list': { '6': ['0'] } })
  keys.forget()
  t.mock.timers.tick(1_000)
  assert.deepEqual(writes, [])
})

it('reads keys of several kinds with one statement, and reports no key that cannot be read', async () => {
  const statements: string[] = []
  let isAway = false
  const failed: unknown[] = []
  const keys = createSignalKeys({
    instance: 'i1' as InstanceId,
    journal: {} as unknown as InstanceJournal,
    reader: {
      async keys(_instance: InstanceId, kind: string, ids: readonly string[]) {
        statements.push(`${kind} ${ids.join()}`)
        return new Map()
      },
      async keysNamed(_instance: InstanceId, names: readonly { kind: string; id: string }[]) {
        if (isAway) throw new Error('terminating connection due to administrator command')
        statements.push(names.map(({ kind, id }) => `${kind} ${id}`).join())
        return new Map([['lid-mapping:1', encodeKey('2')]])
      },
    } as unknown as InstanceReader,
    cache: createKeyCache(100),
    onFailure: (error) => void failed.push(error),
  })
  const names = [
    { kind: 'lid-mapping', id: '1' },
    { kind: 'session', id: '2_1.0' },
  ] as const
  await keys.learn(names)
  await keys.learn(names)
  assert.deepEqual(await keys.get('lid-mapping', ['1']), { 1: '2' })
  assert.deepEqual(await keys.get('session', ['2_1.0']), {})
  assert.deepEqual(statements, ['lid-mapping 1,session 2_1.0'])
  isAway = true
  await assert.rejects(async () => await keys.learn([{ kind: 'session', id: '3_1.0' }]), /terminating connection/)
  assert.equal(failed.length, 1)
})

it('lets new sessions follow with the next write until something is encrypted with them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const writes: string[][] = []
  const keys = createSignalKeys({
    instance: 'i1' as InstanceId,
    journal: {
      async write([change]: [{ entries: { kind: string; id: string }[] }]) {
        writes.push(change.entries.map(({ kind, id }) => `${kind} ${id}`))
        return { messages: new Map() }
      },
      settled: () => undefined,
    } as unknown as InstanceJournal,
    reader: { keys: async () => new Map() } as unknown as InstanceReader,
    cache: createKeyCache(100),
    onFailure: (error) => assert.fail(String(error)),
  })
  const turn = async (session: string) => {
    keys.hold()
    await keys.set({ session: { one: Buffer.from(session) } })
    return keys.release().map(({ kind, id }) => `${kind} ${id}`)
  }
  assert.deepEqual(await keys.withoutHaste(() => turn('made')), [])
  assert.deepEqual((await keys.get('session', ['one'])).one, Buffer.from('made'))
  assert.deepEqual(await turn('encrypted'), ['session one'])
  t.mock.timers.tick(1_000)
  assert.deepEqual(writes, [])

  await keys.withoutHaste(() => turn('made anew'))
  keys.setLater({ tctoken: { one: { token: Buffer.alloc(0), senderTimestamp: 1 } } })
  assert.deepEqual(writes, [])
  t.mock.timers.tick(1_000)
  assert.deepEqual(writes, [['session one', 'tctoken one']])
})
