import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import { openCopies, readCollectionName, readCopy } from './app-state-recovery.js'

const KEY_ID = Buffer.from('0102', 'hex')
const keyData = async (id: string) => (id === KEY_ID.toString('base64') ? Buffer.alloc(32, 7) : undefined)

/** A field of less than 128 bytes, or of up to 16 KiB. */
function field(number: number, value: Uint8Array): Uint8Array {
  const length = value.length < 128 ? [value.length] : [(value.length & 127) | 128, value.length >>> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value])
}

function makeRecord(index: string, { keyId = KEY_ID, mac = Buffer.alloc(32, 1) } = {}): Uint8Array {
  const value = { pinAction: { pinned: true } }
  const action = proto.SyncActionData.encode({ index: Buffer.from(index), value, version: 5 }).finish()
  return Buffer.concat([field(1, action), field(2, keyId), field(3, mac)])
}

function makeCopy({ version = 300, records = [makeRecord('["pin_v1","1@lid"]')], hash = Buffer.alloc(128, 3) } = {}) {
  return Buffer.concat([
    field(1, proto.SyncdVersion.encode({ version }).finish()),
    field(2, Buffer.from('regular_low')),
    ...records.map((record) => field(3, record)),
    field(4, hash),
  ])
}

describe('a copy of a collection', () => {
  it('has the phone’s version and hash, and each record with its place', async () => {
    const collectionSnapshot = gzipSync(makeCopy())
    const results = [{}, { syncdSnapshotFatalRecoveryResponse: { collectionSnapshot, isCompressed: true } }]
    const [copy] = await openCopies({ peerDataOperationResult: results })
    assert.ok(copy)
    assert.equal(readCollectionName(copy), 'regular_low')
    const { state, actions } = await readCopy(copy, keyData)
    assert.equal(state.version, 300)
    assert.deepEqual(Buffer.from(state.hash), Buffer.alloc(128, 3))
    assert.equal(Object.keys(state.indexValueMap).length, 1)
    assert.deepEqual(actions[0]?.index, ['pin_v1', '1@lid'])
    assert.equal(actions[0]?.syncAction.value?.pinAction?.pinned, true)
  })

  it('is refused as a whole if it is incomplete', async () => {
    for (const [copy, why] of [
      [makeCopy({ version: 0 }), /no version/],
      [makeCopy({ hash: Buffer.alloc(127) }), /no hash/],
      [makeCopy({ records: [makeRecord('{}')] }), /no index/],
      [makeCopy({ records: [makeRecord('["a"]', { mac: Buffer.alloc(31) })] }), /is incomplete/],
      [makeCopy({ records: [makeRecord('["a"]', { keyId: Buffer.from('ff', 'hex') })] }), /key of the copy is missing/],
      [makeCopy().subarray(0, -1), /ends within a field/],
      [Buffer.concat([makeCopy(), Buffer.from([0x1d, 0, 0, 0, 0])]), /unknown type/],
    ] as const)
      await assert.rejects(readCopy(copy, keyData), why)
    const bomb = { collectionSnapshot: gzipSync(Buffer.alloc(65 * 1024 * 1024)), isCompressed: true }
    await assert.rejects(openCopies({ peerDataOperationResult: [{ syncdSnapshotFatalRecoveryResponse: bomb }] }))
  })
})
