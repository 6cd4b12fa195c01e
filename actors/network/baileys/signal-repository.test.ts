import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import type { InstanceId } from '../../../schemas/ids.js'
import { keysInMemory, type SignalParty, signalParty } from '../../../test/support/signal-party.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal, KeyEntry } from '../../instance/ports.js'
import { libraryLogger, silenceConsole } from './library-logger.js'
import { createSignalKeys } from './signal-keys.js'
import { signalTurns } from './signal-mutex.js'
import { type RepositoryOptions, wrapSignalRepository } from './signal-repository.js'

const logger = libraryLogger(pino({ level: 'silent' }))

interface Write {
  readonly keys: readonly KeyEntry[]
  readonly texts: readonly string[]
}

/** A party whose writes are recorded. `senderKeyIn` finds sender keys in its messages. */
function recordedParty(senderKeyIn: RepositoryOptions['senderKeyIn']): { party: SignalParty; writes: Write[] } {
  const writes: Write[] = []
  const stored = new Map<string, unknown>()
  const party = signalParty('100000000000009@lid', logger, stored, (auth) => {
    const keys = createSignalKeys({
      instance: 'i1' as InstanceId,
      journal: { settled: () => undefined } as InstanceJournal,
      reader: { keys: async () => new Map() } as unknown as InstanceReader,
      cache: new LRUCache({ max: 100 }),
      onFailure: (error) => assert.fail(String(error)),
    })
    let texts: string[] = []
    return wrapSignalRepository(
      { ...auth, keys: { ...auth.keys, get: keysInMemory(stored).get } } as typeof auth,
      logger,
      undefined,
      {
        keys,
        inSlot: signalTurns(keys, (entries, meaning) => {
          texts = []
          meaning?.()
          writes.push({ keys: entries, texts })
        }),
        senderKeyIn,
        beforeGroupMessage: async () => {},
        onDecrypted: (_, plaintext) => () => void texts.push(Buffer.from(plaintext).toString()),
        handOn: (_, plaintext) => plaintext,
        recall: async () => null,
      },
    )
  })
  return { party, writes }
}

it('writes the ratchet step of each message together with it, also when several are decrypted at once', async () => {
  silenceConsole(() => {})
  const { party: ben, writes } = recordedParty(() => null)
  const others = [1, 2, 3, 4].map((number) => signalParty(`10000000000000${number}@lid`, logger))
  const sealed: [SignalParty, Awaited<ReturnType<SignalParty['repository']['encryptMessage']>>][] = []
  for (const other of others) {
    await other.repository.injectE2ESession({ jid: ben.jid, session: ben.bundle() })
    for (const text of ['one', 'two'])
      sealed.push([
        other,
        await other.repository.encryptMessage({
          jid: ben.jid,
          data: Buffer.from(`${text} of ${other.jid.split('@')[0]}`),
        }),
      ])
  }

  await Promise.all(sealed.map(([{ jid }, message]) => ben.repository.decryptMessage({ jid, ...message })))

  assert.equal(writes.length, sealed.length)
  for (const { keys, texts } of writes) {
    assert.equal(texts.length, 1)
    const [sender] = texts[0]?.split(' of ').slice(1) ?? []
    assert.deepEqual(
      keys.filter(({ kind }) => kind === 'session').map(({ id }) => id),
      [`${sender}_1.0`],
      texts[0],
    )
  }
})

it('writes a sender key together with the ratchet step of its message, and once', async () => {
  const group = '120363000000000001@g.us'
  const ana = signalParty('100000000000001@lid', logger)
  const distribution = async () => ({
    authorJid: ana.jid,
    item: {
      groupId: group,
      axolotlSenderKeyDistributionMessage: await ana.repository.getSenderKeyDistributionMessage({
        group,
        meId: ana.jid,
      }),
    },
  })
  const known = await distribution()
  const { party: ben, writes } = recordedParty(() => known)
  await ana.repository.injectE2ESession({ jid: ben.jid, session: ben.bundle() })
  const sealed = await ana.repository.encryptMessage({ jid: ben.jid, data: Buffer.from('a key') })

  await ben.repository.decryptMessage({ jid: ana.jid, ...sealed })
  const kinds = writes.map(({ keys }) => keys.map(({ kind }) => kind))
  assert.equal(writes.length, 1)
  assert.ok(kinds[0]?.includes('session') && kinds[0].includes('sender-key'), String(kinds[0]))

  // The library processes the key of each message, in an object of its own.
  await ben.repository.processSenderKeyDistributionMessage(await distribution())
  assert.equal(writes.length, 1)
  const { ciphertext } = await ana.repository.encryptGroupMessage({ group, meId: ana.jid, data: Buffer.from('hello') })
  const plaintext = await ben.repository.decryptGroupMessage({ group, authorJid: ana.jid, msg: ciphertext })
  assert.equal(Buffer.from(plaintext).toString(), 'hello')

  // A key that comes in another way is still processed.
  await ben.repository.processSenderKeyDistributionMessage(await distribution())
  assert.ok(writes.at(-1)?.keys.some(({ kind }) => kind === 'sender-key'))
  assert.equal(writes.length, 3)
})
