import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { type SignalParty, type StoredKeys, signalParty } from '../../../../test/support/signal-party.js'
import { libraryLogger, silenceConsole } from '../library-logger.js'
import { type StoredRecord, type Writer, writeWithSession } from './ratchet.js'

const logger = libraryLogger(pino({ level: 'silent' }))
const [ANA, BEN] = ['100000000000001@lid', '100000000000002@lid']
const [TO_ANA, TO_BEN] = ['session:100000000000001_1.0', 'session:100000000000002_1.0']

interface Pair {
  readonly ana: SignalParty
  readonly ben: SignalParty
  readonly kept: StoredKeys
  readonly keptByBen: StoredKeys
  readonly writer: Writer
}

async function pair(): Promise<Pair> {
  silenceConsole(() => {})
  const [kept, keptByBen]: [StoredKeys, StoredKeys] = [new Map(), new Map()]
  const [ana, ben] = [signalParty(ANA, logger, kept), signalParty(BEN, logger, keptByBen)]
  await ana.repository.injectE2ESession({ jid: BEN, session: ben.bundle() })
  const { identityKey, registrationId } = ana.bundle()
  return { ana, ben, kept, keptByBen, writer: { identity: identityKey, registrationId } }
}

/** Both have heard of each other, so that neither tells prekeys. */
async function acquainted(): Promise<Pair> {
  const both = await pair()
  await say(both.ana, both.ben, 'hello')
  await say(both.ben, both.ana, 'hello')
  return both
}

async function say(from: SignalParty, to: SignalParty, text: string): Promise<void> {
  const { type, ciphertext } = await from.repository.encryptMessage({ jid: to.jid, data: Buffer.from(text) })
  assert.equal(await heard(to, from, ciphertext, type), text)
}

async function heard(by: SignalParty, from: SignalParty, ciphertext: Uint8Array, type: 'pkmsg' | 'msg' = 'msg') {
  return Buffer.from(await by.repository.decryptMessage({ jid: from.jid, type, ciphertext })).toString()
}

function recordIn(kept: StoredKeys, name: string): StoredRecord {
  return structuredClone(kept.get(name)) as StoredRecord
}

/** Ours and the library's from the same record; its type. */
async function sameStep({ ana, kept, writer }: Pick<Pair, 'ana' | 'kept' | 'writer'>, data: Buffer) {
  const before = recordIn(kept, TO_BEN)
  const untouched = structuredClone(before)
  const ours = writeWithSession(before, data, writer)
  const theirs = await ana.repository.encryptMessage({ jid: BEN, data })
  assert.deepEqual({ type: ours?.type, ciphertext: ours?.ciphertext }, theirs)
  assert.deepEqual(ours?.record, kept.get(TO_BEN))
  assert.deepEqual(before, untouched)
  return ours?.type
}

describe('a step of a session', () => {
  it('gives the ciphertext and the record of the library', async () => {
    const { ana, ben, kept, writer } = await acquainted()
    for (let round = 0; round < 200; round += 1) {
      // Now and then the other side answers, and the ratchet turns.
      if (round % 7 === 6) await say(ben, ana, `answer ${round}`)
      await sameStep({ ana, kept, writer }, randomBytes(1 + round * 3))
    }
  })

  it('sends the prekeys until the other side has answered, as the library does', async () => {
    const fresh = await pair()
    for (const size of [1, 300]) assert.equal(await sameStep(fresh, randomBytes(size)), 'pkmsg')
    // A bundle without a prekey: those of the other side were used up.
    const { preKey: _, ...withoutPreKey } = fresh.ben.bundle()
    await fresh.ana.repository.injectE2ESession({ jid: BEN, session: withoutPreKey as never })
    assert.equal(await sameStep(fresh, randomBytes(20)), 'pkmsg')
    const step = writeWithSession(recordIn(fresh.kept, TO_BEN), Buffer.from('by us'), fresh.writer)
    assert.ok(step)
    fresh.kept.set(TO_BEN, step.record)
    assert.equal(await heard(fresh.ben, fresh.ana, step.ciphertext, step.type), 'by us')
    await say(fresh.ben, fresh.ana, 'an answer')
    assert.equal(await sameStep(fresh, randomBytes(20)), 'msg')
  })

  it('is readable for the other side, in any order and mixed with steps of the library', async () => {
    const { ana, ben, kept, writer } = await acquainted()
    const sent: Uint8Array[] = []
    for (let index = 0; index < 6; index += 1) {
      const step = writeWithSession(recordIn(kept, TO_BEN), Buffer.from(`text ${index}`), writer)
      assert.ok(step)
      kept.set(TO_BEN, step.record)
      sent.push(step.ciphertext)
    }
    assert.equal(await heard(ben, ana, sent[4] as Uint8Array), 'text 4')
    await say(ana, ben, 'by the library')
    for (const index of [0, 5, 1, 3, 2]) assert.equal(await heard(ben, ana, sent[index] as Uint8Array), `text ${index}`)
    await say(ben, ana, 'an answer')
  })

  it('is refused without a session that can encrypt', async () => {
    const { kept, keptByBen, writer } = await acquainted()
    const record = recordIn(kept, TO_BEN)
    assert.ok(writeWithSession(record, randomBytes(8), writer))
    assert.ok(writeWithSession(recordIn(keptByBen, TO_ANA), randomBytes(8), writer))
    const closed = structuredClone(record) as unknown as {
      _sessions: Record<string, { indexInfo: { closed: number } }>
    }
    for (const session of Object.values(closed._sessions)) session.indexInfo.closed = 1
    assert.equal(writeWithSession(closed as unknown as StoredRecord, randomBytes(8), writer), null)
    const shortKey = structuredClone(record) as unknown as typeof closed & {
      _sessions: Record<string, { indexInfo: { remoteIdentityKey: string } }>
    }
    for (const { indexInfo } of Object.values(shortKey._sessions))
      indexInfo.remoteIdentityKey = randomBytes(32).toString('base64')
    assert.equal(writeWithSession(shortKey as unknown as StoredRecord, randomBytes(8), writer), null)
    assert.equal(writeWithSession({ version: 'v1', _sessions: {} }, randomBytes(8), writer), null)
    assert.equal(writeWithSession({ ...record, version: 'v2' }, randomBytes(8), writer), null)
  })
})
