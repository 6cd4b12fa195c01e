import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import { type SignalParty, signalParty } from '../../../test/support/signal-party.js'
import { libraryLogger, silenceConsole } from './library-logger.js'
import { patchSessionDecryption } from './session-decryption.js'

const logger = libraryLogger(pino({ level: 'silent' }))

it('lets two sides that begin to write at the same moment read each other', async () => {
  silenceConsole(() => {})
  patchSessionDecryption()
  const ana = signalParty('100000000000001@lid', logger)
  const ben = signalParty('100000000000002@lid', logger)
  await ana.repository.injectE2ESession({ jid: ben.jid, session: ben.bundle() })
  await ben.repository.injectE2ESession({ jid: ana.jid, session: ana.bundle() })
  const write = async (from: SignalParty, to: SignalParty, text: string) =>
    await from.repository.encryptMessage({ jid: to.jid, data: Buffer.from(text) })
  const read = async (at: SignalParty, from: SignalParty, sealed: Awaited<ReturnType<typeof write>>) =>
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
