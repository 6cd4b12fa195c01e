import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  addTransactionCapability,
  Curve,
  generateRegistrationId,
  generateSignalPubKey,
  type SignalKeyStore,
  signedKeyPair,
} from '@whiskeysockets/baileys'
import { makeLibSignalRepository } from '@whiskeysockets/baileys/lib/Signal/libsignal.js'
import { pino } from 'pino'
import { libraryLogger, silenceConsole } from './library-logger.js'
import { mendSessionDecryption } from './session-decryption.js'

const logger = libraryLogger(pino({ level: 'silent' }))

function party(jid: string) {
  const stored = new Map<string, unknown>()
  const keys = {
    get: async (kind: string, ids: string[]) =>
      Object.fromEntries(ids.flatMap((id) => (stored.get(kind + id) == null ? [] : [[id, stored.get(kind + id)]]))),
    set: async (data: Record<string, Record<string, unknown>>) => {
      for (const [kind, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values)) stored.set(kind + id, value)
    },
  } as unknown as SignalKeyStore
  const signedIdentityKey = Curve.generateKeyPair()
  const signedPreKey = signedKeyPair(signedIdentityKey, 1)
  const registrationId = generateRegistrationId()
  const repository = makeLibSignalRepository(
    {
      creds: { signedIdentityKey, signedPreKey, registrationId },
      keys: addTransactionCapability(keys, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 0 }),
    },
    logger,
    async () => [],
  )
  const preKey = Curve.generateKeyPair()
  stored.set('pre-key1', preKey)
  const session = {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: {
      keyId: 1,
      publicKey: generateSignalPubKey(signedPreKey.keyPair.public),
      signature: signedPreKey.signature,
    },
    preKey: { keyId: 1, publicKey: generateSignalPubKey(preKey.public) },
  }
  return { jid, repository, session }
}

it('two sides that begin to write at the same moment can read each other from then on', async () => {
  silenceConsole(() => {})
  mendSessionDecryption()
  const ana = party('100000000000001@lid')
  const ben = party('100000000000002@lid')
  await ana.repository.injectE2ESession({ jid: ben.jid, session: ben.session })
  await ben.repository.injectE2ESession({ jid: ana.jid, session: ana.session })
  const write = async (from: typeof ana, to: typeof ana, text: string) =>
    await from.repository.encryptMessage({ jid: to.jid, data: Buffer.from(text) })
  const read = async (at: typeof ana, from: typeof ana, sealed: Awaited<ReturnType<typeof write>>) =>
    Buffer.from(await at.repository.decryptMessage({ jid: from.jid, ...sealed })).toString()

  const [hello, hi] = [await write(ana, ben, 'hello'), await write(ben, ana, 'hi')]
  assert.equal(await read(ben, ana, hello), 'hello')
  const second = await write(ben, ana, 'second')
  assert.equal(await read(ana, ben, hi), 'hi')
  assert.equal(await read(ana, ben, second), 'second')
  for (let round = 0; round < 5; round += 1) {
    assert.equal(await read(ben, ana, await write(ana, ben, `ana ${round}`)), `ana ${round}`)
    assert.equal(await read(ana, ben, await write(ben, ana, `ben ${round}`)), `ben ${round}`)
  }
})
