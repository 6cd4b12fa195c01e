import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  addTransactionCapability,
  Curve,
  generateRegistrationId,
  type SignalKeyStore,
  signedKeyPair,
} from '@whiskeysockets/baileys'
import { makeLibSignalRepository } from '@whiskeysockets/baileys/lib/Signal/libsignal.js'
import { pino } from 'pino'
import { libraryLogger } from './library-logger.js'
import { patchGroupEncryption } from './network.js'
import { useNativeXeddsa } from './xeddsa.js'

const logger = libraryLogger(pino({ level: 'silent' }))
const group = '120363000000000001@g.us'
const meId = '100000000000001@lid'

function party() {
  const senderKeys = new Map<string, Uint8Array>()
  const keys = {
    get: async (_kind: string, ids: string[]) =>
      Object.fromEntries(ids.flatMap((id) => (senderKeys.has(id) ? [[id, senderKeys.get(id)]] : []))),
    set: async (data: Record<string, Record<string, Uint8Array>>) => {
      for (const [id, value] of Object.entries(data['sender-key'] ?? {})) senderKeys.set(id, value)
    },
  } as unknown as SignalKeyStore
  const signedIdentityKey = Curve.generateKeyPair()
  const creds = {
    signedIdentityKey,
    signedPreKey: signedKeyPair(signedIdentityKey, 1),
    registrationId: generateRegistrationId(),
  }
  const transactional = addTransactionCapability(keys, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 0 })
  const repository = makeLibSignalRepository({ creds, keys: transactional }, logger, async () => [])
  const storedBytes = () => [...senderKeys.values()].reduce((sum, value) => sum + value.length, 0)
  return { repository, storedBytes }
}

it('keeps the record of a group small, and shrinks one that the library let grow', async () => {
  useNativeXeddsa()
  const [writer, reader] = [party(), party()]
  const write = (text: string) => writer.repository.encryptGroupMessage({ group, meId, data: Buffer.from(text) })
  const first = await write('0')
  await reader.repository.processSenderKeyDistributionMessage({
    item: { groupId: group, axolotlSenderKeyDistributionMessage: first.senderKeyDistributionMessage },
    authorJid: meId,
  })
  async function read(ciphertext: Uint8Array): Promise<string> {
    const plaintext = await reader.repository.decryptGroupMessage({ group, authorJid: meId, msg: ciphertext })
    return Buffer.from(plaintext).toString()
  }
  assert.equal(await read(first.ciphertext), '0')
  const atFirst = writer.storedBytes()
  for (let index = 1; index <= 20; index++) assert.equal(await read((await write(`${index}`)).ciphertext), `${index}`)
  const grown = writer.storedBytes()
  assert.ok(grown > 2 * atFirst, 'The library no longer piles up keys; the mend can go.')

  patchGroupEncryption()
  for (let index = 21; index <= 40; index++) assert.equal(await read((await write(`${index}`)).ciphertext), `${index}`)
  assert.ok(writer.storedBytes() < atFirst + 50, `${writer.storedBytes()} bytes`)
})
