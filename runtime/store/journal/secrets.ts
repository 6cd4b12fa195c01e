/** Credentials and Signal keys of a batch: the last value of each, encrypted. */

import type { InstanceId } from '../../../schemas/ids.js'
import { KINDS_AFTER_LOGOUT } from '../../../schemas/sealed-kinds.js'
import { bytesArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { type Cells, givenRows, prepareStatement } from '../given-rows.js'
import type { JournalChange } from './batch.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'

// $1 instances   $2 data
const UPSERT_CREDENTIALS = `
  INSERT INTO instance_credentials (instance_id, data)
  SELECT * FROM unnest($1::text[], $2::bytea[])
  ON CONFLICT (instance_id) DO UPDATE SET data = EXCLUDED.data, updated = now()`
const DELETE_CREDENTIALS = 'DELETE FROM instance_credentials WHERE instance_id = ANY($1::text[])'
// Changes of chats under the former pairing are no newer than the history of the next.
const COUNT_PAIRING = 'UPDATE instance SET pairing = pairing + 1 WHERE id = ANY($1::text[])'
const KEPT = [...KINDS_AFTER_LOGOUT].map((kind) => `'${kind}'`).join(', ')
const DELETE_ALL_KEYS = `DELETE FROM signal_key WHERE instance_id = ANY($1::text[]) AND kind NOT IN (${KEPT})`
const upsertKeys = prepareStatement(
  givenRows({
    alias: 'u',
    columns: [
      ['instance_id', 'text'],
      ['kind', 'text'],
      ['id', 'text'],
      ['data', 'bytea'],
    ],
  }),
  (source) => `
  INSERT INTO signal_key (instance_id, kind, id, data)
  SELECT * FROM ${source}
  ON CONFLICT (instance_id, kind, id) DO UPDATE SET data = EXCLUDED.data`,
)
// $1 instances   $2 kinds   $3 ids
const DELETE_KEYS = `
  DELETE FROM signal_key USING unnest($1::text[], $2::text[], $3::text[]) AS gone(instance_id, kind, id)
  WHERE signal_key.instance_id = gone.instance_id AND signal_key.kind = gone.kind AND signal_key.id = gone.id`

interface Key {
  readonly instance: InstanceId
  readonly kind: string
  readonly id: string
  readonly value: Uint8Array | (() => Uint8Array) | null
}

export class SecretChanges {
  readonly #credentials = new Map<InstanceId, Uint8Array | null>()
  /** Instances whose keys all go before the keys of this batch are written. */
  readonly #wiped = new Set<InstanceId>()
  readonly #keys = new Map<string, Key>()

  add(instance: InstanceId, change: JournalChange): void {
    if (change.type === 'credentials') {
      this.#credentials.set(instance, change.data)
      if (change.data === null) {
        this.#wiped.add(instance)
        for (const [name, key] of this.#keys)
          if (key.instance === instance && !KINDS_AFTER_LOGOUT.has(key.kind)) this.#keys.delete(name)
      }
    } else if (change.type === 'keys') {
      for (const { kind, id, value } of change.entries) {
        this.#keys.set(joinKey(instance, kind, id), { instance, kind, id, value })
      }
    }
  }

  /** Sends the statements; nothing of the batch waits for their results but the commit. */
  send(client: Statements, encryption: Encryption): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    if (this.#wiped.size > 0) sent.push(client.query(DELETE_ALL_KEYS, [textArray([...this.#wiped])]))
    const forgotten: string[] = []
    const instances: string[] = []
    const data: Buffer[] = []
    for (const [instance, value] of this.#credentials) {
      if (value === null) forgotten.push(instance)
      else {
        instances.push(instance)
        data.push(encryption.seal(value, instance, 'credentials'))
      }
    }
    if (forgotten.length > 0) {
      sent.push(client.query(DELETE_CREDENTIALS, [textArray(forgotten)]))
      sent.push(client.query(COUNT_PAIRING, [textArray(forgotten)]))
    }
    if (instances.length > 0) sent.push(client.query(UPSERT_CREDENTIALS, [textArray(instances), bytesArray(data)]))
    if (this.#keys.size > 0) sent.push(...this.#sendKeys(client, encryption))
    return sent
  }

  #sendKeys(client: Statements, encryption: Encryption): Promise<unknown>[] {
    const set: Cells[] = []
    const gone: Key[] = []
    for (const key of this.#keys.values()) {
      if (key.value === null) {
        gone.push(key)
        continue
      }
      const value = typeof key.value === 'function' ? key.value() : key.value
      set.push([key.instance, key.kind, key.id, encryption.seal(value, key.instance, key.kind, key.id)])
    }
    const sent: Promise<unknown>[] = []
    if (set.length > 0) sent.push(client.query(...upsertKeys(set)))
    if (gone.length > 0) sent.push(client.query(DELETE_KEYS, placeArrays(gone)))
    return sent
  }
}

function placeArrays(keys: readonly Key[]): Buffer[] {
  return [
    textArray(keys.map((key) => key.instance)),
    textArray(keys.map((key) => key.kind)),
    textArray(keys.map((key) => key.id)),
  ]
}
