import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Curve } from '@whiskeysockets/baileys'
import type { InstanceJournal, KeyEntry, WriteResult } from '../../instance/ports.js'
import { decodeCredentials, newCredentials } from './credentials.js'
import { FIRST_PRE_KEYS, makeFirstPreKeys } from './first-pre-keys.js'
import { decodeKey } from './key-codec.js'

type Write = Parameters<InstanceJournal['write']>[0]

/** Keeps what is written; fails at one of the writes. */
function journalUntil(failsAt = Number.POSITIVE_INFINITY) {
  const writes: Write[] = []
  const keys = new Map<string, KeyEntry['value']>()
  let stored: Uint8Array | null = null
  return {
    writes,
    keys,
    stored: () => decodeCredentials(stored ?? new Uint8Array()),
    async write(changes: Write): Promise<WriteResult> {
      if (writes.length === failsAt) throw new Error('away')
      writes.push(changes)
      for (const change of changes) {
        if (change.type === 'keys') for (const { id, value } of change.entries) keys.set(id, value)
        if (change.type === 'credentials') stored = change.data
      }
      return { messages: new Map() }
    },
  }
}

it('makes the first pre-keys in parts, each with the credentials that count it', async () => {
  const journal = journalUntil()
  const credentials = newCredentials()
  await makeFirstPreKeys(credentials, journal)
  assert.equal(journal.keys.size, FIRST_PRE_KEYS)
  assert.equal(credentials.nextPreKeyId, FIRST_PRE_KEYS + 1)
  assert.equal(journal.stored().nextPreKeyId, FIRST_PRE_KEYS + 1)
  assert.ok(journal.writes.length > 10, 'the event loop has others between the parts')
  const pair = decodeKey('pre-key', journal.keys.get('812') as Uint8Array) as ReturnType<typeof Curve.generateKeyPair>
  const other = Curve.generateKeyPair()
  assert.deepEqual(Curve.sharedKey(pair.private, other.public), Curve.sharedKey(other.private, pair.public))
})

it('continues after a failed write with the next id, and makes no key twice', async () => {
  const failing = journalUntil(3)
  await assert.rejects(makeFirstPreKeys(newCredentials(), failing), /away/)
  const stored = failing.stored()
  assert.equal(stored.nextPreKeyId, failing.keys.size + 1)
  const journal = journalUntil()
  await makeFirstPreKeys(stored, journal)
  assert.equal(failing.keys.size + journal.keys.size, FIRST_PRE_KEYS)
  assert.ok([...journal.keys.keys()].every((id) => !failing.keys.has(id)))
})

it('makes none for a device that has uploaded some', async () => {
  const journal = journalUntil()
  const credentials = { ...newCredentials(), nextPreKeyId: 813, firstUnuploadedPreKeyId: 813 }
  await makeFirstPreKeys(credentials, journal)
  assert.deepEqual(journal.writes, [])
})
