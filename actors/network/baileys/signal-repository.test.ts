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
import { wrapSignalRepository } from './signal-repository.js'
import { signalTurns } from './signal-turns.js'

const logger = libraryLogger(pino({ level: 'silent' }))

it('writes the ratchet step of each message together with it, also when several are decrypted at once', async () => {
  silenceConsole(() => {})
  const writes: { keys: string[]; texts: string[] }[] = []
  const stored = new Map<string, unknown>()
  const ben = signalParty('100000000000009@lid', logger, stored, (auth) => {
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
        inTurn: signalTurns(keys, (entries, meaning) => {
          texts = []
          meaning?.()
          writes.push({ keys: entries.filter(isSession).map(({ id }) => id), texts })
        }),
        beforeGroupMessage: async () => {},
        onDecrypted: (_, plaintext) => () => void texts.push(Buffer.from(plaintext).toString()),
        handOn: (_, plaintext) => plaintext,
        recall: async () => null,
      },
    )
  })
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
    assert.deepEqual(keys, [`${sender}_1.0`], texts[0])
  }
})

function isSession({ kind }: KeyEntry): boolean {
  return kind === 'session'
}
