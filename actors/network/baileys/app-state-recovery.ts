/**
 * Reads a copy of a collection of app state from the account's phone, when the network's collection cannot be read. The records are not
 * encrypted, and version and hash are the phone's own; only the places of the records are computed here.
 * Form: `SyncdSnapshotRecovery` of whatsmeow, `appstate/recovery.go`. The library has the request, but no type for the copy.
 */
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type LTHashState, proto, type WAPatchName } from '@whiskeysockets/baileys'
import { expandAppStateKeys } from 'whatsapp-rust-bridge'
import type { SyncAction } from './app-state.js'
import { protobufFields } from './protobuf-fields.js'

export type PhoneAnswer = proto.Message.IPeerDataOperationRequestResponseMessage

export interface RecoveredCollection {
  readonly state: LTHashState
  readonly actions: readonly SyncAction[]
}

const { COMPANION_SYNCD_SNAPSHOT_FATAL_RECOVERY } = proto.Message.PeerDataOperationRequestType

const HASH_BYTES = 128
const MAC_BYTES = 32
/** Maximum size of an unpacked copy. It is held in memory; the largest address books have some megabytes. */
const COPY_MAX_BYTES = 64 * 1024 * 1024

export function recoveryRequest(collection: WAPatchName): proto.Message.IPeerDataOperationRequestMessage {
  return {
    peerDataOperationRequestType: COMPANION_SYNCD_SNAPSHOT_FATAL_RECOVERY,
    syncdCollectionFatalRecoveryRequest: { collectionName: collection, timestamp: Math.floor(Date.now() / 1000) },
  }
}

/** Returns the unpacked copies in an answer of the phone. */
export async function openCopies({ peerDataOperationResult }: PhoneAnswer): Promise<Uint8Array[]> {
  const copies = (peerDataOperationResult ?? []).map(async ({ syncdSnapshotFatalRecoveryResponse: copy }) => {
    if (!copy?.collectionSnapshot) return []
    if (!copy.isCompressed) return [copy.collectionSnapshot]
    return [await promisify(gunzip)(copy.collectionSnapshot, { maxOutputLength: COPY_MAX_BYTES })]
  })
  return (await Promise.all(copies)).flat()
}

export function readCollectionName(copy: Uint8Array): string {
  return Buffer.from(findBytes(copy, 2) ?? []).toString('utf8')
}

/** Reads a copy. @throws Error when the copy is incomplete, or a key is missing */
export async function readCopy(
  copy: Uint8Array,
  keyData: (keyId: string) => Promise<Uint8Array | undefined>,
): Promise<RecoveredCollection> {
  const version = Number(proto.SyncdVersion.decode(findBytes(copy, 1) ?? new Uint8Array()).version)
  const hash = findBytes(copy, 4)
  if (!(version > 0) || hash?.length !== HASH_BYTES) throw new Error('The copy has no version or no hash.')
  const indexKeys = new Map<string, Uint8Array>()
  const indexValueMap: Record<string, { valueMac: Uint8Array }> = {}
  const actions: SyncAction[] = []
  for (const record of protobufFields(copy).flatMap(({ number, value }) => (number === 3 ? [value] : []))) {
    if (typeof record === 'number') throw new Error('A record of the copy is a number instead of a message.')
    const [data, keyId, valueMac] = [findBytes(record, 1), findBytes(record, 2), findBytes(record, 3)]
    if (!data || !keyId || valueMac?.length !== MAC_BYTES) throw new Error('A record of the copy is incomplete.')
    const syncAction = proto.SyncActionData.decode(data)
    const indexMac = createHmac('sha256', await findIndexKey(keyId)).update(syncAction.index ?? new Uint8Array())
    indexValueMap[indexMac.digest('base64')] = { valueMac: Buffer.from(valueMac) }
    // Bound: 65,536, 5,000 values, the index of a record of the own phone.
    const index: unknown = JSON.parse(Buffer.from(syncAction.index ?? []).toString('utf8'))
    if (!Array.isArray(index)) throw new Error('A record of the copy has no index.')
    actions.push({ index: index.map(String), syncAction })
  }
  return { state: { version, hash: Buffer.from(hash), indexValueMap }, actions }

  async function findIndexKey(id: Uint8Array): Promise<Uint8Array> {
    const name = Buffer.from(id).toString('base64')
    const known = indexKeys.get(name)
    if (known !== undefined) return known
    const data = await keyData(name)
    if (data === undefined) throw new Error('A key of the copy is missing.')
    const { indexKey } = expandAppStateKeys(data)
    indexKeys.set(name, indexKey)
    return indexKey
  }
}

function findBytes(message: Uint8Array, field: number): Uint8Array | undefined {
  const found = protobufFields(message).findLast(({ number }) => number === field)?.value
  return typeof found === 'number' ? undefined : found
}
